// The shader: its listing beside the values of a vertex, step by step.

import { el, hex, number, title } from "./dom.js";
import { edit } from "./edit.js";
import { Editor, problemsOf } from "./editor.js";
import { rowTable } from "./rows.js";

export async function shaderPanel(app, box, draw) {
  const keep = app.kept;
  keep.unit ||= "vertex";
  keep.vertex = Math.min(keep.vertex || 0, Math.max(draw.vertex_count - 1, 0));
  keep.breaks ||= new Set();
  const unit = el("select", { "aria-label": "Shader unit" }, ...["vertex", "geometry"].map((u) => el("option", { value: u, selected: u === keep.unit }, u)));
  unit.addEventListener("change", () => {
    keep.unit = unit.value;
    app.remember();
    shaderPanel(app, box, draw);
  });
  const geometry = keep.unit === "geometry";
  const what = geometry ? "Run" : "Vertex"; // geometry shaders are numbered by run
  const vertex = el("input", { type: "number", min: 0, max: geometry ? null : draw.vertex_count - 1, value: geometry ? keep.run || 0 : keep.vertex, "aria-label": what });
  const many = el("span", {}, geometry ? "" : `of ${draw.vertex_count}`);
  const body = el("div");
  box.replaceChildren(el("div", { class: "bar" }, el("label", {}, "Unit ", unit), el("label", {}, what + " ", vertex), many), body);
  let program;
  try {
    program = (await app.ask({ op: "program", ...app.place(), what: keep.unit }, "program")).head;
  } catch (e) {
    if (e.code !== "stopped") body.replaceChildren(el("p", { class: "none" }, e.message));
    return;
  }
  const run = new Run(app, body, program, many);
  vertex.addEventListener("change", () => {
    keep[geometry ? "run" : "vertex"] = Number(vertex.value);
    app.remember();
    run.start();
  });
  await run.start();
}

class Run {
  constructor(app, body, program, many) {
    Object.assign(this, { app, body, program, many, steps: [], at: -1, cursor: 0, run: {} });
    const button = (text, word, key, f) => el("button", { title: title(word) + key, "aria-label": title(word) + key, onclick: f }, text);
    const { words } = app;
    this.where = el("span", { role: "status", "aria-live": "polite" });
    this.bar = el("div", { class: "bar", role: "group", "aria-label": "Steps" },
      button("|◀", words.start, "", () => this.go(-1)), button("◀", words.back, " (b)", () => this.go(this.at - 1)),
      button("▶", words.forward, " (s)", () => this.go(this.at + 1)), button("▶|", words.stop, "", () => this.toBreak()), this.where);
    this.lines = program.lines.map((l) => this.line(l));
    this.listing = el("div", { class: "listing", role: "listbox", tabindex: 0, "aria-label": "Instructions: arrow keys go through them, Enter steps to one, space sets a breakpoint", onkeydown: (e) => this.key(e) }, ...this.lines);
    this.values = el("div", { class: "values" });
    this.text = el("div", { class: "listing text", role: "region", tabindex: 0, hidden: !program.assembled_from });
    body.replaceChildren(this.bar, el("div", { class: "split" }, this.listing, this.text, this.values), this.source(), this.uniforms());
    app.stepper = this;
  }

  line(l) {
    const text = el("span", { class: "text" }, l.text);
    const line = el("div", { id: "line" + l.pc, class: "line" + (l.findings ? " finding" : ""), role: "option", "aria-selected": "false", title: (l.findings || []).join("\n"), onclick: (e) => (e.target.classList.contains("break") ? this.stopAt(l.pc) : this.toLine(l.pc)) },
      el("span", { class: "break", title: `Breakpoint at ${hex(l.pc, 3)}` }), el("span", { class: "unseen" }), el("span", { class: "pc" }, l.pc.toString(16).padStart(3, "0")), text, el("span", { class: "result" }), l.findings ? el("span", { class: "mark", title: l.findings.join("\n") }, "⚠ " + l.findings[0]) : null);
    this.showStop(line, l.pc);
    const from = this.program.assembled_from?.lines[l.pc];
    if (from?.[1]) line.style.borderLeft = `4px solid ${colourOf(from)}`;
    return line;
  }

  // stopAt sets or removes a breakpoint.
  stopAt(pc) {
    const { breaks } = this.app.kept;
    if (!breaks.delete(pc)) breaks.add(pc);
    this.showStop(this.lines[pc], pc);
  }

  showStop(line, pc) {
    const on = this.app.kept.breaks.has(pc);
    line.classList.toggle("stops", on);
    line.querySelector(".unseen").textContent = on ? "breakpoint" : "";
  }

