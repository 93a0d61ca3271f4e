// The playground: texts of a scene and its shaders, and their picture.

import { byId, el } from "./dom.js";
import { Asker, overWorker } from "./net.js";
import { Picture } from "./picture.js";
import { Editor } from "./editor.js";
import { SceneHelp } from "./schema.js";
import { divide } from "./divider.js";
import { pack, unpack } from "./link.js";
import { discard, drafts, keep } from "./drafts.js";
import { setSuspect, suspect } from "./stored.js";

const WAIT = 250; // ms after a key before the picture is redrawn
const MOST = 30000; // ms that a picture may take
const MANY = 100; // problems that are listed
const LONG = 3000; // ms after which a picture counts as slow
const BIGGEST = 384 * 1024; // bytes of a binary file, which base64 enlarges by a third
const STALE = 300; // ms after which work on an outdated text is ended

class Playground {
  constructor() {
    this.time = null;
    this.turn = 0; // number of the last requested picture
    this.scene = new SceneHelp({});
    this.editor = new Editor(byId("edit"), () => {
      this.typed = true;
      this.later();
      this.shown();
    }, async (what, files, name, line, character) => {
      if (this.transport.since) return null; // a picture is being drawn: the engine runs one request at a time
      return (await this.transport({ op: "language", files, name, what, x: character, y: line })).head.found;
    }, this.scene);
    this.editor.chosen = () => this.shown();
    this.picture = new Picture(() => {});
    this.lies = { scale: [1, 1] }; // as somebody says who ticks "Upright"
    this.transport = overWorker("engine.js", { url: new URL("engine.wasm.gz", location.href).href }, MOST);
    this.asker = new Asker(this.transport, (n) => {
      byId("busy").textContent = n > 0 ? "working …" : "";
      byId("stop").hidden = n === 0;
    });
    this.transport.told = ({ done, total }) => { byId("busy").textContent = `working … ${done} of ${total}`; };
    this.controls();
    divide(document.querySelector("main"), ["left"], "pica200.play.widths");
  }

  ask(request, purpose) { return this.asker.ask(request, purpose); }

  program() { return { files: this.editor.files, time: this.time, name: this.editor.name }; }

  async open() {
    const at = new URLSearchParams(location.hash.slice(1)).get("p");
    this.examples = await fetch("examples.json").then((r) => r.json()).catch(() => { throw new Error("the examples cannot be loaded; is the web server still there?"); });
    this.list();
    if (!at) return this.example(0);
    try {
      this.show(await unpack(at), undefined, "#p=" + at);
      byId("example").value = "";
    } catch (e) {
      this.example(0);
      this.sayOfLink(e.message);
    }
  }

  // list offers the examples and the drafts.
  list() {
    const kept = drafts();
    const chosen = byId("example").value;
    byId("example").replaceChildren(el("option", { value: "" }, "–"), el("optgroup", { label: "Examples" }, ...this.examples.map((x, i) => el("option", { value: i }, x.name))),
      ...(kept.length ? [el("optgroup", { label: "Yours, kept in this browser" }, ...kept.map((d) => el("option", { value: "draft:" + d.when }, `${new Date(d.when).toLocaleString()}: ${Object.keys(d.files).join(", ")}`)),
        el("option", { value: "discard" }, "Discard all of them"))] : []));
    byId("example").value = chosen;
  }

  choose(value) {
    if (value === "") return;
    if (value === "discard") {
      for (const d of drafts()) discard(d.when);
      this.list();
      byId("example").value = "";
      byId("state").textContent = "Discarded: nothing of yours is kept in this browser.";
      return;
    }
    const draft = drafts().find((d) => "draft:" + d.when === value);
    if (draft) this.show(draft);
    else this.example(Number(value));
    this.list();
    byId("example").value = value;
  }

  example(i) {
    byId("example").value = i;
    this.show({ files: this.examples[i].files, time: null }, this.examples[i].first);
  }

  // show displays another program. Typed texts are kept; Back leads to them.
  show({ files, time, name }, first = name ?? "scene.yaml", link = null) {
    this.keep();
    this.sayOfLink("");
    this.time = time ?? null;
    byId("time").value = time ?? "";
    this.editor.show(files, first);
    this.draw(link, true);
  }

  // shown enables what the shown text allows.
  shown() {
    byId("undo").disabled = !this.editor.undoes;
    byId("redo").disabled = !this.editor.redoes;
    byId("format").disabled = !this.editor.name.endsWith(".pica");
    byId("drop").disabled = this.editor.name === "scene.yaml";
  }

