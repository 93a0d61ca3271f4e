// Typed texts are stored in the browser until they are discarded explicitly.

import { read, write } from "./stored.js";

const MOST = 20; // programs
const BYTES = 2 << 20; // of all of them

// drafts are the stored programs, newest first: {files, time, when}.
export const drafts = () => read("pica200.drafts").filter((d) => d && typeof d.files === "object" && d.files !== null && Object.values(d.files).every((t) => typeof t === "string"));

// keep stores a program and replaces one with the same texts.
export function keep(program, when = Date.now()) {
  const same = JSON.stringify(program.files);
  let list = [{ ...program, when }, ...drafts().filter((d) => JSON.stringify(d.files) !== same)].slice(0, MOST);
  while (list.length > 1 && JSON.stringify(list).length > BYTES) list = list.slice(0, -1);
  write("pica200.drafts", list);
}

// discard removes one.
export function discard(when) { write("pica200.drafts", drafts().filter((d) => d.when !== when)); }
