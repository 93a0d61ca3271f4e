// The editor: texts in tabs, each with its own history, in CodeMirror. Completions, explanations, names and formatting
// come from the language server.

import { cm } from "./codemirror.js";
import { el } from "./dom.js";

const { Decoration, EditorState, EditorView, Prec, StateEffect, StateField } = cm;

const WAIT = 200; // ms after a key or a move before the language server is asked
const MOST = 200; // problems that are marked
const KEYS = "Tab indents (Esc Tab leaves), Ctrl+Space completes, Ctrl+F searches, Ctrl+/ comments, F8: next problem, Ctrl+.: fix.";

export class Editor {
  // root is the parent element; changed is called after every change of a text. ask(what, texts, name, line, character)
  // asks the language server, like lsp.Ask. scene completes and explains scenes; null if there are none.
  constructor(root, changed, ask, scene = null) {
    Object.assign(this, { changed, language: ask, scene, texts: {}, name: "", worst: {}, removed: null });
    this.tabs = el("div", { class: "files", role: "tablist", "aria-label": "Texts", onkeydown: (e) => this.key(e) });
    this.help = el("div", { class: "help", role: "status", id: "help-line" });
    const box = el("div", { class: "editor", role: "tabpanel", id: "texts", "aria-label": "The text that is chosen" });
    root.append(this.tabs, box, this.help);
    this.view = new EditorView({ parent: box });
  }

  // state returns the first state of a text.
  state(name, text) {
    const coded = text.startsWith("base64,"); // a binary file
    const doc = coded ? `(a file of ${Math.floor((text.length - 7) * 0.75)} bytes, which is no text)` : text;
    return EditorState.create({ doc, extensions: [
      EditorState.lineSeparator.of(/\r\n/.test(text) && !/(^|[^\r])\n/.test(text) ? "\r\n" : "\n"), // as it is, exactly
      EditorState.readOnly.of(coded),
      EditorView.contentAttributes.of(() => ({ id: "text", tabindex: "0", "aria-label": `Text of ${name}`, "aria-describedby": "problems help-line", "aria-invalid": String(this.worst[name] === "error") })),
      EditorView.updateListener.of((u) => this.updated(u)),
      EditorView.domEventHandlers({ beforeinput: typeOver }),
      ...name.endsWith(".pica") ? [shaderLanguage, names, cm.indentUnit.of("\t")] : name.endsWith(".yaml") ? [cm.yamlLanguage, inScenes, numbers, cm.indentUnit.of("  ")] : [],
      cm.hoverTooltip(async (view, pos) => {
        const about = await this.about(pos);
        return about && { pos, above: true, create: () => ({ dom: el("div", { class: "cm-about" }, about) }) };
      }),
      Prec.highest(cm.keymap.of([{ key: "Enter", run: leaveWhole }, { key: "Tab", run: leaveWhole }, { key: "Tab", run: cm.acceptCompletion }])),
      cm.autocompletion({ override: [(at) => this.complete(at)], icons: false }),
      ...common,
      cm.keymap.of([{ key: "Shift-Alt-f", run: () => { this.format(); return true; } }, { key: "Mod-.", run: fix }]),
    ] });
  }

  // files are the texts by name.
  get files() {
    return Object.fromEntries(Object.entries(this.texts).map(([name, t]) => [name, t.coded ?? this.stateOf(name).sliceDoc()]));
  }

  stateOf(name) { return name === this.name ? this.view.state : this.texts[name].state; }

  // show displays other texts.
  show(files, name) {
    this.texts = {};
    this.worst = {};
    this.name = "";
    this.removed = null;
    for (const [n, text] of Object.entries(files)) this.add(n, text);
    this.choose(name in files ? name : Object.keys(files)[0]);
  }

  add(name, text) { this.texts[name] = { state: this.state(name, text), coded: text.startsWith("base64,") ? text : null }; }

  choose(name) {
    const last = this.texts[this.name];
    if (last && name !== this.name) Object.assign(last, { state: this.view.state, scroll: this.view.scrollSnapshot() });
    const { state, scroll } = this.texts[name];
    if (name !== this.name) {
      this.name = name;
      this.view.setState(state);
      if (scroll) this.view.dispatch({ effects: scroll });
    }
    this.help.textContent = KEYS;
    this.paint();
    this.colour();
    this.chosen?.();
  }

