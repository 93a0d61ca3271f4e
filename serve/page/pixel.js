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
    ({ head } = await app.ask({ op: "history", file: app.at.file, frame: app.at.frame, draw: app.at.draw, what: p.screen || "", x: p.x, y: p.y, count: 1000 }, "history"));
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
    ev.draw >= 0 ? el("button", { onclick: () => app.go({ frame: head.frame, draw: ev.draw }) }, `Go to draw ${ev.draw}`) : "");
}
