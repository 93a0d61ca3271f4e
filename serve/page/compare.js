// Comparison of the draws of two frames, recordings or builds, and of a frame with a screenshot.

import { el } from "./dom.js";

const SHOWN = 500; // maximum number of rows

export async function comparePanel(app, box) {
  const keep = app.kept;
  const other = keep.other ||= { file: app.files.findIndex((_, i) => i !== app.at.file), frame: app.at.frame };
  if (other.file < 0) other.file = app.at.file;
  const file = el("select", { "aria-label": "Compared with the file" }, ...app.files.map((f, i) => el("option", { value: i, selected: i === other.file }, f.name)));
  const frame = el("input", { type: "number", min: 0, value: other.frame, "aria-label": "Frame of that file" });
  const all = el("input", { type: "checkbox" });
  all.checked = keep.allPairs || false;
  const list = el("div", { class: "scroll" });
  const said = el("p", { class: "none", role: "status", "aria-live": "polite" });
  const shot = el("input", { type: "file", accept: "image/png", "aria-label": "Screenshot (PNG)" });
  const screen = el("select", { "aria-label": "What the screenshot shows" }, ...[["", "found out"], ["top", "top"], ["bottom", "bottom"], ["topright", "topright"], ["target", "target"]].map(([v, t]) => el("option", { value: v }, t)));
  const suspects = el("div");
  const showBlamed = () => suspects.replaceChildren(...blamed(app, keep.blamed));
  const show = () => list.replaceChildren(pairs(app, keep.pairs, all.checked));
  const go = el("button", { onclick: async () => {
    other.file = Number(file.value);
    other.frame = Number(frame.value);
    said.textContent = "Drawing both …";
    try {
      const { head } = await app.ask({ op: "pairs", file: app.at.file, frame: app.at.frame, other: { file: other.file, frame: other.frame, draw: 0 } }, "pairs");
      keep.pairs = { ...head, of: { ...app.at }, other: { ...other } };
      said.textContent = summary(keep.pairs);
      show();
    } catch (e) {
      if (e.code !== "stopped") said.textContent = e.message;
    }
  } }, "Compare draw by draw");
  all.addEventListener("change", () => { keep.allPairs = all.checked; show(); });
  shot.addEventListener("change", async () => {
    suspects.replaceChildren(el("p", { class: "none" }, "Comparing …"));
    try {
      const bytes = new Uint8Array(await shot.files[0].arrayBuffer());
      if (bytes.length > 700000) throw new Error(`the screenshot has ${bytes.length} bytes; at most 700,000 can be sent`);
      let data = "";
      for (const b of bytes) data += String.fromCharCode(b);
      const answer = await app.ask({ op: "blame", file: app.at.file, frame: app.at.frame, what: screen.value, data: btoa(data) }, "blame");
      app.showTexture(answer.head, answer.data);
      keep.blamed = { file: app.at.file, name: shot.files[0].name, report: answer.head.report };
      showBlamed();
    } catch (e) {
      if (e.code !== "stopped") suspects.replaceChildren(el("p", { class: "bad" }, e.message));
    }
  });
  if (keep.pairs && (keep.pairs.of.file !== app.at.file || keep.pairs.of.frame !== app.at.frame)) keep.pairs = null;
  box.replaceChildren(
    el("h3", {}, "With another recording, frame or build"),
    el("div", { class: "bar" }, el("label", {}, "File ", file), el("label", {}, "Frame ", frame), go, el("label", {}, all, "also draws that are the same")),
    el("div", { class: "bar" }, el("button", { onclick: () => app.setPicture("difference") }, "Show the difference"), el("button", { onclick: () => app.setPicture("other") }, "Show the other"), el("button", { onclick: () => app.setPicture("after") }, "Show this one")),
    said, list,
    el("h3", {}, "With a screenshot"),
    el("div", { class: "bar" }, shot, el("label", {}, "It shows ", screen)), suspects);
  if (keep.blamed?.file === app.at.file) showBlamed();
  if (keep.pairs) {
    said.textContent = summary(keep.pairs);
    show();
  }
}

function summary(p) {
  if (!p.different) return `All ${p.pairs.length} draws leave the same.`;
  const first = p.pairs[p.first];
  return `${p.different} of ${p.pairs.length} draws differ; the first is ${first.draw < 0 ? `draw ${first.other} of the other, which is not here` : `draw ${first.draw}`}.`;
}

function pairs(app, p, all) {
  if (!p) return "";
  const rows = p.pairs.filter((r) => all || !r.same);
  const text = (r) => (r.draw < 0 ? "only there" : r.other < 0 ? "only here" : r.same ? "the same" : "differs");
  return el("div", {}, el("table", { "aria-label": "Draws side by side" },
    el("thead", {}, el("tr", {}, ...["here", "there", "what", "result"].map((t) => el("th", { scope: "col" }, t)))),
    el("tbody", {}, ...rows.slice(0, SHOWN).map((r) => el("tr", { class: r.same ? "" : "changed" },
      el("td", { class: "num" }, r.draw < 0 ? "" : el("button", { class: "link", "aria-label": `Draw ${r.draw}: show the difference`, onclick: () => app.goCompared(r.draw) }, String(r.draw))),
      el("td", { class: "num" }, r.other < 0 ? "" : String(r.other)), el("td", {}, r.name), el("td", {}, text(r)))))),
  rows.length > SHOWN ? el("p", { class: "none" }, `${rows.length - SHOWN} more`) : "");
}

// otherOf returns the place that a draw is compared with.
export function otherOf(app) {
  const { pairs: p, other } = app.kept;
  const to = p?.other || other || { file: app.files.length > 1 ? (app.at.file === 0 ? 1 : 0) : app.at.file, frame: app.at.frame };
  const found = p?.pairs.find((r) => r.draw === app.at.draw);
  return { file: to.file, frame: to.frame, draw: found ? found.other : app.at.draw };
}

function blamed(app, { name, report: r }) {
  const out = [el("p", { role: "status", class: "name" }, `${name}: it shows the ${r.screen} (${r.orientation}, ${r.scale} times as large): ${r.differing} of ${r.compared} pixels differ${r.unknown ? `, ${r.unknown} of which no draw wrote` : ""}.`)];
  if (r.notes?.length) out.push(el("ul", { class: "notes" }, ...r.notes.map((n) => el("li", {}, n))));
  if (r.suspects?.length) {
    out.push(el("table", { "aria-label": "Suspects" }, el("thead", {}, el("tr", {}, ...["draw", "score", "differing", "what few others have"].map((t) => el("th", { scope: "col" }, t)))),
      el("tbody", {}, ...r.suspects.map((s) => el("tr", {},
        el("td", {}, el("button", { class: "link", "aria-label": `Go to draw ${s.draw} of frame ${s.frame}`, onclick: () => app.go({ frame: s.frame, draw: s.draw }) }, String(s.draw))),
        el("td", { class: "num" }, s.score.toFixed(2)), el("td", { class: "num" }, String(s.differing)),
        el("td", {}, (s.special || []).map((x) => `${x.register.replace("GPUREG_", "")}.${x.field} ${x.value} (others ${x.others})`).join("; ")))))));
  }
  return out;
}
