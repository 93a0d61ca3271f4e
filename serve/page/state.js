// The input of a draw: registers, changes, combiners, textures, tables.

import { el, hex, number, paint, search, svg } from "./dom.js";
import { edit } from "./edit.js";
import { rowTable } from "./rows.js";

// Sections of the register file, by their first register.
const sections = [
  [0x000, "Miscellaneous"], [0x040, "Rasterizer"], [0x080, "Textures"], [0x0c0, "Combiners, fog and gas"], [0x100, "Framebuffer"],
  [0x140, "Lighting"], [0x200, "Geometry pipeline"], [0x280, "Geometry shader"], [0x2b0, "Vertex shader"],
];

// statePanel lists registers; the search is kept from draw to draw.
export function statePanel(app, box, draw) {
  const keep = app.kept;
  keep.sections ||= new Set(); // the open ones
  const list = el("div", { class: "registers" });
  const only = el("input", { type: "checkbox" });
  only.checked = keep.onlyChanged || false;
  const show = () => list.replaceChildren(...registers(app, draw, keep.search || "", only.checked));
  only.addEventListener("change", () => { keep.onlyChanged = only.checked; show(); });
  const find = search("Search registers, fields and values", keep.search || "", (v) => { keep.search = v; show(); });
  // A summary line links to its registers or texture.
  const follow = (link) => {
    if (link.to === "register") return { title: "Show " + link.register, run: () => { find.value = keep.search = link.register; show(); find.focus(); } };
    const { unit = 0 } = link, picture = el("span", { class: "thumbs", role: "img", "aria-label": `Texture of unit ${unit}` });
    app.pictures(app.at.draw, (list) => picture.replaceChildren(list[draw.record.textures.findIndex((t) => t.unit === unit)] || ""), () => picture.isConnected);
    return { title: "Show the texture", run: () => app.openPanel("textures"), picture };
  };
  box.replaceChildren(el("h3", {}, "What it does"), rowTable(draw.summary, follow), notes(draw),
    el("h3", {}, "Registers"), el("div", { class: "bar" }, find, el("label", {}, only, "changed since the draw before")), list,
    el("details", {}, el("summary", {}, `dmp_* uniforms that are not at their defaults (${draw.uniforms.length})`),
      el("pre", {}, draw.uniforms.join("\n"))),
    el("details", {}, el("summary", {}, "Fixed attributes"),
      el("pre", {}, draw.fixed_attributes.map((v, i) => `${String(i).padStart(2)}  ${v.map(number).join("  ")}`).join("\n"))));
  show();
}

function notes(draw) {
  return draw.notes.length ? el("ul", { class: "notes" }, ...draw.notes.map((n) => el("li", {}, n))) : "";
}

function registers(app, draw, text, changed) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = sections.map(([first, name]) => ({ first, name, rows: [] }));
  for (const r of draw.registers) {
    const of = app.registers.get(r.number);
    if (!of || changed && !r.changed) continue;
    const fields = of.fields.map((f, i) => [f, (r.texts || r.values)[i]]);
    if (words.length) {
      const all = `${of.name} ${hex(r.number, 3)} ${hex(r.word)} ${of.doc} ${fields.map(([f, v]) => `${f.name}=${v} ${(f.uniforms || []).join(" ")}`).join(" ")}`.toLowerCase();
      if (!words.every((w) => all.includes(w))) continue;
    }
    groups.findLast((g) => g.first <= r.number).rows.push([r, of, fields]);
  }
  const seen = groups.filter((g) => g.rows.length);
  if (!seen.length) return [el("p", { class: "none" }, changed ? "No register changed that is searched for." : "Nothing is found.")];
  return seen.map((g) => {
    const open = Boolean(words.length) || changed || app.kept.sections.has(g.name);
    const box = el("details", { open, ontoggle: (e) => {
      if (e.target.open) fill();
      if (words.length || changed) return;
      if (e.target.open) app.kept.sections.add(g.name); else app.kept.sections.delete(g.name);
    } }, el("summary", {}, `${g.name} (${g.rows.length})`));
    // Rows are made when they become visible.
    const fill = () => {
      if (box.childElementCount > 1) return;
      box.append(el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "register"), el("th", { scope: "col" }, "word"), el("th", { scope: "col" }, "fields"))),
        el("tbody", {}, ...g.rows.map((row) => register(app, ...row)))));
    };
    if (open) fill();
    return box;
  });
}

function register(app, r, of, fields) {
  const name = of.name.replace("GPUREG_", "");
  const word = el("button", { class: "link", "data-key": of.name, title: "Change it and see", "aria-label": `${name}: ${hex(r.word)}` }, hex(r.word));
  word.addEventListener("click", () => edit(word, { label: `New value of ${of.name}`, value: hex(r.word), expected: "0 to 0xFFFFFFFF" },
    (text) => (text ? app.tryEdit({ register: of.name, text }) : Promise.reject(new Error("expected a number from 0 to 0xFFFFFFFF")))));
  return el("tr", { class: r.changed ? "changed" : "" },
    el("th", { scope: "row", title: `${of.name} (${hex(r.number, 3)}): ${of.doc}` }, name, r.changed ? el("span", { class: "mark" }, " changed") : null),
    el("td", { class: "word" }, word),
    el("td", {}, ...fields.flatMap(([f, v], i) => [field(app, of, f, v, r.values[i]), " "])));
}

