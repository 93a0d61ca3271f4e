// The debugger: the selection, and the parts that show it.

import { byId, el } from "./dom.js";
import { Asker, more, ofPage, overHTTP, overWorker } from "./net.js";
import { Tree, terms } from "./tree.js";
import { Thumbs } from "./thumbs.js";
import { Timeline } from "./timeline.js";
import { Picture } from "./picture.js";
import { changesPanel, combinersPanel, statePanel, tablesPanel, texturesPanel } from "./state.js";
import { shaderPanel } from "./shader.js";
import { meshPanel } from "./mesh.js";
import { pixelPanel } from "./pixel.js";
import { comparePanel, otherOf } from "./compare.js";
import { rowTable } from "./rows.js";
import { divide } from "./divider.js";
import { offerExport } from "./export.js";
import { startSite } from "./opener.js";
import { withKept } from "./kept.js";

// Panels by their names in the address and on their tabs. The last column marks those that show something without
// a draw and request it themselves.
const panels = [
  ["state", "State", statePanel], ["changes", "Changes", changesPanel], ["combiners", "Combiners", combinersPanel], ["textures", "Textures", texturesPanel],
  ["tables", "Tables", tablesPanel], ["mesh", "Mesh", meshPanel], ["shader", "Shader", shaderPanel], ["pixel", "Pixel", pixelPanel, true],
  ["compare", "Compare", comparePanel, true],
];

const pictures = [
  ["Target", { after: "after it", before: "before it", added: "what it changed", alone: "the draw alone", depth: "depth", "depth-before": "depth before it", stencil: "stencil", "stencil-before": "stencil before it" }],
  ["Screens", { screens: "both screens", top: "top screen", bottom: "bottom screen", topright: "top screen, right eye" }],
  ["On the way to the colour", { "vertex-color": "vertex colours", ...numbered("texture", 4, "texture unit"), "light-primary": "primary light", "light-secondary": "secondary light", ...numbered("stage", 6, "combiner stage"),
    normal: "normals", wireframe: "wireframe", overdraw: "overdraw of the draw", "overdraw-frame": "overdraw of the frame", coverage: "covered blocks" }],
  ["Modes", { gas: "density of gas", shadow: "shadow" }],
  ["Compared (9)", { other: "the other", difference: "the difference" }],
];
const TEXTURE = "texture shown"; // exists while a texture of the draw is shown
const ofScreens = Object.keys(pictures[1][1]), screens = ofScreens.slice(1);

// Items that write memory without being draws, and their pictures.
const STEP = 400; // ms; positions that follow sooner share a history entry
const moves = ["fill", "transfer", "copy"];
const shows = {
  draw: () => true,
  move: (what) => ["after", "before", "added"].includes(what) || ofScreens.includes(what),
  end: (what) => ofScreens.includes(what),
  start: () => false,
};

class App {
  constructor(transport) {
    this.at = { file: 0, frame: 0, draw: -1, move: null };
    this.kept = {}; // panels keep data here from draw to draw
    this.registers = new Map();
    this.changes = new Map(); // edits, by file and frame
    this.draws = 0;
    this.views = { draw: "after", move: "after", end: "screens", start: "after" }; // the selected picture for each kind of item
    this.panel = "state";
    this.asker = new Asker(transport, (n) => {
      byId("busy").textContent = n > 0 ? "working …" : "";
      clearTimeout(this.slow);
      byId("far").textContent = "";
      if (n > 0) this.slow = setTimeout(() => this.tellFar(), 500);
      else byId("stop").hidden = true;
    });
    this.thumbs = new Thumbs(this.asker);
    this.tree = new Tree(byId("tree"), (item) => this.chooseItem(item), (...of) => this.pictures(...of));
    this.timeline = new Timeline(byId("timeline"), this.asker, (frame) => this.go({ frame }));
    this.picture = new Picture(([x, y]) => {
      if (this.texture) return;
      const part = this.picture.part([x, y]);
      this.pixel = part ? { x: x - part.x, y: y - part.y, screen: part.name } : { x, y, screen: screens.includes(byId("picture").value) ? byId("picture").value : "", on: this.picture.onScreen([x, y]) };
      this.openPanel("pixel");
    }, () => this.remember());
    this.controls();
    divide(document.querySelector("main"), ["left", "right"], "pica200.widths");
    byId("still")?.remove(); // what is seen without scripts
    const { note, what } = more();
    byId("what").hidden = !what;
    if (what) byId("what").replaceChildren("This is ", el("bdi", {}, byId("recording").dataset.name), what);
    byId("note").hidden = !note;
    byId("note").textContent = note || "";
  }

