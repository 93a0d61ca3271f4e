// The debugger without a server (the playground's site): the address or the reader's disk gives the scene or
// recording.

import { byId, el } from "./dom.js";
import { unpack } from "./link.js";
import { setSuspect, suspect } from "./stored.js";

export async function startSite(app) {
  app.begin = ""; // the address holds the program
  const at = new URLSearchParams(location.hash.slice(1));
  const input = el("input", { type: "file", "aria-label": "Open a recording (.ctf, .picatrace) of yours; it stays on this machine", accept: ".ctf,.picatrace" });
  byId("file").closest("label").hidden = true;
  byId("file").closest("label").before(el("label", {}, "Open ", input));
  let started = false;
  const begin = async () => {
    if (!started) {
      started = true;
      await app.start();
    } else {
      app.begin = "";
      app.changes.clear();
      await app.openFile(0);
    }
  };
  input.addEventListener("change", async () => {
    try {
      const [file] = input.files;
      await app.asker.transport({ op: "files", name: file.name }, undefined, await file.arrayBuffer());
      await begin();
    } catch (e) {
      app.problem(e.message);
    }
  });
  if (!at.has("p")) {
    app.problem("Choose a recording of yours, above. It is read here and goes nowhere.");
    return;
  }
  app.begin = at.get("p");
  const link = "#p=" + app.begin;
  const run = async () => {
    let late, over = false;
    app.problem("");
    app.asker.transport.begun = () => {
      clearTimeout(late);
      late = setTimeout(() => setSuspect(link, true), 3000);
    };
    app.whenEnded = (e) => {
      over = true;
      setSuspect(link, true);
      app.problem(`The program of the link is not shown: ${e.message}.`, { "Run it": run });
    };
    try {
      const { files, time } = await unpack(at.get("p"));
      await app.ask({ op: "record", files, time });
      await begin();
    } catch (e) {
      if (e.code === "ended") app.whenEnded(e);
      else app.problem(e.message);
    }
    clearTimeout(late);
    app.asker.transport.begun = app.whenEnded = null;
    if (!over) setSuspect(link, false);
  };
  if (suspect(link)) app.problem("The program of the link did not end when it was run before, so it is not run by itself again.", { "Run it": run });
  else await run();
}