  // put adds a text. One with the same name gets the new words, which can be undone.
  put(name, text) {
    if (name in this.texts && !this.texts[name].coded && !text.startsWith("base64,")) {
      this.choose(name);
      this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: this.view.state.toText(text) }, userEvent: "input.paste" });
      return;
    }
    if (name === this.name) this.name = ""; // its state is not kept
    this.add(name, text);
    this.choose(name);
    this.changed();
  }

  // drop removes the shown text, until undo.
  drop() {
    const { name } = this;
    this.removed = { name, ...this.texts[name], state: this.view.state };
    delete this.texts[name];
    delete this.worst[name];
    this.name = "";
    this.choose(Object.keys(this.texts)[0]);
    this.changed();
  }

  get undoes() { return Boolean(this.removed) || cm.undoDepth(this.view.state) > 0; }
  get redoes() { return cm.redoDepth(this.view.state) > 0; }

  // undo brings a removed text back, or undoes the last change of the shown text.
  undo() {
    if (!this.removed) return cm.undo(this.view);
    const { name, ...text } = this.removed;
    this.removed = null;
    this.texts[name] = text;
    this.choose(name);
    this.changed();
  }

  redo() { cm.redo(this.view); }

  focus() { this.view.focus(); }

  // mark shows problems: {file, line, column, length, severity, text}. files are the texts in which they were found.
  mark(problems, files) {
    for (const name of Object.keys(this.texts)) {
      const state = this.stateOf(name), mine = problems.filter((p) => p.file === name);
      if (!this.texts[name].coded && files[name] !== state.sliceDoc()) continue; // it was changed since
      this.worst[name] = worstOf(mine);
      const found = cm.setDiagnostics(state, mine.filter((p) => p.line > 0 && p.line <= state.doc.lines).slice(0, MOST).map((p) => (
        { ...rangeOf(state.doc, p), severity: p.severity, message: p.text + (p.expected ? `; expected ${p.expected}` : "") + (p.hint ? ` – ${p.hint}` : ""),
          actions: p.instead ? [{ name: `Replace with ${p.instead}`, apply: (view, from, to) => view.dispatch({ changes: { from, to, insert: p.instead }, userEvent: "input.fix" }) }] : [] })));
      if (name === this.name) this.view.dispatch(found);
      else this.texts[name].state = state.update(found).state;
    }
    this.paint();
  }

  // updated reacts to a change of the shown state.
  updated(u) {
    if (u.docChanged) {
      this.removed = null;
      this.changed();
      this.colour();
    }
    if (u.docChanged || u.selectionSet) this.explain();
  }

  // query asks the language server about the shown text; null if it has changed meanwhile, unless its answer may be late.
  async query(what, pos = 0, late = false) {
    const { name, language } = this, { doc } = this.view.state, line = doc.lineAt(pos);
    if (!name.endsWith(".pica") || !language) return null;
    try {
      const found = await language(what, this.files, name, line.number - 1, pos - line.from);
      return name === this.name && (late || doc === this.view.state.doc) ? found : null;
    } catch {
      return null; // the text is shown without its help
    }
  }

  // colour requests the kinds of names in the text.
  colour() {
    clearTimeout(this.colouring);
    this.colouring = setTimeout(async () => {
      const found = await this.query("semanticTokens");
      if (found) this.view.dispatch({ effects: setNames.of(namesOf(this.view.state.doc, found)) });
    }, WAIT);
  }

  // about returns what is known about a position.
  async about(pos) {
    if (this.scene && this.name.endsWith(".yaml")) return this.scene.about(this.view.state, pos);
    const found = await this.query("hover", pos);
    return found ? plain(found.contents.value) : null;
  }

  // explain tells about the caret's position below the text.
  explain() {
    clearTimeout(this.explaining);
    this.explaining = setTimeout(async () => {
      const { doc } = this.view.state, about = await this.about(this.view.state.selection.main.head);
      if (doc === this.view.state.doc) this.help.textContent = about?.replace(/\s*\n\s*/g, "  ") ?? KEYS;
    }, WAIT);
  }

  // complete returns what can stand at a position, for CodeMirror.
  async complete(at) {
    if (this.scene && this.name.endsWith(".yaml")) return this.scene.complete(at);
    const word = at.matchBefore(/[\w.!]*/);
    if (!at.explicit && word.from === at.pos && at.matchBefore(/\[/) === null) return null;
    const found = await this.query("completion", at.pos, true); // CodeMirror brings it up to what was typed since
    return found && offer(word.from, word.text, found.map((c) => ({ label: c.label, detail: c.detail, info: c.documentation && plain(c.documentation.value) })));
  }

  // format formats the shown shader.
  async format() {
    const [edit] = await this.query("formatting") ?? [], { doc } = this.view.state, changes = [];
    if (!edit) return;
    const lines = edit.newText.split("\n"); // the answer is the whole text; lines that differ are changed
    for (let n = 1; n <= Math.min(doc.lines, lines.length); n++) {
      const { from, to, text } = doc.line(n);
      if (text !== lines[n - 1]) changes.push({ from, to, insert: lines[n - 1] });
    }
    if (lines.length < doc.lines) changes.push({ from: doc.line(lines.length).to, to: doc.length });
    else if (lines.length > doc.lines) changes.push({ from: doc.length, insert: this.view.state.toText("\n" + lines.slice(doc.lines).join("\n")) });
    this.view.dispatch({ changes, userEvent: "input.format" });
  }

  // go moves the caret to a problem.
  go(p) {
    if (p.file in this.texts) this.choose(p.file);
    const { doc } = this.view.state, { from, to } = rangeOf(doc, { ...p, line: Math.min(Math.max(p.line, 1), doc.lines) });
    this.view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.focus();
  }

  // correct goes to a problem and does what it offers.
  correct(p) {
    this.go(p);
    fix(this.view);
  }

  // paint shows the tabs.
  paint() {
    const now = JSON.stringify([Object.keys(this.texts), this.name, this.worst]);
    if (now === this.painted) return;
    this.painted = now;
    const held = this.tabs.contains(document.activeElement);
    this.tabs.replaceChildren(...Object.keys(this.texts).map((name) => {
      const worst = this.worst[name];
      return el("button", {
        role: "tab", "aria-selected": String(name === this.name), "aria-controls": "texts", tabindex: name === this.name ? 0 : -1,
        class: worst, onclick: () => this.choose(name),
      }, name, worst ? el("span", { class: "flag", role: "img", "aria-label": " " + worst }, worst === "error" ? " ✖" : " ⚠") : null);
    }));
    if (held) this.tabs.querySelector("[aria-selected=true]").focus();
  }

  // key chooses the next tab.
  key(e) {
    const list = Object.keys(this.texts), step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (!step) return;
    this.choose(list[(list.indexOf(this.name) + step + list.length) % list.length]);
    this.tabs.querySelector("[aria-selected=true]").focus();
  }
}