  // tellFar shows the progress of a slow request with a button to stop it.
  async tellFar() {
    byId("stop").hidden = false;
    const { slow } = this;
    const { done, total } = await this.asker.transport.far?.().catch(() => null) || {};
    if (slow !== this.slow || this.asker.idle) return;
    byId("far").textContent = total > 1 ? `${done} of ${total} frames` : "";
    this.slow = setTimeout(() => this.tellFar(), 300);
  }

  // ask serves all panels. A lost engine is reported above them.
  async ask(request, purpose) {
    try {
      return await this.asker.ask(request, purpose);
    } catch (e) {
      if (e.code === "gone") this.problem(e.message, { "Try again": () => location.reload() });
      throw e;
    }
  }

  // edits returns the edits of the frame. They apply before their draws, and are kept when the frame is left.
  get edits() { return this.changes.get(`${this.at.file}/${this.at.frame}`) || []; }
  set edits(list) {
    const key = `${this.at.file}/${this.at.frame}`;
    if (list.length) this.changes.set(key, list);
    else this.changes.delete(key);
  }

  // place returns the selected draw, for requests.
  place() {
    const { file, frame, draw, move } = this.at;
    return { file, frame, draw, ...(move === null ? {} : { move }), edits: this.edits };
  }

  // pictures gives the thumbnails of a draw's textures, like Thumbs.of.
  pictures(draw, show, still) { this.thumbs.of(this.place(), draw, show, still); }

  async start() {
    const [{ head }, { head: vocabulary }] = await Promise.all([this.ask({ op: "files" }), this.ask({ op: "registers" })]);
    for (const r of vocabulary.registers) this.registers.set(r.number, r);
    this.files = head.files;
    this.tree.columns = head.numbers.filter((n) => n.head);
    byId("columns").append(...this.tree.columns.map((n) => el("span", { class: "num", title: n.name === "us" ? `Microseconds on ${more().known ? "the machine on which this page was made" : "the machine on which the program runs"}` : n.name }, n.head)));
    byId("filter").placeholder = head.filter;
    this.words = head.words;
    byId("order").title = head.sort;
    byId("order").append(...head.orders.map((n) => el("option", { value: n.name }, n.order)));
    byId("file").replaceChildren(...head.files.map((f, i) => el("option", { value: i }, f.name)));
    addEventListener("hashchange", () => {
      if (location.hash === this.address) return;
      this.address = location.hash;
      this.restore(new URLSearchParams(location.hash.slice(1))).catch((e) => this.failed(e));
    });
    // An exported page starts with the view that it was sent with.
    await this.restore(new URLSearchParams(location.hash.length > 1 ? location.hash.slice(1) : more().at || ""));
  }

  async openFile(file, { frame = 0, draw = -1, move = null } = {}) {
    byId("file").value = file;
    const { head } = await this.ask({ op: "open", file }, "open");
    document.title = `${head.file.name} – pica200`;
    this.frames = head.file.frames || 0;
    this.at = { file, frame: -1, draw: -1, move: null };
    byId("frames").textContent = ` of ${this.frames}`;
    byId("frame").max = this.frames - 1;
    document.querySelector("nav").hidden = this.frames === 1;
    this.timeline.show(file, this.frames);
    this.problem(head.notes.filter((n) => n.includes("problem")).join("; "));
    if (this.frames === 0) this.problem("the recording has no frames");
    else await this.go({ frame: Math.min(frame, this.frames - 1), draw, move });
  }

