// Answers stored in an exported page, so that it shows its first view before its engine runs.

import { answer } from "./net.js";

// bytesOf decodes base64, in pieces if the browser has no function for it. worker.js has a copy, because it is a
// separate script.
function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

// The keys of an edit, in the order of serve/answers.go.
const FIELDS = ["draw", "register", "value", "field", "text", "shader", "uniform", "values", "source"];

// keyOf returns the key of a stored answer, null for requests that are never stored.
export function keyOf(r) {
  if (r.file || r.unit || r.face || r.level || r.from || r.other || r.data || !["files", "registers", "open", "frame", "thumb", "draw", "step", "picture", "textures", "program", "run", "history"].includes(r.op)) return null;
  const whole = ["files", "registers", "open", "frame", "thumb"].includes(r.op);
  const edits = (r.edits || []).map((e) => Object.fromEntries(FIELDS.filter((f) => f === "draw" || (e[f] && e[f].length !== 0)).map((f) => [f, e[f]])));
  return JSON.stringify({ op: r.op, frame: r.frame || 0, draw: whole ? -1 : r.draw ?? -1, move: whole ? -1 : r.move ?? -1, what: r.what || "", x: r.x || 0, y: r.y || 0, vertex: r.vertex || 0, count: r.count ?? 256, edits });
}

// read reads a pack of answers (serve/answers.go) and reports each one as soon as it is read. It waits until the
// report is handled.
async function read(text, tell) {
  const reader = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const decoder = new TextDecoder();
  let chunk = new Uint8Array(0), at = 0, last = null;
  const take = async (n) => { // n bytes, copied
    const out = new Uint8Array(n);
    for (let have = 0; have < n;) {
      if (at === chunk.length) {
        const { done, value } = await reader.read();
        if (done) return null;
        [chunk, at] = [value, 0];
        continue;
      }
      const part = Math.min(n - have, chunk.length - at);
      out.set(chunk.subarray(at, at + part), have);
      have += part;
      at += part;
    }
    return out;
  };
  for (;;) {
    const lengths = await take(8);
    if (!lengths) return;
    const view = new DataView(lengths.buffer), length = view.getUint32(4, true), binary = length >>> 31 === 1;
    const key = decoder.decode(await take(view.getUint32(0, true)));
    const data = await take(length & 0x7fffffff);
    if (binary) {
      const head = 4 + new DataView(data.buffer).getUint32(0, true), picture = data.subarray(head);
      if (last && last.length === picture.length) for (let i = 0; i < picture.length; i++) picture[i] ^= last[i];
      last = picture;
    }
    await tell(key, { buffer: data.buffer, binary });
  }
}

// The second pack of a page: inputs and results of draws, fills, transfers and copies, without edits. Everything
// else is in the first.
const later = (r) => ["draw", "step", "textures", "program", "run"].includes(r.op) && !r.edits?.length || r.op === "picture" && r.what === "after";

// withKept answers from the page's stored answers, and passes other requests to a transport, whose engine starts
// meanwhile.
export function withKept(make) {
  const transport = make();
  const text = (id) => document.getElementById(id)?.textContent;
  const kept = new Map(), waiting = new Map();
  const tell = (key, a) => {
    kept.set(key, a);
    for (const done of waiting.get(key) || []) done();
    waiting.delete(key);
  };
  // Damaged answers are requested from the engine. The second pack is read when a request needs it, and when the
  // engine is warm: unpacking it takes longer than a click.
  const first = read(text("first"), tell).catch(() => {});
  let rest = null, go = () => {}, warmed = false;
  const needed = (key, a) => {
    tell(key, a);
    return warmed || waiting.size ? null : new Promise((done) => { go = done; });
  };
  const all = () => {
    go();
    return (rest ??= first.then(() => read(text("rest"), needed)).catch(() => {}));
  };
  first.then(warm).catch(() => {}).then(() => {
    warmed = true;
    all();
  });
  const ask = async (request, signal) => {
    const key = keyOf(request);
    if (!key) return transport(request, signal);
    for (const pack of [() => first, ...(later(request) ? [all] : [])]) {
      if (kept.has(key)) break;
      await Promise.race([new Promise((done) => waiting.set(key, [...(waiting.get(key) || []), done])), pack()]);
      waiting.delete(key); // the pack ended without it
    }
    const found = kept.get(key);
    return found ? answer(found.buffer.slice(0), found.binary) : transport(request, signal);
  };
  // warm gives the engine work of increasing length, so that the browser compiles the code a click needs. A click
  // waits for one piece of it at most.
  async function warm() {
    const { head } = await ask({ op: "frame" });
    for (let n = 1; n < 4 * head.draws; n *= 4) {
      const draw = Math.min(n, head.draws) - 1;
      for (const what of [{ op: "history", count: 1 }, { op: "picture", what: "before" }]) await transport({ ...what, draw, background: true }).catch(() => {});
    }
    await transport({ op: "list", background: true }).catch(() => {});
  }
  ask.far = async () => transport.far();
  ask.stop = (why) => transport.stop(why);
  return ask;
}