// offer makes an answer for CodeMirror of completions of a word. Those that fit stay while the word grows; a word that
// is whole already comes first.
export function offer(from, word, all) {
  const fit = (w) => all.filter((c) => c.label.toLowerCase().startsWith(w.toLowerCase())).sort((a, b) => (b.label === w) - (a.label === w));
  const options = fit(word);
  if (!options.length || (options.length === 1 && options[0].label === word)) return null;
  return { from, options, filter: false, update: (now, start, end, at) => offer(start, at.state.sliceDoc(start, end), all) };
}

// leaveWhole closes the list if the chosen completion is the word that is there already: the key is the text's.
function leaveWhole(view) {
  const chosen = cm.selectedCompletion(view.state), { head } = view.state.selection.main;
  if (chosen && view.state.sliceDoc(head - chosen.label.length, head).toLowerCase() === chosen.label.toLowerCase()) cm.closeCompletion(view);
  return false;
}

// typeOver replaces the selection by what is typed. Chromium keeps the looks of what it replaces, as an inline style, which the
// page's Content-Security-Policy refuses.
function typeOver(e, view) {
  const { from, to, empty } = view.state.selection.main, { inputType, data, isComposing } = e;
  if (inputType !== "insertText" || !data || isComposing || view.composing || empty || view.state.readOnly) return false;
  const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
  if (!view.state.facet(EditorView.inputHandler).some((one) => one(view, from, to, data, insert))) view.dispatch(insert());
  e.preventDefault();
  return true;
}

// tab inserts an indentation at the caret, or indents the chosen lines.
function tab(view) {
  if (!view.state.selection.main.empty) return cm.indentMore(view);
  view.dispatch(view.state.replaceSelection(view.state.facet(cm.indentUnit)), { userEvent: "input.indent", scrollIntoView: true });
  return true;
}

// fix does what the first problem at the caret offers.
function fix(view) {
  const { head } = view.state.selection.main;
  let done = false;
  cm.forEachDiagnostic(view.state, (d, from, to) => {
    if (done || head < from || head > to || !d.actions?.length) return;
    done = true;
    d.actions[0].apply(view, from, to);
  });
  return done;
}