  // go selects a frame, and in it a draw, a fill, transfer or copy (move), or its end (draw -1). Without any of
  // them it keeps the selection of the previous frame.
  async go({ frame = this.at.frame, draw = null, move = null }) {
    this.heading = frame;
    try {
      if (frame !== this.at.frame) {
        const edits = this.changes.get(`${this.at.file}/${frame}`) || [];
        const { head } = await this.ask({ op: "frame", file: this.at.file, frame, ...(edits.length ? { edits } : {}) }, "frame");
        if (draw === null && move === null) ({ draw, move } = this.at);
        this.at = { file: this.at.file, frame, draw: -1, move: null };
        if (this.heading === frame) {
          byId("frame").value = frame;
          this.timeline.choose(frame);
        }
        this.draws = head.draws;
        this.passes = head.passes ?? [];
        this.passOf = new Map(head.items.filter((i) => i.kind === "draw").map((i) => [i.draw, i.pass]));
        this.displays = head.items.some((i) => i.shown);
        this.counted = JSON.stringify(edits);
        this.tree.show(withEnd(head));
        await this.arrange();
        byId("warnings").replaceChildren(...(head.error ? [el("p", { class: "bad" }, head.error)] : []),
          ...(head.warnings.length ? [el("details", {}, el("summary", {}, `${head.warnings.length} warnings`), el("ul", {}, ...head.warnings.map((w) => el("li", {}, w))))] : []));
      }
      if (!this.choose(draw, move)) this.choose(-1, null);
    } catch (e) {
      if (e.code === "stopped") return;
      this.heading = this.at.frame;
      if (this.at.frame >= 0) {
        byId("frame").value = this.at.frame;
        this.timeline.choose(this.at.frame);
      }
      if (e.code === "ended" && this.whenEnded) this.whenEnded(e);
      else if (e.code !== "gone") this.problem(e.code === "ended" && this.at.frame >= 0 ? `Frame ${frame} is not shown: ${e.message}. This is frame ${this.at.frame}.` : e.message);
    }
  }

  // goFrame goes to a typed frame.
  goFrame(text) {
    const frame = Number(text);
    if (text !== "" && Number.isInteger(frame) && frame >= 0 && frame < this.frames) return this.go({ frame });
    this.problem(`There is no frame ${text || "without a number"}: ${this.frames === 1 ? "the recording has one, frame 0" : `the recording has ${this.frames}, 0 to ${this.frames - 1}`}.`);
    byId("frame").value = this.at.frame;
    return null;
  }

  // step goes forward or back from the frame it is heading to. Each press counts; frames passed before the engine
  // was ready are skipped.
  async step(by) {
    const frame = Math.min(Math.max((this.heading ?? this.at.frame) + by, 0), this.frames - 1);
    this.heading = frame;
    byId("frame").value = frame;
    this.timeline.choose(frame);
    if (this.stepping) return;
    this.stepping = true;
    while (this.heading !== this.at.frame) {
      const was = this.heading;
      await this.go({ frame: was });
      if (this.at.frame !== was && this.heading === was) break;
    }
    this.stepping = false;
  }

  // choose selects the row of a draw, of another item, or of the end.
  choose(draw, move) {
    if (move !== null && move !== undefined) return this.tree.find((i) => moves.includes(i.kind) && (i.move || 0) === move);
    if (draw === null || draw < 0) return this.tree.find((i) => i.kind === "end");
    return this.tree.find((i) => i.kind === "draw" && i.draw === Math.min(draw, this.draws - 1));
  }