// field shows a field with its value; a click edits it.
function field(app, of, f, shown, value) {
  const button = el("button", { class: "link value", "data-key": `${of.name} ${f.name}`, "aria-label": `${f.name}: ${shown}` }, shown);
  const choices = f.type === "bool" ? ["false", "true"] : f.type === "enum" && f.enum ? f.enum : null;
  button.addEventListener("click", () => edit(button, { label: `New value of ${f.name}`, value, choices, expected: f.expected }, (text) => app.tryEdit({ register: of.name, field: f.name, text })));
  const doc = `${f.name}, bits ${f.low} to ${f.low + f.bits - 1}, ${f.type}, ${f.expected}${f.doc ? ": " + f.doc : ""}${f.uniforms ? "; " + f.uniforms.join(", ") : ""}`;
  return el("span", { class: "field", title: doc }, el("span", { class: "fname" }, f.name), " ", button);
}

export async function changesPanel(app, box, draw) {
  const since = el("select", { "aria-label": "Compared with" });
  const list = el("div");
  const at = app.at;
  const choices = [];
  if (draw.since) choices.push([`draw before (frame ${draw.since[0]}, draw ${draw.since[1]})`, null]);
  if (at.frame > 0) choices.push([`the same draw of frame ${at.frame - 1}`, [at.frame - 1, at.draw]]);
  for (let d = 0; d < Math.min(app.draws, 512); d++) if (d !== at.draw) choices.push([`draw ${d} of this frame`, [at.frame, d]]);
  since.append(...choices.map(([text], i) => el("option", { value: i }, text)));
  const show = async () => {
    const other = choices[since.value]?.[1];
    let changes = draw.changes;
    try {
      if (other) changes = (await app.ask({ op: "changes", ...app.place(), x: other[0], y: other[1] }, "changes")).head.changes;
    } catch (e) {
      list.replaceChildren(el("p", { class: "none" }, e.message));
      return;
    }
    list.replaceChildren(changes.length ? el("table", { class: "changes" },
      el("thead", {}, el("tr", {}, ...["what", "was", "is"].map((t) => el("th", { scope: "col" }, t)))),
      el("tbody", {}, ...changes.flatMap((c) => [change(c, ""), ...(c.fields || []).map((f) => change(f, "sub"))])))
      : el("p", { class: "none" }, "Nothing changed."));
  };
  since.addEventListener("change", show);
  if (!choices.length) {
    box.replaceChildren(el("p", { class: "none" }, "It is the first draw of the recording."));
    return;
  }
  box.replaceChildren(el("div", { class: "bar" }, el("label", {}, "Since ", since)), list);
  await show();
}

const change = (c, kind) => el("tr", { class: kind }, el("th", { scope: "row" }, c.what), el("td", {}, c.before || ""), el("td", {}, c.after || ""));

// combinersPanel shows what the stages compute; a button shows a stage's result.
export function combinersPanel(app, box, draw) {
  box.replaceChildren(...[0, 1, 2, 3, 4, 5].map((i) => el("section", { class: "stage", "aria-label": `Combiner stage ${i}` },
    el("h3", {}, `Stage ${i} `, el("button", { onclick: () => app.setPicture("stage" + i) }, "Show what it delivers")),
    rowTable(draw.combiners.slice(2 * i, 2 * i + 2)))));
}

export async function texturesPanel(app, box, draw) {
  box.replaceChildren(draw.textures.length ? "" : el("p", { class: "none" }, "No texture unit is on."), notes(draw));
  for (const t of draw.textures) {
    const canvas = el("canvas", { width: t.width, height: t.height, role: "img", "aria-label": `${t.name}, ${t.width} by ${t.height}` });
    const show = el("button", { class: "texture", title: "Show it large" }, canvas, el("span", {}, `${t.name}: ${t.width}×${t.height}`));
    box.append(show);
    try {
      const { head, data } = await app.ask({ op: "texture", ...app.place(), unit: t.unit, face: t.face, level: t.level });
      paint(canvas, head, data);
      show.addEventListener("click", () => app.showTexture(head, data));
    } catch (e) {
      show.append(el("span", { class: "none" }, e.message));
    }
    if (!box.contains(show)) return; // another draw was selected meanwhile
  }
}

export async function tablesPanel(app, box, draw) {
  const used = draw.tables.map((t, i) => [t, i]).filter(([t]) => t.used);
  box.replaceChildren(used.length ? "" : el("p", { class: "none" }, "All look-up tables hold 0."));
  for (const [t, i] of used) {
    const figure = el("figure", {}, el("figcaption", {}, t.name));
    box.append(figure);
    try {
      const { head } = await app.ask({ op: "table", ...app.place(), from: i });
      figure.append(head.values ? curve(t.name, head.values) : strip(t.name, head.words));
    } catch (e) {
      figure.append(el("p", { class: "none" }, e.message));
    }
    if (!box.contains(figure)) return;
  }
}

function curve(name, values) {
  const n = values.length;
  const points = values.map((v, i) => `${(i / (n - 1) * 256).toFixed(2)},${(100 - 100 * Number(v)).toFixed(2)}`).join(" ");
  return svg("svg", { viewBox: "-2 -4 260 108", role: "img", "aria-label": `${name}, from ${number(values[0])} to ${number(values[n - 1])}` },
    svg("path", { d: "M0 0H256M0 50H256M0 100H256M0 0V100M64 0V100M128 0V100M192 0V100M256 0V100", class: "grid" }), svg("polyline", { points, class: "curve" }));
}

function strip(name, words) {
  const c = el("canvas", { width: words.length, height: 1, class: "strip", role: "img", "aria-label": `${name}, ${words.length} colours` });
  const pixels = new Uint8ClampedArray(4 * words.length);
  words.forEach((w, i) => pixels.set([w & 255, w >> 8 & 255, w >> 16 & 255, 255], 4 * i));
  c.getContext("2d").putImageData(new ImageData(pixels, words.length, 1), 0, 0);
  return c;
}
