// The editor: coloured texts in tabs, with errors marked. Completions and explanations come from the language
// server.

import { el } from "./dom.js";

const WAIT = 200; // ms after a key or a move before the language server is asked
const MOST = 12; // completions shown at a time
const WORD = /[\w.!]*$/; // the text to complete

export class Editor {
  // root is the parent element; changed is called for every change of a text, with whether it was typed. ask(what,
  // texts, name, line, character) asks the language server, like lsp.Ask.
  constructor(root, changed, ask) {
    this.changed = changed;
    this.language = ask;
    this.files = {};
    this.name = "";
    this.problems = [];
    this.names = []; // kinds of names in the shown text, by line
    this.tabs = el("div", { class: "files", role: "tablist", "aria-label": "Texts" });
    this.gutter = el("div", { class: "gutter", "aria-hidden": "true" });
    this.marks = el("div", { class: "marks", "aria-hidden": "true" });
    this.list = el("div", { class: "choices", role: "listbox", id: "choices", "aria-label": "What can stand here", hidden: true });
    this.help = el("div", { class: "help", role: "status", id: "help-line" });
    this.area = el("textarea", {
      id: "text", class: "code", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      "aria-label": "Text", "aria-describedby": "problems help-line", "aria-controls": "choices", "aria-autocomplete": "list",
    });
    this.area.addEventListener("input", (e) => {
      this.files[this.name] = this.area.value;
      this.problems = this.problems.filter((p) => p.file !== this.name); // their positions have changed
      this.names = [];
      this.paint();
      this.changed(true);
      this.colour();
      if (e.inputType?.startsWith("insert") && /[\w.![]$/.test(this.before())) {
        this.narrow();
        this.offer();
      } else this.close();
    });
    this.area.addEventListener("scroll", () => this.scroll());
    this.area.addEventListener("keydown", (e) => this.key(e));
    this.area.addEventListener("blur", () => this.close());
    document.addEventListener("selectionchange", () => {
      if (document.activeElement === this.area) this.explain(this.caret());
    });
    this.area.addEventListener("pointermove", (e) => this.explain(this.under(e)));
    this.over = el("div", { class: "over" }, this.marks, this.area, this.list);
    root.append(this.tabs, el("div", { class: "editor", role: "tabpanel", id: "texts", "aria-label": "The text that is chosen" }, this.gutter, this.over), this.help);
    this.tabs.addEventListener("keydown", (e) => {
      const names = Object.keys(this.files), step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (!step) return;
      this.choose(names[(names.indexOf(this.name) + step + names.length) % names.length]);
      this.tabs.querySelector("[aria-selected=true]").focus();
    });
  }

  // show displays other texts.
  show(files, name) {
    this.files = { ...files };
    this.problems = [];
    this.choose(name in this.files ? name : Object.keys(this.files)[0]);
  }

  choose(name) {
    this.name = name;
    this.names = [];
    this.close();
    this.help.textContent = "";
    const coded = this.files[name].startsWith("base64,"); // a binary file
    this.area.value = coded ? `(a file of ${Math.floor((this.files[name].length - 7) * 0.75)} bytes, which is no text)` : this.files[name];
    this.area.readOnly = coded;
    this.area.setAttribute("aria-label", `Text of ${name}`);
    this.paint();
    this.scroll();
    this.colour();
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

  // mark shows problems: {file, line, column, length, severity}.
  mark(problems) {
    this.problems = problems;
    this.paint();
  }

  // shader reports whether the text is a source for the language server.
  get shader() { return this.name.endsWith(".pica"); }

  // query asks the language server about the shown text; null if another one is shown meanwhile.
  async query(what, line = 0, character = 0) {
    const { name } = this, text = this.area.value;
    if (!this.shader || !this.language) return null;
    try {
      const found = await this.language(what, this.files, name, line, character);
      return name === this.name && text === this.area.value ? found : null;
    } catch {
      return null; // the text is shown without colours of names
    }
  }

  // colour requests the kinds of names in the text.
  colour() {
    clearTimeout(this.colouring);
    this.colouring = setTimeout(async () => {
      const found = await this.query("semanticTokens");
      if (!found) return;
      this.names = [];
      for (let i = 0, line = 0, at = 0; i < found.data.length; i += 5) {
        const [down, right, length, type] = found.data.slice(i, i + 4);
        if (down) at = 0;
        line += down;
        at += right;
        (this.names[line] ??= []).push([at, length, found.types[type]]);
      }
      this.paint();
    }, WAIT);
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
    this.marks.replaceChildren(...lines.map((text, i) => el("div", {}, ...pieces(text, byLine.get(i + 1) || [], colours(text, this.shader, this.names[i] || [])), "\u200b")));
    this.scroll();
  }

  scroll() {
    this.gutter.scrollTop = this.area.scrollTop;
    this.marks.scrollTop = this.area.scrollTop;
    this.marks.scrollLeft = this.area.scrollLeft;
  }

  // go moves the caret to a position.
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

  // before is the caret's line up to the caret; caret is its position, {line, character}.
  before() { return this.area.value.slice(0, this.area.selectionStart).split("\n").at(-1); }

  caret() {
    const up = this.area.value.slice(0, this.area.selectionStart).split("\n");
    return { line: up.length - 1, character: up.at(-1).length };
  }

  // metrics are the width of a character and the height of a line.
  get metrics() {
    if (!this.wide) {
      const g = document.createElement("canvas").getContext("2d");
      g.font = getComputedStyle(this.area).font;
      this.wide = g.measureText("0".repeat(100)).width / 100;
    }
    return { wide: this.wide, high: 17 };
  }

  // under returns the text position under a pointer.
  under(e) {
    const box = this.area.getBoundingClientRect(), { wide, high } = this.metrics;
    const line = Math.floor((e.clientY - box.top - 4 + this.area.scrollTop) / high), column = (e.clientX - box.left - 8 + this.area.scrollLeft) / wide;
    const text = this.area.value.split("\n")[line] ?? "";
    let character = 0;
    for (let at = 0; character < text.length; character++) {
      at += text[character] === "\t" ? 4 - at % 4 : 1;
      if (at > column) break;
    }
    return { line, character };
  }

  // explain shows an explanation of the position below the text.
  explain({ line, character }) {
    clearTimeout(this.explaining);
    this.explaining = setTimeout(async () => {
      const found = await this.query("hover", line, character);
      this.help.textContent = found ? plain(found.contents.value).replace(/\s*\n\s*/g, "  ") : "";
    }, WAIT);
  }

  // offer shows the completions at the caret.
  async offer() {
    const { line, character } = this.caret();
    const found = await this.query("completion", line, character);
    if (!found || document.activeElement !== this.area) return;
    const [word] = WORD.exec(this.before());
    const choices = found.filter((c) => fits(c.label, word)).slice(0, MOST);
    this.close();
    if (!choices.length) return;
    this.list.replaceChildren(...choices.map((c, i) => el("div", { role: "option", id: "choice" + i, "data-label": c.label, onpointerdown: (e) => { e.preventDefault(); this.take(c.label); } }, el("b", {}, c.label), " ", c.detail || plain(c.documentation?.value ?? "").split("\n")[0].replace(c.label + " ", ""))));
    const { wide, high } = this.metrics;
    let column = 0;
    for (const c of this.before()) column += c === "\t" ? 4 - column % 4 : 1;
    this.list.hidden = false;
    const left = Math.min(8 + (column - word.length) * wide - this.area.scrollLeft, this.over.clientWidth - this.list.offsetWidth), top = 4 + (line + 1) * high - this.area.scrollTop;
    this.list.style.left = Math.max(0, left) + "px";
    this.list.style.top = (top + this.list.offsetHeight > this.over.clientHeight ? Math.max(0, top - high - this.list.offsetHeight) : top) + "px";
    this.pick(0);
  }

  // narrow keeps the completions that still match the word before the caret, until the answer for the current text
  // arrives.
  narrow() {
    const [word] = WORD.exec(this.before());
    for (const c of [...this.list.children]) if (!fits(c.dataset.label, word)) c.remove();
    if (!this.list.hidden && this.list.children.length) this.pick(0);
    else this.close();
  }

  pick(i) {
    const n = this.list.children.length;
    this.at = (i + n) % n;
    [...this.list.children].forEach((c, k) => c.setAttribute("aria-selected", String(k === this.at)));
    this.area.setAttribute("aria-activedescendant", "choice" + this.at);
  }

  // take replaces the word before the caret by a completion.
  take(label) {
    const end = this.area.selectionStart, [word] = WORD.exec(this.before()); // the word may have grown since
    this.area.setSelectionRange(end - word.length, end);
    this.close();
    // Inserted as if typed, so that the browser's own undo includes it.
    if (!document.execCommand("insertText", false, label)) {
      this.area.setRangeText(label, end - word.length, end, "end");
      this.area.dispatchEvent(new Event("input"));
    }
    this.close();
  }

  close() {
    this.list.hidden = true;
    this.area.removeAttribute("aria-activedescendant");
  }

  key(e) {
    if (e.key === " " && (e.ctrlKey || e.metaKey)) this.offer();
    else if (this.list.hidden) return;
    else if (e.key === "ArrowDown") this.pick(this.at + 1);
    else if (e.key === "ArrowUp") this.pick(this.at - 1);
    else if (e.key === "Enter" || e.key === "Tab") this.take(this.list.children[this.at].dataset.label);
    else if (e.key === "Escape") this.close();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }
}

const fits = (label, word) => label !== word && label.toLowerCase().startsWith(word.toLowerCase());

// diagnosticsOf converts the language server's diagnostics for mark.
export const diagnosticsOf = (found, file, text) => {
  const lines = text.split("\n");
  return found.map(({ range: { start, end }, severity, message }) => {
    const chars = (from, to) => [...(lines[start.line] ?? "").slice(from, to)].length;
    return { file, line: start.line + 1, column: chars(0, start.character) + 1, length: Math.max(1, chars(start.character, end.line > start.line ? undefined : end.character)), severity: severity === 1 ? "error" : "warning", text: message };
  });
};

// plain removes the marks of the language server's Markdown.
const plain = (text) => text.replace(/```\w*\n?/g, "").replace(/`/g, "").trim();

const worstOf = (problems) => (problems.some((p) => p.severity === "error") ? "error" : problems.length ? "warning" : "");

// Kinds of parts of a line; the first match counts.
const grammars = {
  shader: [["comment", /;.*/y], ["keyword", /(?<![\w\]])\.[a-z]\w*/y], ["number", /-?\b(?:0x[\da-f]+|\d+(?:\.\d+)?)\b/iy], ["register", /\b[vroicb]\d+\b(?:\.[xyzwrgba]+)?|\b(?:a0|cmp)\.[xy]+|\baL\b/y], ["string", /"[^"]*"/y], ["word", /[A-Za-z_]\w*/y]],
  scene: [["comment", /#.*/y], ["string", /"(?:[^"\\]|\\.)*"|'[^']*'/y], ["keyword", /[\w.-]+(?=\s*:(?:\s|$))/y], ["number", /-?\b\d+(?:\.\d+)?(?:e-?\d+)?\b|#[\da-f]{6,8}\b/iy], ["word", /[A-Za-z_][\w.-]*/y]],
};

// colours returns the kind of each character of a line, "" for none. names are the language server's: position,
// length, kind.
function colours(text, shader, names) {
  const out = new Array(text.length).fill("");
  let first = true; // the word that names the statement
  for (let at = 0; at < text.length;) {
    let end = at + 1, kind = "";
    for (const [name, form] of grammars[shader ? "shader" : "scene"]) {
      form.lastIndex = at;
      const found = form.exec(text);
      if (!found) continue;
      [end, kind] = [at + found[0].length, name];
      break;
    }
    if (shader && kind === "word") {
      kind = first && text[end] !== ":" ? "operation" : "";
      first = first && text[end] === ":";
    } else if (kind === "word") kind = "";
    out.fill(kind, at, end);
    at = end;
  }
  for (const [at, length, kind] of names) out.fill(kind, at, at + length);
  return out;
}

// pieces returns a line with colours and marked problems; overlapping problems are marked once. kinds count UTF-16
// units, problems characters.
function pieces(text, problems, kinds) {
  const wrong = new Array(text.length).fill("");
  const chars = [...text], at = (n) => chars.slice(0, n).join("").length;
  for (const p of problems) {
    const from = p.column > 0 ? at(p.column - 1) : 0, to = p.column > 0 ? at(p.column - 1 + p.length) : text.length;
    if (!wrong.slice(from, to).some(Boolean)) wrong.fill(p.severity, from, to);
  }
  const out = [];
  for (let i = 0, k; i < text.length; i = k) { // a marked part is one piece, whatever its colours
    for (k = i + 1; k < text.length && wrong[k] === wrong[i] && (wrong[i] || kinds[k] === kinds[i]);) k++;
    const part = text.slice(i, k);
    out.push(wrong[i] ? el("mark", { class: wrong[i] }, part) : kinds[i] ? el("span", { class: "t-" + kinds[i] }, part) : part);
  }
  return out;
}