  chooseItem(item) {
    this.item = item;
    this.at = { ...this.at, draw: -1, move: null };
    if (item.kind === "draw") this.at.draw = item.draw;
    else if (moves.includes(item.kind)) this.at.move = item.move || 0;
    else if (item.kind !== "end") this.at.draw = item.draw - 1; // lists and memory show the result of the draw before them
    const kind = this.kind;
    for (const o of byId("picture").querySelectorAll("option")) o.disabled = !shows[kind](o.value);
    // The colours of a gas or shadow target are not meaningful.
    byId("picture").value = kind === "draw" && this.views.draw === "after" && ["gas", "shadow"].includes(item.mode) ? item.mode : this.views[kind];
    return this.refresh();
  }

  // kind returns the kind of the selection: a draw, a move, the end of the frame, or its start.
  get kind() {
    return this.at.move !== null ? "move" : this.at.draw >= 0 ? "draw" : this.item?.kind === "end" ? "end" : "start";
  }

  // refresh shows the selection everywhere.
  async refresh() {
    this.noTexture();
    this.remember(true);
    const { frame, draw } = this.at, { item } = this;
    byId("title").replaceChildren(`Frame ${frame}` + { draw: `, draw ${draw}${item.name ? ": " : ""}`, move: `, ${item.kind} ${item.text}`, end: ", its end", start: "" }[this.kind], ...(this.kind === "draw" && item.name ? [el("bdi", {}, item.name)] : []));
    this.showEdits();
    await Promise.all([this.showPicture(), this.showPanel(), this.count()]);
    await this.checkFresh();
  }

  // checkFresh reports that the file was replaced; the page still shows the opened one.
  async checkFresh() {
    const { file, frame, draw, move } = this.at;
    if (!this.asker.transport.yields) return;
    const { head } = await this.ask({ op: "fresh", file, background: true }, "fresh").catch(() => ({ head: { fresh: true } }));
    if (!head.fresh && file === this.at.file) this.problem(`${this.files[file].name} was replaced while it was open; this is the one that was opened.`, { "Show the new one": () => this.openFile(file, { frame, draw, move }).catch((e) => this.failed(e)) });
  }

  // count updates the tree's numbers to the edits.
  async count() {
    const { frame } = this.at, { edits } = this;
    if (this.counted === JSON.stringify(edits)) return;
    try {
      const { head } = await this.ask({ op: "frame", file: this.at.file, frame, edits }, "frame");
      if (frame !== this.at.frame) return;
      this.counted = JSON.stringify(edits);
      this.tree.update(withEnd(head));
      await this.arrange();
    } catch (e) {
      this.failed(e);
    }
  }

  // remember puts the view into the address, for reloads and links. step makes it a history entry, unless entries
  // follow each other at once.
  remember(step = false) {
    if (this.restoring) return;
    const { file, frame, draw, move } = this.at, { kept, pixel } = this;
    const edits = [...this.changes].filter(([key]) => key.startsWith(file + "/")).map(([key, list]) => [key.split("/")[1], list]);
    const q = new URLSearchParams({
      ...(this.begin ? { p: this.begin } : { file }), frame, ...(draw >= 0 ? { draw } : {}), ...(move !== null ? { move } : {}),
      panel: this.panel, picture: byId("picture").value, ...(pixel ? { pixel: [pixel.screen, pixel.x, pixel.y].filter((x) => x !== "").join(",") } : {}),
      ...(kept.unit === "geometry" ? { unit: kept.unit } : {}), ...(kept.vertex ? { vertex: kept.vertex } : {}), ...(kept.run ? { run: kept.run } : {}),
      ...(this.picture.zoom ? { zoom: this.picture.where() } : {}), ...(edits.length ? { edits: JSON.stringify(Object.fromEntries(edits)) } : {}),
      ...Object.fromEntries(["filter", "order"].map((id) => [id, byId(id).value]).filter(([, value]) => value)),
    });
    const address = "#" + q, now = performance.now();
    if (address === this.address) return;
    this.address = address;
    try {
      history[step && !(now - this.stepped < STEP) ? "pushState" : "replaceState"](null, "", address);
      if (step) this.stepped = now;
    } catch { /* in a frame that may not, or too long */ }
  }