  // keep stores typed texts as a draft.
  keep() {
    if (this.typed) keep(this.program());
    this.typed = false;
  }

  // play runs the animation, picture by picture, until it is stopped or something changes.
  async play() {
    if (this.playing) return this.pause();
    const turn = this.turn, { files } = this.program(), start = performance.now() - 1000 * (this.time ?? this.begin);
    this.playing = true;
    byId("play").textContent = "Pause";
    byId("play").setAttribute("aria-pressed", "true");
    while (this.playing && turn === this.turn) {
      await new Promise((done) => requestAnimationFrame(done)); // a hidden page waits
      const time = Math.round(performance.now() - start) / 1000 % this.length;
      try {
        const { head, data } = await this.ask({ op: "scene", files, time }, "scene");
        if (!this.playing || turn !== this.turn || !data) break;
        this.picture.show({ ...head, name: "scene" }, data, this.lies);
        byId("time").value = this.time = Math.round(1000 * time) / 1000;
      } catch (e) {
        if (e.code !== "stopped") this.say(e.message);
        break;
      }
    }
    this.pause();
    if (turn === this.turn) this.draw();
  }

  pause() {
    this.playing = false;
    byId("play").textContent = "Play";
    byId("play").setAttribute("aria-pressed", "false");
  }

  // take adds files: texts unchanged, others in base64. A model becomes the scene if no text was edited.
  async take(list) {
    list = [...list]; // the list of a drop is valid only briefly
    for (const file of list) {
      if (file.size > BIGGEST) {
        this.say(`${file.name} has ${file.size} bytes; all files together may have ${BIGGEST}.`);
        continue;
      }
      const bytes = new Uint8Array(await file.arrayBuffer());
      let text;
      try {
        text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      } catch {
        text = "base64," + btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
      }
      this.editor.put(file.name, text);
    }
    const model = list.find((f) => /\.(gltf|glb|obj)$/i.test(f.name) && f.name in this.editor.files);
    if (!model) return;
    try {
      const { files, time } = this.program();
      const { data } = await this.ask({ op: "make", what: "model:" + model.name, files, time });
      this.editor.put("scene.yaml", new TextDecoder().decode(data)); // Undo restores the scene
    } catch (e) {
      this.sayOfLink(`${model.name} is not shown: ${e.message}`);
    }
  }

  later() {
    clearTimeout(this.waiting);
    delete byId("view").dataset.drawn;
    this.waiting = setTimeout(() => this.draw(), WAIT);
  }

  // draw draws the picture and puts the program into the address. link is the address of a received program; step
  // adds a history entry for the previous one.
  async draw(link = null, step = false) {
    clearTimeout(this.waiting);
    const turn = ++this.turn;
    delete byId("view").dataset.drawn;
    byId("state").textContent = "";
    byId("run").hidden = true;
    const { files, time, name } = this.program();
    link ??= "#p=" + await pack({ files, time, name });
    if (turn !== this.turn) return;
    this.link = link;
    const known = location.hash === link;
    if (!known) history[step && location.hash ? "pushState" : "replaceState"](null, "", link);
    byId("debug").href = "debug.html" + link;
    this.sources();
    if (step && suspect(link)) {
      this.leave("This program did not end when it was run before, so it is not run by itself again.");
      return;
    }
    // Work on an outdated text is ended soon, because ending it later would end this request too.
    for (const begun = this.transport.since; begun && begun === this.transport.since;) {
      if (performance.now() - begun > STALE) this.transport.stop("another text took its place");
      else await new Promise((go) => setTimeout(go, 20));
      if (turn !== this.turn) return;
    }
    // A page that is left during a slow drawing does not start it again.
    let late;
    const begun = this.transport.begun = () => { late = setTimeout(() => setSuspect(link, true), LONG); };
    let answer;
    try {
      answer = await this.ask({ op: "scene", files, time }, "scene");
      setSuspect(link, false);
    } catch (e) {
      if (turn !== this.turn) return;
      if (e.code === "ended") {
        setSuspect(link, true);
        this.leave(`The picture is not drawn: ${e.message}.`);
      } else if (e.code !== "stopped") this.say(e.message);
      return;
    } finally {
      clearTimeout(late);
      if (this.transport.begun === begun) this.transport.begun = null; // other requests are not pictures
    }
    const { head, data } = answer;
    this.say("");
    this.problems(head, files);
    if (data) {
      byId("title").textContent = head.title || "Scene";
      byId("about").textContent = head.about || "";
      byId("time").placeholder = String(head.time);
      this.length = head.length;
      this.begin = head.time;
      byId("play").hidden = byId("gif").hidden = !head.length;
      this.picture.show({ ...head, name: "scene" }, data, this.lies);
      byId("state").textContent = `${head.draws} ${head.draws === 1 ? "draw" : "draws"}, ${Math.round(head.us / 1000)} ms`;
    }
    byId("view").classList.toggle("old", !data);
    if (!data) byId("state").textContent = "The picture is that of the last text without errors.";
    byId("view").dataset.drawn = this.link; // the program of the answer
  }

