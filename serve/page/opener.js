// The debugger where no program runs (the site of the playground): what it shows comes
// from the address, as a scene, or from the reader's disk.

import { byId, el } from "./dom.js";
import { unpack } from "./link.js";

export async function startSite(app) {
  app.begin = "";
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
  await app.ask({ op: "record", ...await unpack(at.get("p")) });
  await begin();
}