  // restore shows the view of an address and ignores unreadable parts.
  async restore(at) {
    const number = (name, least = 0) => Math.max(least, Math.floor(Number(at.get(name) ?? least)) || 0);
    const option = (what) => what && byId("picture").querySelector(`option[value="${CSS.escape(what)}"]`);
    this.restoring = true;
    try {
      this.panel = panels.some(([id]) => id === at.get("panel")) ? at.get("panel") : "state";
      const kind = at.has("draw") ? "draw" : at.has("move") ? "move" : "end", what = at.get("picture");
      if (option(what) && shows[kind](what)) this.views[kind] = what;
      const [, screen, x, y] = /^(?:(top|bottom|topright),)?(\d{1,5}),(\d{1,5})$/.exec(at.get("pixel") ?? "") || [];
      this.pixel = x === undefined ? null : { x: Number(x), y: Number(y), screen: screen || "" };
      this.wanted = { pixel: this.pixel, where: at.get("zoom") };
      Object.assign(this.kept, { unit: at.get("unit") === "geometry" ? "geometry" : "vertex", vertex: number("vertex"), run: number("run") });
      byId("filter").value = at.get("filter") ?? "";
      byId("order").value = at.get("order") ?? "";
      if (byId("order").selectedIndex < 0) byId("order").value = "";
      const file = Math.min(number("file"), this.files.length - 1);
      const edits = editsOf(at.get("edits"));
      for (const key of [...this.changes.keys()]) if (key.startsWith(file + "/")) this.changes.delete(key);
      for (const [frame, list] of edits) this.changes.set(`${file}/${frame}`, list);
      const place = { frame: number("frame"), draw: at.has("draw") ? number("draw") : -1, move: at.has("move") ? number("move") : null };
      if (file === this.at.file && this.frames) await this.go({ ...place, frame: Math.min(place.frame, this.frames - 1) });
      else await this.openFile(file, place);
      await this.arrange();
    } finally {
      this.restoring = false;
    }
    this.remember();
  }

  async showPicture() {
    const what = byId("picture").value;
    try {
      this.picture.late(true);
      if (this.kind === "start") {
        this.picture.empty("Before the first draw of the frame there is no target to show.");
        return;
      }
      const { head, data } = await this.ask(this.pictureRequest(what), "picture");
      this.picture.show(head, data, this.lies(what, head));
      if (this.pixel?.screen === "") this.pixel.on ??= this.picture.onScreen([this.pixel.x, this.pixel.y]);
      if (!this.wanted) this.picture.choose(this.picture.find(this.pixel), false);
      else {
        this.picture.restore(this.wanted);
        this.wanted = null;
        this.remember();
      }
      if (what === "screens" && head.name === "target") byId("under").prepend("the screens are black; this is what was drawn to last   ");
      if (what === "difference") byId("under").prepend(`${head.different} pixels differ, by ${head.largest} at most   `);
      this.problem("");
    } catch (e) {
      if (e.code === "stopped") return;
      this.picture.empty(e.message);
    }
  }

  // lies returns how a screen shows the picture, which then lies on its side; null for others.
  lies(what, head) {
    const black = head.name === "target"; // the screens are black, and this is what was drawn to last
    if (ofScreens.includes(what) && !black) return null;
    if (this.kind !== "draw" && !black) return this.item.shown ?? null;
    // Without a transfer in the frame, a target with the size of a screen counts as one that is shown.
    const guess = !this.displays && head.width === 240 && [320, 400].includes(head.height);
    return this.passes[this.passOf.get(this.at.draw < 0 ? this.item.draw - 1 : this.at.draw) ?? 0]?.shown ?? (guess ? { width: 240, height: head.height, scale: [1, 1] } : null);
  }