  // leave explains why there is no picture.
  leave(why) {
    byId("view").classList.add("old");
    byId("count").textContent = "Not drawn";
    byId("problems").replaceChildren(el("li", { class: "error" }, why));
    byId("state").textContent = (this.picture.picture ? "The picture is that of an earlier text. " : "") + "Change the texts, or";
    byId("run").hidden = false;
    this.say(why);
  }

  problems({ diagnostics, notes }, files) {
    this.editor.mark(diagnostics, files);
    const errors = diagnostics.filter((d) => d.severity === "error").length, warnings = diagnostics.length - errors;
    const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
    byId("count").textContent = diagnostics.length ? [errors && count(errors, "error"), warnings && count(warnings, "warning")].filter(Boolean).join(", ") : "No errors";
    const held = [...byId("problems").querySelectorAll("button")].indexOf(document.activeElement);
    byId("problems").replaceChildren(...diagnostics.slice(0, MANY).map((d) => el("li", { class: d.severity },
      el("button", { class: "link", onclick: () => this.editor.go(d) }, place(d)), ` ${d.severity}: ${d.text}`,
      d.expected ? `; expected ${d.expected}` : "", ...(d.instead ? [" ", el("button", { onclick: () => this.editor.correct(d) }, `Replace with ${d.instead}`)] : []), d.hint ? ` – ${d.hint}` : "", d.rule ? el("span", { class: "rule" }, ` [${d.rule}]`) : null)),
    ...notes.map((n) => el("li", { class: "note" }, n)), ...(diagnostics.length > MANY ? [el("li", { class: "note" }, `and ${diagnostics.length - MANY} more`)] : []));
    if (held >= 0) ([...byId("problems").querySelectorAll("button")].slice(0, held + 1).at(-1) || this.editor).focus();
  }

  // sources lists the texts that can be assembled.
  sources() {
    const list = Object.keys(this.editor.files).filter((n) => n.endsWith(".pica"));
    byId("shbin").disabled = !list.length;
  }

  // say reports an error of the last action.
  say(text) {
    this.wrong = text;
    if (text && byId("count").textContent.startsWith("Working")) byId("count").textContent = "Not drawn";
    const all = [this.wrongLink, this.wrong].filter(Boolean).join("; ");
    byId("problem").hidden = !all;
    byId("problem").textContent = all;
  }

  // sayOfLink reports an error of a link, until another program is shown.
  sayOfLink(text) {
    this.wrongLink = text;
    this.say(this.wrong);
  }

  // download requests a file from the engine and hands it to the browser.
  async download(what) {
    try {
      const { files, time } = this.program();
      const { head, data } = await this.ask({ op: "make", what, files, time });
      const a = el("a", { href: URL.createObjectURL(new Blob([data])), download: head.name });
      a.click();
      setTimeout(() => URL.revokeObjectURL(a.href), 60000);
      this.say("");
    } catch (e) {
      if (e.code !== "stopped") this.say(e.message);
    }
  }

  // shader returns the source to assemble: the shown one, or the first.
  shader() {
    const { name, files } = this.editor;
    return name.endsWith(".pica") ? name : Object.keys(files).find((n) => n.endsWith(".pica"));
  }

  add(choice) {
    const [kind, name] = choice.split(":");
    const given = kind === "library" ? this.library[name] : starts[name];
    let file = name;
    for (let n = 2; file in this.editor.files; n++) file = name.replace(".", n + ".");
    this.editor.put(file, given);
    this.editor.focus();
  }