// rangeOf returns the part of a text that a problem is about. Problems count characters, CodeMirror UTF-16 units.
function rangeOf(doc, p) {
  const line = doc.line(p.line), text = [...line.text], at = (n) => line.from + text.slice(0, n).join("").length;
  return p.column > 0 ? { from: at(p.column - 1), to: at(p.column - 1 + p.length) } : { from: line.from, to: line.to };
}

// problemsOf converts the language server's diagnostics for mark.
export const problemsOf = (found, file, text) => {
  const lines = text.split("\n");
  return found.map(({ range: { start, end }, severity, message, data: instead }) => {
    const chars = (from, to) => [...(lines[start.line] ?? "").slice(from, to)].length;
    return { file, line: start.line + 1, column: chars(0, start.character) + 1, length: Math.max(1, chars(start.character, end.line > start.line ? undefined : end.character)), severity: severity === 1 ? "error" : "warning", text: message, instead };
  });
};

// plain removes the marks of the language server's Markdown.
const plain = (text) => text.replace(/```\w*\n?/g, "").replace(/`/g, "").trim();

const worstOf = (problems) => (problems.some((p) => p.severity === "error") ? "error" : problems.length ? "warning" : "");

// Kinds of parts of a line of a shader; the first match counts.
const parts = [["comment", /^;.*/], ["keyword", /^\.[a-z]\w*/i], ["number", /^-?(?:0x[\da-f]+|\d+(?:\.\d+)?)\b/i], ["register", /^(?:[vroicb]\d+\b(?:\.[xyzwrgba]+)?|(?:a0|cmp)\.[xy]+|aL\b)/], ["string", /^"[^"]*"/], ["word", /^[A-Za-z_]\w*(?:\.\w+)*/]];

const shaderLanguage = cm.StreamLanguage.define({
  name: "pica",
  startState: () => ({ first: true, depth: 0, array: false }), // first: the word that names the statement follows
  token(stream, s) {
    if (stream.sol()) s.first = true;
    if (stream.eatSpace()) return null;
    for (const [kind, form] of parts) {
      if (!stream.match(form)) continue;
      const word = stream.current(), label = kind === "word" && stream.peek() === ":", name = s.first && !label;
      if (kind === "comment" || label) return kind === "comment" ? kind : null;
      s.first = false;
      if (name) step(s, word.toLowerCase(), stream.string.slice(stream.pos));
      return kind === "word" ? (name ? "operation" : null) : kind;
    }
    stream.next();
    return null;
  },
  // As formatting indents: a tab for a block, labels at the margin.
  indent: (s, after, at) => (/^\s*\w+:/.test(after) ? 0 : Math.max(0, s.depth - /^\s*\.(end|else)\b/i.test(after)) * at.unit),
  tokenTable: { register: cm.tags.macroName, operation: cm.tags.operatorKeyword },
  languageData: { commentTokens: { line: ";" }, indentOnInput: /^\s*\.(end|else)$/i, closeBrackets: { brackets: ["(", "[", '"'] } },
});

// step follows the blocks of a shader, like asm.Format.
function step(s, name, rest) {
  if ([".proc", "for", "ifu", "ifc"].includes(name) || (name === ".constfa" && !s.array && !/^\s*\(/.test(rest))) {
    s.depth++;
    s.array = name === ".constfa";
  } else if (name === ".end" && s.depth > 0) {
    s.depth--;
    s.array = false;
  }
}

const highlighter = cm.tagHighlighter([
  { tag: cm.tags.comment, class: "t-comment" }, { tag: [cm.tags.keyword, cm.tags.propertyName], class: "t-keyword" }, { tag: cm.tags.number, class: "t-number" },
  { tag: cm.tags.macroName, class: "t-register" }, { tag: cm.tags.string, class: "t-string" }, { tag: cm.tags.operatorKeyword, class: "t-operation" },
]);

// Names as the language server tells them.
const setNames = StateEffect.define(), kinds = {};
const names = StateField.define({
  create: () => Decoration.none,
  update: (now, tr) => tr.effects.reduce((n, e) => (e.is(setNames) ? e.value : n), now.map(tr.changes)),
  provide: (field) => EditorView.decorations.from(field),
});

function namesOf(doc, { data, types }) {
  const out = [];
  for (let i = 0, line = 0, at = 0; i < data.length; i += 5) {
    const [down, right, length, type] = data.slice(i, i + 4), kind = types[type];
    if (down) at = 0;
    line += down;
    at += right;
    if (line < doc.lines) out.push((kinds[kind] ??= Decoration.mark({ class: "t-" + kind })).range(doc.line(line + 1).from + at, doc.line(line + 1).from + at + length));
  }
  return Decoration.set(out);
}

// A new line of a scene stands below the last one, or inside of it.
const inScenes = cm.indentService.of((at, pos) => {
  const { text, from } = at.lineAt(pos, -1), [lead] = /^(?: |- +)*/.exec(text);
  return from === pos ? undefined : lead.length + (/[:[{]\s*$|:\s+[|>][-+]?\s*$/.test(text) ? at.unit : 0);
});

// Numbers of scenes, which the grammar of YAML does not tell from words.
const number = Decoration.mark({ class: "t-number" });
const finder = new cm.MatchDecorator({
  regexp: /(?<![\w.-])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])/g,
  decorate: (add, from, to, match, view) => { if (cm.syntaxTree(view.state).resolveInner(from, 1).name === "Literal") add(from, to, number); },
});
const numbers = cm.ViewPlugin.define((view) => ({
  found: finder.createDeco(view),
  update(u) { this.found = cm.syntaxTree(u.startState) === cm.syntaxTree(u.state) ? finder.updateDeco(u, this.found) : finder.createDeco(u.view); },
}), { decorations: (v) => v.found });

// What all texts have. Colours are those of the page.
const mono = { font: "12px/17px ui-monospace, monospace" };
const line = "1px solid var(--line)";
const common = [
  cm.lineNumbers(), cm.lintGutter(), cm.highlightSpecialChars(), cm.highlightActiveLine(), cm.history(), cm.bracketMatching(), cm.closeBrackets(), cm.indentOnInput(),
  cm.syntaxHighlighting(highlighter), cm.highlightSelectionMatches(), cm.search({ top: true }), EditorState.tabSize.of(4),
  cm.keymap.of([...cm.closeBracketsKeymap, ...cm.searchKeymap, ...cm.historyKeymap, ...cm.completionKeymap, ...cm.lintKeymap, { key: "Tab", run: tab, shift: cm.indentLess }, { key: "Mod-Shift-z", run: cm.redo }, ...cm.defaultKeymap]),
  EditorView.theme({
    "&": { height: "100%", backgroundColor: "var(--paper)", color: "var(--front)" },
    "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
    ".cm-scroller": { ...mono, overflow: "auto" },
    ".cm-content": { caretColor: "var(--front)" },
    ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--soft)", borderRight: line },
    ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--chosen) 28%, transparent)" },
    ".cm-selectionMatch, .cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 18%, transparent)" },
    ".cm-searchMatch.cm-searchMatch-selected": { backgroundColor: "color-mix(in srgb, var(--accent) 45%, transparent)" },
    "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--chosen)", outline: "1px solid var(--accent)" },
    "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "color-mix(in srgb, var(--bad) 22%, transparent)" },
    ".cm-lintRange": { backgroundImage: "none", paddingBottom: 0 },
    ".cm-lintRange-warning": { borderBottom: "2px solid var(--mark)" },
    ".cm-lintRange-error": { borderBottom: "2px solid var(--bad)", backgroundColor: "color-mix(in srgb, var(--bad) 22%, transparent)" },
    ".cm-tooltip, .cm-panels": { backgroundColor: "var(--back)", color: "var(--front)", border: line },
    ".cm-tooltip": { borderRadius: "4px", maxWidth: "min(40em, 90vw)" },
    ".cm-diagnosticAction": { font: "inherit", minHeight: "24px" },
    ".cm-about, .cm-diagnostic": { padding: "3px 8px", whiteSpace: "pre-wrap", overflowWrap: "anywhere" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul": { ...mono, maxHeight: "22em" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px", minHeight: "24px", color: "var(--soft)" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--chosen)", color: "var(--front)" },
    ".cm-completionLabel": { color: "var(--front)" },
    ".cm-completionDetail": { fontStyle: "normal", marginLeft: "1em" },
    ".cm-completionInfo": { whiteSpace: "pre-wrap" },
    ".cm-panel.cm-search": { padding: "4px 8px" },
    ".cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label": { fontSize: "13px", backgroundImage: "none" },
    ".cm-panel.cm-search button[name=close]": { width: "24px" },
    ".cm-textfield, .cm-button": { color: "inherit", backgroundColor: "var(--paper)", border: line },
  }),
];