  pictureRequest(what) {
    if (what === "difference") return { op: "compare", ...this.place(), what: "after", other: otherOf(this) };
    if (what !== "other") return { op: "picture", ...this.place(), what };
    const other = otherOf(this);
    if (other.draw < 0) throw new Error("the draw is not in the other frame");
    return { op: "picture", ...other, what: "after" };
  }

  // goCompared goes to a draw and shows its differences.
  goCompared(draw) {
    byId("picture").value = this.views.draw = "difference";
    return this.go({ draw });
  }

  setPicture(what) {
    if (what === TEXTURE) return null;
    this.noTexture();
    byId("picture").value = this.views[this.kind] = what;
    this.remember(true);
    return this.showPicture();
  }

  // showTexture shows a texture in place of the picture, and selects it in the picture selector.
  showTexture(head, data) {
    this.noTexture();
    this.texture = head.name;
    byId("picture").prepend(el("option", { value: TEXTURE }, `${head.name}, as it is bound`));
    byId("picture").value = TEXTURE;
    this.picture.show(head, data);
  }

  // noTexture removes that entry.
  noTexture() {
    if (!this.texture) return;
    this.texture = null;
    byId("picture").querySelector(`[value="${TEXTURE}"]`).remove();
    byId("picture").value = this.views[this.kind];
  }

  // showPanel fills the panel and keeps the focus.
  async showPanel() {
    const box = byId("panel");
    const held = box.contains(document.activeElement) && document.activeElement !== box ? document.activeElement : null;
    try {
      await this.fillPanel(box);
    } finally {
      if (held && !held.isConnected && document.activeElement === document.body) {
        const key = knownBy(held);
        ([...box.querySelectorAll(held.localName)].find((e) => knownBy(e) === key) || box).focus({ preventScroll: true });
      }
    }
  }

  async fillPanel(box) {
    const [, , show, alone] = panels.find(([id]) => id === this.panel);
    this.stepper = null;
    for (const t of byId("tabs").children) {
      const on = t.dataset.panel === this.panel;
      t.setAttribute("aria-selected", String(on));
      t.tabIndex = on ? 0 : -1;
    }
    box.setAttribute("aria-labelledby", "tab-" + this.panel);
    if (this.at.draw < 0) this.picture.mark(null);
    if (this.at.draw < 0 && !alone) {
      box.replaceChildren(el("p", { class: "none" }, this.panel === "state" ? "" : "It is of draws: choose one."));
      if (this.panel === "state" && this.kind !== "start") await this.fillStep(box);
      else if (this.panel === "state") box.replaceChildren(el("p", { class: "none" }, terms[this.item.kind] ?? ""));
      return;
    }
    try {
      const draw = this.at.draw < 0 || alone && this.item?.kind !== "draw" ? null : (await this.ask({ op: "draw", ...this.place() }, "draw")).head;
      this.picture.mark(this.item?.kind === "draw" ? draw?.changed : null);
      const top = box.scrollTop;
      await show(this, box, draw);
      box.scrollTop = top;
    } catch (e) {
      if (e.code !== "stopped") box.replaceChildren(el("p", { class: "bad" }, e.message));
    }
  }

  // fillStep describes a fill, a transfer or a copy, or the whole frame.
  async fillStep(box) {
    try {
      const { head } = await this.ask({ op: "step", ...this.place() }, "draw");
      box.replaceChildren(...(terms[this.item.kind] ? [el("p", { class: "none" }, terms[this.item.kind])] : []), rowTable(head.rows));
    } catch (e) {
      if (e.code !== "stopped") box.replaceChildren(el("p", { class: "bad" }, e.message));
    }
  }

  openPanel(id) {
    this.panel = id;
    this.remember(true);
    return this.showPanel();
  }

  // Edits apply before the selected draw and stay until they are removed.
  addEdit(edit) {
    this.tryEdit(edit).catch((e) => this.failed(e));
  }

