// The history of a pixel: every write to it, and why others failed.

import { el, title } from "./dom.js";
import { line, rowTable, samples } from "./rows.js";

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
  const on = p.screen ? p : p.on, rows = head.events.map((ev) => event(app, head, ev));
  box.replaceChildren(
    el("h3", {}, head.about[0]), ...head.about.slice(1).map((t) => el("p", {}, t)),
    on ? el("p", {}, `The ${on.screen} screen shows it at ${on.x},${on.y}.`) : "",
    head.total > rows.length ? el("p", {}, `The first ${rows.length} are here.`) : "",
    el("div", { class: "history" }, ...rows));
}

function event(app, head, ev) {
  const box = el("details", { class: ev.row.mark || "" }, el("summary", {}, ...samples(ev.row), el("b", {}, line(ev.row))));
  const to = { frame: head.frame, draw: ev.draw };
  // Nested content is made when it becomes visible.
  box.addEventListener("toggle", () => {
    if (box.childElementCount > 1) return;
    const status = el("span", { role: "status" });
    box.append(rowTable(ev.row.rows, (link) => follow(app, head, ev, link, status)),
      ev.draw >= 0 ? el("div", { class: "bar" }, el("button", { onclick: () => app.go(to) }, `Go to draw ${ev.draw}`),
        el("span", {}, el("button", { onclick: () => corners(app, head, ev, status) }, "Its vertices"), " ", status)) : "");
  });
  return box;
}

// follow returns the action of a row's link.
function follow(app, head, ev, link, status) {
  const to = { frame: head.frame, draw: ev.draw };
  switch (link.to) {
    case "vertex": return { title: title(app.words.follow), run: () => corners(app, head, ev, status, link.corner || 0) };
    case "texel": return { title: "Show the texture", run: async () => {
      await app.go(to);
      const { head: found, data } = await app.ask({ op: "texture", ...app.place(), unit: link.unit, face: link.face, level: link.level });
      app.showTexture(found, data);
    } };
    case "output": return { title: "Show the shader that writes it", run: () => {
      app.panel = "shader";
      return app.go(to);
    } };
    default: return null;
  }
}

// corners links a fragment to the vertices of its triangle, or to one of them.
async function corners(app, head, ev, status, only) {
  const run = (unit, n) => {
    Object.assign(app.kept, { unit, [unit === "geometry" ? "run" : "vertex"]: n });
    app.panel = "shader";
    return app.go({ frame: head.frame, draw: ev.draw });
  };
  try {
    const { head: found } = await app.ask({ op: "corners", file: app.at.file, frame: head.frame, draw: ev.draw, x: head.x, y: head.y, edits: app.edits }, "corners");
    const unit = found.geometry ? "geometry" : "vertex";
    if (only !== undefined && found.corners[only].vertex >= 0) {
      await run(unit, found.corners[only].vertex);
      return;
    }
    status.replaceChildren(...found.corners.flatMap((c) => [c.vertex < 0 ? c.text : el("button", { class: "link", title: title(app.words.follow), onclick: () => run(unit, c.vertex) }, c.text),
      ` ${(100 * c.weight).toFixed(1)} % `]));
  } catch (e) {
    if (e.code !== "stopped") status.replaceChildren(e.message);
  }
}