  controls() {
    byId("example").addEventListener("change", () => this.choose(byId("example").value));
    byId("play").addEventListener("click", () => this.play());
    byId("take").addEventListener("change", () => this.take(byId("take").files));
    byId("edit").addEventListener("dragover", (e) => {
      if (!e.dataTransfer.types.includes("Files")) return;
      e.preventDefault();
      byId("edit").classList.add("over-it");
    });
    for (const end of ["dragleave", "drop"]) byId("edit").addEventListener(end, () => byId("edit").classList.remove("over-it"));
    byId("edit").addEventListener("drop", (e) => {
      if (!e.dataTransfer.files.length) return;
      e.preventDefault();
      this.take(e.dataTransfer.files);
    });
    byId("gallery").addEventListener("click", () => {
      byId("pictures").replaceChildren(...this.examples.map((x, i) => el("button", { onclick: () => { byId("examples").close(); this.choose(String(i)); } }, el("img", { src: `example${i}.png`, alt: "" }), x.name)));
      byId("examples").showModal();
    });
    byId("undo").addEventListener("click", () => this.editor.undo());
    byId("redo").addEventListener("click", () => this.editor.redo());
    byId("format").addEventListener("click", () => this.editor.format());
    byId("stop").addEventListener("click", () => this.asker.stop());
    byId("run").addEventListener("click", () => {
      setSuspect(this.link, false);
      this.draw();
      this.editor.focus(); // the button is removed
    });
    addEventListener("pagehide", () => this.keep()); // includes text that is not in the address yet
    byId("time").addEventListener("input", () => {
      const t = byId("time").valueAsNumber;
      this.time = Number.isFinite(t) ? t : null;
      this.later();
    });
    byId("link").addEventListener("click", async () => {
      const address = location.href.split("#")[0] + this.link;
      try {
        await navigator.clipboard.writeText(address);
        byId("state").textContent = `The link is copied: ${address.length} characters.`;
      } catch {
        byId("state").textContent = "The address of this page is the link.";
      }
    });
    byId("png").addEventListener("click", () => this.download("png"));
    byId("gif").addEventListener("click", () => this.download("gif"));
    byId("zip").addEventListener("click", () => this.download("zip"));
    byId("trace").addEventListener("click", () => this.download("trace"));
    byId("shbin").addEventListener("click", () => this.download("shbin:" + this.shader()));
    byId("drop").addEventListener("click", () => {
      const { name } = this.editor;
      this.editor.drop();
      byId("state").textContent = `${name} is removed; Undo brings it back.`;
      this.editor.focus(); // the button may be disabled now
    });
    byId("theme").addEventListener("click", () => {
      const root = document.documentElement;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
    });
    addEventListener("hashchange", async () => {
      if (location.hash === this.link) return;
      try {
        const at = new URLSearchParams(location.hash.slice(1)).get("p") || "";
        this.show(await unpack(at), this.editor.name, "#p=" + at);
        byId("example").value = "";
      } catch (e) {
        this.sayOfLink(e.message);
      }
    });
    const add = byId("add");
    add.append(...Object.keys(starts).map((n) => el("option", { value: "new:" + n }, "New " + n)));
    byId("put").addEventListener("click", () => this.add(add.value)); // selecting alone adds nothing: arrow keys select every entry on the way
    fetch("scene.schema.json").then((r) => r.json()).then((schema) => { this.scene.schema = schema; }).catch(() => {});
    fetch("library.json").then((r) => r.json()).then((library) => {
      this.library = library;
      add.append(el("optgroup", { label: "Copies of the library" }, ...Object.keys(library).map((n) => el("option", { value: "library:" + n }, n))));
    }).catch(() => {});
  }
}

const place = (d) => d.file + (d.line ? ":" + d.line + (d.column ? ":" + d.column : "") : "");

// Initial text of a new shader.
const starts = {
  "new.v.pica": `; A vertex shader. In the scene: programs: {NAME: {sources: [new.v.pica]}}
.fvec projection[4], modelView[4]
.constf ones(1.0, 1.0, 1.0, 1.0)

.in position v0
.in color    v3
.out outPosition position
.out outColor    color

.proc main
	mov r0.xyz, position
	mov r0.w, ones
	dp4 r1.x, modelView[0], r0
	dp4 r1.y, modelView[1], r0
	dp4 r1.z, modelView[2], r0
	dp4 r1.w, modelView[3], r0
	dp4 outPosition.x, projection[0], r1
	dp4 outPosition.y, projection[1], r1
	dp4 outPosition.z, projection[2], r1
	dp4 outPosition.w, projection[3], r1
	mov outColor, color
	end
.end
`,
};

byId("still").remove(); // what is seen from a disk and without scripts
const playground = new Playground();
playground.open().catch((e) => playground.say(e.message));