  // tryEdit applies an edit if the engine accepts it.
  async tryEdit(edit) {
    const one = { draw: this.at.draw, ...edit };
    const edits = [...this.edits.filter((e) => whatOf(e) !== whatOf(one)), one];
    await this.ask({ op: "draw", ...this.place(), edits });
    this.setEdits(edits);
  }

  // setEdits replaces the edits.
  setEdits(edits) {
    this.edits = edits;
    this.remember(true);
    return this.refresh();
  }

  // showEdits lists the edits with buttons to remove them.
  showEdits() {
    const { edits } = this;
    const chip = (e, i) => el("span", { class: "edit" }, `draw ${e.draw}: ${nameOf(e)} `,
      el("button", { title: "Take it back", "aria-label": `Take back: ${nameOf(e)} of draw ${e.draw}`, onclick: () => this.setEdits(edits.filter((_, k) => k !== i)) }, "✕"));
    byId("edits").replaceChildren(...(edits.length ? [el("b", { class: "bad" }, edits.length === 1 ? "1 change" : `${edits.length} changes`), ...edits.map(chip),
      el("button", { onclick: () => this.setEdits([]) }, "As it was")] : []));
  }

  // failed reports an error, unless it was reported already or the request was cancelled.
  failed(e) {
    if (e.code !== "stopped" && e.code !== "gone") this.problem(e.message);
  }

  // problem shows an error with buttons: texts and their actions.
  problem(text, ways = {}) {
    byId("problem").hidden = !text;
    byId("problem").replaceChildren(text, ...Object.entries(ways).flatMap(([name, act]) => [" ", el("button", { onclick: act }, name)]));
  }

  // arrange shows the frame's items that pass the filter, in the selected order.
  arrange() {
    this.arranging = this.listed().catch((e) => this.failed(e));
    return this.arranging;
  }

  async listed() {
    const filter = byId("filter").value.trim(), order = byId("order").value, request = { op: "list", ...this.place(), filter, order };
    this.listing = request;
    const list = filter || order ? (await this.ask(request, "list")).head.list : null;
    if (request !== this.listing) return;
    this.tree.arrange(list, order !== "");
    byId("found").textContent = filter ? `${list.length} found` : "";
    this.remember();
  }

  // nextDraw goes to the draw before or after the selection.
  nextDraw(by) {
    const draw = this.kind === "draw" && this.item.kind === "draw" ? this.at.draw + by : this.item.draw - (by < 0 ? 1 : 0);
    if (draw >= 0 && draw < this.draws) this.choose(draw, null);
  }

