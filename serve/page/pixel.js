// The history of a pixel: every write that touched it, and why those that failed did.

import { el, hex, swatch } from "./dom.js";

export async function pixelPanel(app, box) {
  const p = app.pixel;
  if (!p) {
    box.replaceChildren(el("p", { class: "none" }, "Choose a pixel: click it in the picture, or go there with the arrow keys and press Enter."));
    return;
  }
  box.replaceChildren(el("p", { class: "none" }, `Asking for pixel ${p.x},${p.y} …`));
  let head;
  try {
    ({ head } = await app.ask({ op: "history", file: app.at.file, frame: app.at.frame, draw: app.at.draw, what: p.screen || "", x: p.x, y: p.y, count: 1000, edits: app.edits }, "history"));
  } catch (e) {
    if (e.code !== "stopped") box.replaceChildren(el("p", { class: "none" }, e.message));
    return;
  }
  const rows = head.events.map((ev) => event(app, head, ev));
  box.replaceChildren(
    el("h3", {}, `Pixel ${head.x},${head.y} of ${head.target}`),
    head.via ? el("p", {}, `on the ${p.screen} screen through ${head.via}`) : "",
    el("p", {}, head.total ? `${head.total} events of frame ${head.frame}${head.total > rows.length ? `, of which the first ${rows.length} are here` : ""}` : "Nothing touched it in this frame."),
    el("div", { class: "history" }, ...rows));
}

function event(app, head, ev) {
  const ok = ev.outcome === "written" || ev.draw < 0;
  const one = (p) => el("span", {}, swatch(p.color), ` depth ${hex(p.depth, 6)} stencil ${hex(p.stencil, 2)}`);
  return el("details", { class: ok ? "" : "failed" },
    el("summary", {}, el("b", {}, ev.draw < 0 ? ev.outcome : `draw ${ev.draw}: ${ev.outcome}`), " ", ev.after ? one(ev.after) : ""),
    ev.before ? el("p", {}, "before ", one(ev.before)) : "",
    el("pre", {}, ev.text),
    ev.draw >= 0 ? el("div", { class: "bar" }, el("button", { onclick: () => app.go({ frame: head.frame, draw: ev.draw }) }, `Go to draw ${ev.draw}`), corners(app, head, ev)) : "");
}

// corners leads from a fragment to the vertices that it lies between.
function corners(app, head, ev) {
  const box = el("span", { role: "status" });
  const run = (unit, n) => async () => {
    Object.assign(app.kept, { unit, [unit === "geometry" ? "run" : "vertex"]: n });
    app.panel = "shader";
    await app.go({ frame: head.frame, draw: ev.draw });
  };
  const ask = el("button", { onclick: async () => {
    try {
      const { head: found } = await app.ask({ op: "corners", file: app.at.file, frame: head.frame, draw: ev.draw, x: head.x, y: head.y, edits: app.edits }, "corners");
      const unit = found.geometry ? "geometry" : "vertex", word = found.geometry ? "run" : "vertex";
      box.replaceChildren(...found.corners.flatMap((c) => [c.vertex < 0 ? "where clipping cut" : el("button", { class: "link", title: "Run the shader on it", onclick: run(unit, c.vertex) }, `${word} ${c.vertex}`),
        ` ${(100 * c.weight).toFixed(1)} % `]));
    } catch (e) {
      if (e.code !== "stopped") box.replaceChildren(e.message);
    }
  } }, "Its vertices");
  return el("span", {}, ask, " ", box);
}