  async start() {
    const { app, program } = this;
    this.steps = [];
    this.at = -1;
    const geometry = app.kept.unit === "geometry";
    try {
      const { head } = await app.ask({ op: "run", ...app.place(), what: app.kept.unit, vertex: (geometry ? app.kept.run : app.kept.vertex) || 0, count: 65536 }, "run");
      if (geometry) this.many.textContent = `of ${head.runs}`;
      this.steps = head.steps;
      this.run = head;
      for (const l of this.lines) l.querySelector(".result").textContent = "";
      for (const s of head.steps) this.lines[s.pc].querySelector(".result").textContent = s.result || "";
      const ran = new Set(head.steps.map((s) => s.pc));
      for (const [pc, l] of this.lines.entries()) l.classList.toggle("ran", ran.has(pc));
    } catch (e) {
      if (e.code === "stopped") return;
      this.showLine(program.entry);
      this.show();
      this.where.textContent = e.message;
      return;
    }
    this.go(-1);
  }

  go(n) {
    this.at = Math.min(Math.max(n, -1), this.steps.length - 1);
    const s = this.steps[this.at];
    this.where.textContent = s ? s.where : this.run.begin;
    this.showLine(s ? s.pc : this.program.entry);
    this.show();
  }

  toBreak() {
    let n = this.at + 1;
    while (n < this.steps.length - 1 && !this.app.kept.breaks.has(this.steps[n].pc)) n++;
    this.go(n);
  }

  toLine(pc) {
    let n = this.steps.findIndex((s, i) => i > this.at && s.pc === pc);
    if (n < 0) n = this.steps.findIndex((s) => s.pc === pc);
    if (n >= 0) this.go(n);
  }

  // key moves through the listing, steps to a line, or sets its breakpoint.
  key(e) {
    if (e.target !== this.listing || !this.lines[this.cursor]) return;
    const to = { ArrowDown: this.cursor + 1, ArrowUp: this.cursor - 1, Home: 0, End: this.lines.length - 1 }[e.key];
    if (to !== undefined) {
      this.point(Math.min(Math.max(to, 0), this.lines.length - 1));
      this.lines[this.cursor].scrollIntoView({ block: "nearest" });
    } else if (e.key === "Enter") this.toLine(this.cursor);
    else if (e.key === " ") this.stopAt(this.cursor);
    else return;
    e.preventDefault();
  }

  point(pc) {
    this.lines[this.cursor]?.classList.remove("at");
    this.cursor = pc;
    this.lines[pc].classList.add("at");
    this.listing.setAttribute("aria-activedescendant", "line" + pc);
  }

  showLine(pc) {
    this.listing.querySelector(".now")?.setAttribute("aria-selected", "false");
    this.listing.querySelector(".now")?.classList.remove("now");
    const line = this.lines[pc];
    if (!line) return;
    this.point(pc);
    line.classList.add("now");
    line.setAttribute("aria-selected", "true");
    this.showSource(pc);
    const top = line.offsetTop; // relative to the listing
    if (top < this.listing.scrollTop + 40 || top > this.listing.scrollTop + this.listing.clientHeight - 60) this.listing.scrollTop = top - this.listing.clientHeight / 2;
  }

  // showSource marks the source line of an instruction.
  showSource(pc) {
    const from = this.program.assembled_from;
    if (!from) return;
    const [file, line] = from.lines[pc] || [0, 0];
    if (this.shownText !== file) {
      this.shownText = file;
      const used = new Set(from.lines.filter(([f]) => f === file).map(([, n]) => n));
      this.text.replaceChildren(...from.texts[file].text.split("\n").map((l, i) => {
        const row = el("div", { class: "line" }, el("span", { class: "pc" }, String(i + 1).padStart(4)), el("span", {}, l));
        row.style.borderLeft = `4px solid ${used.has(i + 1) ? colourOf([file, i + 1]) : "transparent"}`;
        return row;
      }));
      this.text.setAttribute("aria-label", `Source: ${from.texts[file].name}`);
    }
    this.text.querySelector(".now")?.classList.remove("now");
    const row = this.text.children[line - 1];
    if (!row) return;
    row.classList.add("now");
    this.text.scrollTop = row.offsetTop - this.text.clientHeight / 2;
  }

  // show lists the contents of all registers: the last value written to each.
  show() {
    const { given = {}, registers = [] } = this.run, values = new Map(Object.entries(given)), done = this.steps.slice(0, this.at + 1);
    for (const s of done) if (s.dst) values.set(s.dst, s.cells);
    const s = this.steps[this.at];
    const rows = registers.filter((n) => values.has(n)).map((n) => el("tr", { class: s?.dst === n ? "changed" : "" }, el("th", { scope: "row" }, n), ...values.get(n).map((x) => el("td", { class: "num" }, x))));
    const emitted = done.filter((x) => x.emit);
    this.values.replaceChildren(
      emitted.length ? el("details", { open: true }, el("summary", {}, emitted.at(-1).emitted), rowTable(emitted.slice(-16).flatMap((x) => x.row), undefined, "Emitted vertices")) : "",
      el("table", { "aria-label": "Registers" }, el("thead", {}, el("tr", {}, el("td"), ...["x", "y", "z", "w"].map((t) => el("th", { scope: "col" }, t)))), el("tbody", {}, ...rows)),
      el("dl", {}, ...(s?.rows || []).flatMap((r) => [el("dt", {}, r.label), el("dd", {}, r.text)])));
  }

