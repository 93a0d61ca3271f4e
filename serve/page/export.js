// The button that saves the frame as one HTML file, if a server can make it.

import { byId, el } from "./dom.js";

export async function offerExport(app) {
  const can = await fetch("export").catch(() => null);
  if (can?.status !== 204) return;
  byId("export").hidden = false;
  byId("export").addEventListener("click", () => byId("send").showModal());
  const said = byId("send-said");
  byId("send-go").addEventListener("click", async () => {
    byId("send-go").disabled = true;
    said.textContent = "It is made; the engine takes a while the first time …";
    try {
      const { file, frame } = app.at;
      const response = await fetch("export?page", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ file, frame, note: byId("send-note").value, at: location.hash.slice(1) }) });
      if (response.status !== 200) throw new Error((await response.json()).error);
      const url = URL.createObjectURL(await response.blob());
      el("a", { href: url, download: "bug.html" }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60000);
      said.textContent = "bug.html is saved.";
    } catch (e) {
      said.textContent = e instanceof TypeError ? "The program does not answer; it was ended, perhaps." : e.message;
    }
    byId("send-go").disabled = false;
  });
}