  controls() {
    byId("picture").append(...pictures.map(([name, list]) => el("optgroup", { label: name }, ...Object.entries(list).map(([value, name]) => el("option", { value }, name)))));
    byId("picture").addEventListener("change", () => this.setPicture(byId("picture").value));
    byId("file").addEventListener("change", () => this.openFile(Number(byId("file").value)).catch((e) => this.failed(e)));
    byId("frame").addEventListener("change", () => this.goFrame(byId("frame").value));
    byId("frame-first").addEventListener("click", () => this.go({ frame: 0 }));
    byId("frame-back").addEventListener("click", () => this.step(-1));
    byId("frame-next").addEventListener("click", () => this.step(1));
    byId("filter").addEventListener("input", () => this.arrange());
    byId("order").addEventListener("change", () => this.arrange());
    byId("filter").addEventListener("keydown", async (e) => {
      if (e.key !== "Enter" && e.key !== "ArrowDown") return;
      e.preventDefault();
      await this.arranging;
      byId("tree").focus();
      this.tree.begin();
    });
    addEventListener("focus", () => { if (this.frames) this.checkFresh(); });
    byId("stop").addEventListener("click", () => this.asker.stop());
    byId("help").addEventListener("click", () => byId("keys").showModal());
    byId("theme").addEventListener("click", () => {
      const dark = getComputedStyle(document.documentElement).colorScheme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
      document.documentElement.dataset.theme = dark ? "light" : "dark";
    });
    byId("tabs").append(...panels.map(([id, name], i) => el("button", { role: "tab", id: "tab-" + id, "data-panel": id, "aria-controls": "panel", title: i < 9 ? `${name} (${i + 1})` : name, onclick: () => this.openPanel(id) }, name)));
    byId("panel-keys").append(panels.slice(0, 9).map(([, name]) => name).join(", "));
    byId("tabs").addEventListener("keydown", (e) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (!step) return;
      const i = panels.findIndex(([id]) => id === this.panel);
      this.openPanel(panels[(i + step + panels.length) % panels.length][0]);
      byId("tab-" + this.panel).focus();
    });
    document.addEventListener("keydown", (e) => {
      if (e.key === "Escape" && !this.asker.idle && !e.target.closest("dialog")) {
        this.asker.stop();
        return e.preventDefault();
      }
      if (e.key.toLowerCase() === "z" && (e.ctrlKey || e.metaKey) && !e.shiftKey && this.edits.length && !e.target.closest("input, select, textarea, dialog, .editor")) {
        this.setEdits(this.edits.slice(0, -1));
        return e.preventDefault();
      }
      if (e.target.closest("input, select, textarea, dialog, .editor") || e.ctrlKey || e.metaKey || e.altKey) return;
      switch (e.key) {
        case "[": this.step(-1); break;
        case "]": this.step(1); break;
        case "n": this.nextDraw(1); break;
        case "p": this.nextDraw(-1); break;
        case "/": byId("filter").focus(); break;
        case "?": byId("keys").showModal(); break;
        case "s": this.stepper?.go(this.stepper.at + 1); break;
        case "b": this.stepper?.go(this.stepper.at - 1); break;
        default: {
          const one = panels[Number(e.key) - 1];
          if (!one) return;
          this.openPanel(one[0]);
        }
      }
      e.preventDefault();
    });
  }
}

// numbered are pictures of units: their values and names.
function numbered(value, count, name) { return Object.fromEntries(Array.from({ length: count }, (_, i) => [value + i, `${name} ${i}`])); }

// whatOf identifies what an edit changes: a later edit of the same replaces it.
const whatOf = (e) => JSON.stringify([e.draw, e.register || e.shader || "vertex", e.register ? e.field || "" : e.uniform || ""]);

// nameOf returns the text of an edit.
const nameOf = (e) => {
  if (e.source) return `program of the ${e.shader || "vertex"} shader`;
  const what = e.register ? e.register.replace("GPUREG_", "") + (e.field ? " " + e.field : "") : `${e.uniform} of the ${e.shader || "vertex"} shader`;
  return `${what} = ${e.text ?? (e.values ? e.values.join(",") : e.value ?? 0)}`;
};

// editsOf reads the edits of an address: lists by frame. The engine checks their contents.
function editsOf(text) {
  try {
    return Object.entries(JSON.parse(text || "{}")).filter(([frame, list]) => /^\d{1,7}$/.test(frame) && Array.isArray(list) && list.every((e) => e && typeof e === "object"));
  } catch {
    return [];
  }
}

// withEnd adds the end to a frame's items, which older builds omit.
const withEnd = (head) => (head.items.at(-1)?.kind === "end" ? head : { ...head, items: [...head.items, { kind: "end", text: "", draw: head.draws }] });

// knownBy identifies an element of a panel across rebuilds.
const knownBy = (e) => e.dataset.key || e.getAttribute("aria-label") || e.textContent;

// The engine is inside the page, beside it, or behind a server.
const site = "site" in document.documentElement.dataset;
const app = new App(byId("engine") ? withKept(ofPage) : site ? overWorker("engine.js", { url: new URL("engine.wasm.gz", location.href).href }, 30000) : overHTTP());
if (!byId("engine") && !site) offerExport(app);
(site ? startSite(app) : app.start()).catch((e) => app.failed(e));
