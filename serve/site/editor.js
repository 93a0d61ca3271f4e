// The editor: texts in tabs, with the places of what is wrong marked in them.

import { el } from "./dom.js";

export class Editor {
  // root is where it stands, changed is told of every change of a text, and whether it was
  // typed.
  constructor(root, changed) {
    this.changed = changed;
    this.files = {};
    this.name = "";
    this.problems = [];
    this.tabs = el("div", { class: "files", role: "tablist", "aria-label": "Texts" });
    this.gutter = el("div", { class: "gutter", "aria-hidden": "true" });
    this.marks = el("div", { class: "marks", "aria-hidden": "true" });
    this.area = el("textarea", {
      id: "text", class: "code", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      "aria-label": "Text", "aria-describedby": "problems",
    });
    this.area.addEventListener("input", () => {
      this.files[this.name] = this.area.value;
      this.problems = this.problems.filter((p) => p.file !== this.name); // their places have moved
      this.paint();
      this.changed(true);
    });
    this.area.addEventListener("scroll", () => this.scroll());
    root.append(this.tabs, el("div", { class: "editor", role: "tabpanel", id: "texts", "aria-label": "The text that is chosen" }, this.gutter, el("div", { class: "over" }, this.marks, this.area)));
    this.tabs.addEventListener("keydown", (e) => {
      const names = Object.keys(this.files), step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (!step) return;
      this.choose(names[(names.indexOf(this.name) + step + names.length) % names.length]);
      this.tabs.querySelector("[aria-selected=true]").focus();
    });
  }

  // show takes other texts.
  show(files, name) {
    this.files = { ...files };
    this.problems = [];
    this.choose(name in this.files ? name : Object.keys(this.files)[0]);
  }

  choose(name) {
    this.name = name;
    this.area.value = this.files[name];
    this.area.setAttribute("aria-label", `Text of ${name}`);
    this.paint();
    this.scroll();
  }

  put(name, text) {
    this.files[name] = text;
    this.choose(name);
    this.changed(false);
  }

  drop(name) {
    delete this.files[name];
    this.choose(Object.keys(this.files)[0]);
    this.changed(false);
  }

  // mark takes what is wrong: {file, line, column, length, severity}.
  mark(problems) {
    this.problems = problems;
    this.paint();
  }

  paint() {
    const held = this.tabs.contains(document.activeElement);
    this.tabs.replaceChildren(...Object.keys(this.files).map((name) => {
      const worst = worstOf(this.problems.filter((p) => p.file === name));
      return el("button", {
        role: "tab", "aria-selected": String(name === this.name), "aria-controls": "texts", tabindex: name === this.name ? 0 : -1,
        class: worst, onclick: () => this.choose(name),
      }, name, worst ? el("span", { class: "flag", role: "img", "aria-label": " " + worst }, worst === "error" ? " ✖" : " ⚠") : null);
    }));
    if (held) this.tabs.querySelector("[aria-selected=true]").focus();
    this.area.setAttribute("aria-invalid", String(worstOf(this.problems.filter((p) => p.file === this.name)) === "error"));
    const lines = this.area.value.split("\n");
    const here = this.problems.filter((p) => p.file === this.name && p.line > 0 && p.line <= lines.length);
    const byLine = Map.groupBy ? Map.groupBy(here, (p) => p.line) : here.reduce((m, p) => m.set(p.line, [...(m.get(p.line) || []), p]), new Map());
    this.gutter.replaceChildren(...lines.map((_, i) => {
      const list = byLine.get(i + 1);
      return el("div", { class: list ? worstOf(list) : "", title: list ? list.map((p) => p.text).join("\n") : "" }, String(i + 1));
    }));
    this.marks.replaceChildren(...lines.map((text, i) => el("div", {}, ...pieces([...text], byLine.get(i + 1) || []), "\u200b")));
    this.scroll();
  }

  scroll() {
    this.gutter.scrollTop = this.area.scrollTop;
    this.marks.scrollTop = this.area.scrollTop;
    this.marks.scrollLeft = this.area.scrollLeft;
  }

  // go puts the caret to a place.
  go(p) {
    if (p.file in this.files && p.file !== this.name) this.choose(p.file);
    const lines = this.area.value.split("\n");
    const line = Math.min(Math.max(p.line, 1), lines.length);
    const text = [...lines[line - 1]];
    const start = text.slice(0, Math.max(p.column - 1, 0)).join("").length;
    const from = lines.slice(0, line - 1).reduce((n, l) => n + l.length + 1, 0) + start;
    const length = p.column > 0 ? text.slice(p.column - 1, p.column - 1 + p.length).join("").length : lines[line - 1].length;
    this.area.focus();
    this.area.setSelectionRange(from, from + length);
    const height = this.area.scrollHeight / lines.length;
    if (line * height < this.area.scrollTop || line * height > this.area.scrollTop + this.area.clientHeight) this.area.scrollTop = (line - 5) * height;
    this.scroll();
  }
}

const worstOf = (problems) => (problems.some((p) => p.severity === "error") ? "error" : problems.length ? "warning" : "");

// pieces gives a line with what is wrong in it marked; what overlaps is marked once.
function pieces(text, problems) {
  const out = [];
  let at = 0;
  for (const p of [...problems].sort((a, b) => a.column - b.column)) {
    const from = p.column > 0 ? p.column - 1 : 0;
    const end = Math.min(p.column > 0 ? from + p.length : text.length, text.length);
    if (from < at || end <= from) continue;
    out.push(text.slice(at, from).join(""), el("mark", { class: p.severity }, text.slice(from, end).join("")));
    at = end;
  }
  out.push(text.slice(at).join(""));
  return out;
}