  // source shows the program's source for editing.
  source() {
    const { app, program } = this, { unit } = app.kept, texts = program.assembled_from?.texts;
    const begin = texts?.length === 1 ? texts[0].text : program.source; // the listing if there is no single known source
    const name = texts?.length === 1 ? texts[0].name : unit + ".pica";
    const typed = app.kept.typed?.begin === begin ? app.kept.typed : app.kept.typed = { begin, text: begin };
    const said = el("p", { class: "none", role: "status" }, program.source_error);
    const box = el("details", { open: app.kept.editing, onkeydown: (e) => e.stopPropagation() }, el("summary", {}, "Change the program"));
    let editor, soon;
    const ask = async (what, files, of, line, character) => (await app.asker.transport({ op: "language", files, name: of, what, x: character, y: line })).head.found;
    const check = () => {
      clearTimeout(soon);
      soon = setTimeout(async () => {
        const { text } = typed;
        const found = await ask("diagnostics", editor.files, name, 0, 0).catch(() => []);
        if (text === typed.text) editor.mark(problemsOf(found, name, text), { [name]: text });
        said.textContent = found.map((d) => `line ${d.range.start.line + 1}: ${d.message}`).slice(0, 8).join("\n");
      }, 250);
    };
    const make = () => {
      app.kept.editing = box.open;
      if (!box.open || editor) return;
      editor = new Editor(box, () => {
        typed.text = editor.files[name];
        check();
      }, ask);
      box.append(el("div", { class: "bar" }, el("button", { onclick: async () => {
        said.textContent = "";
        try {
          const source = typed.text;
          app.kept.typed = { begin: source, text: source }; // the program is now assembled from it
          await app.tryEdit({ shader: unit, source });
        } catch (e) {
          app.kept.typed = typed;
          said.textContent = e.message;
        }
      } }, "Run the frame with it"), el("button", { onclick: () => {
        editor.put(name, begin);
      } }, "As it was"), el("button", { title: "Indents and aligns it (Shift+Alt+F)", onclick: () => editor.format() }, "Format")), said);
      editor.show({ [name]: typed.text }, name);
      check();
    };
    box.addEventListener("toggle", make);
    if (box.open) make();
    return box;
  }

  uniforms() {
    const { app, program } = this;
    const cell = (name, v, i) => {
      const button = el("button", { class: "link", "data-key": `${name} ${i}`, title: "Change it and see", "aria-label": `${name}, component ${"xyzw"[i]}: ${number(v[i])}` }, number(v[i]));
      button.addEventListener("click", () => edit(button, { label: `New value of ${name}.${"xyzw"[i]}`, value: String(v[i]), expected: name[0] === "i" ? "0 to 255" : "a number" },
        (text) => app.tryEdit({ shader: app.kept.unit, uniform: name, text: v.map((x, k) => (k === i ? text : x)).join(",") })));
      return el("td", { class: "num" }, button);
    };
    const row = (name, v) => el("tr", {}, el("th", { scope: "row" }, name), ...v.map((_, i) => cell(name, v, i)));
    const flag = (i) => {
      const box = el("input", { type: "checkbox", "data-key": "b" + i });
      box.checked = program.bools >> i & 1;
      box.addEventListener("change", () => app.addEdit({ shader: app.kept.unit, uniform: "b" + i, text: String(box.checked) }));
      return el("label", {}, box, "b" + i, " ");
    };
    const all = app.kept.allUniforms || false;
    const used = (v) => all || v.some((x) => x !== 0);
    const list = el("table", {}, el("tbody", {}, ...program.floats.map((v, i) => used(v) && row("c" + i, v)).filter(Boolean), ...program.ints.map((v, i) => used(v) && row("i" + i, v)).filter(Boolean)));
    const zeros = el("input", { type: "checkbox" });
    zeros.checked = all;
    const box = el("details", { open: app.kept.uniforms, ontoggle: (e) => { app.kept.uniforms = e.target.open; } }, el("summary", {}, "Uniforms"),
      el("label", {}, zeros, "also those that are 0"), list, el("div", {}, ...[...Array(16).keys()].map(flag)));
    zeros.addEventListener("change", () => {
      app.kept.allUniforms = zeros.checked;
      box.replaceWith(this.uniforms());
    });
    return box;
  }
}

// colourOf returns the colour of a source line and its instructions.
const colourOf = ([file, line]) => `hsl(${(file * 71 + line * 137.5) % 360} 65% 50%)`;
