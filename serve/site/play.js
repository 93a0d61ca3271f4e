// The playground: texts of a scene and its shaders, and the picture that they make.

import { byId, el } from "./dom.js";
import { Asker, overWorker } from "./net.js";
import { Picture } from "./picture.js";
import { Editor } from "./editor.js";
import { pack, unpack } from "./link.js";

const WAIT = 250; // ms after a key, before the picture is made anew
const MOST = 30000; // ms that a picture may take

class Playground {
  constructor() {
    this.time = null;
    this.editor = new Editor(byId("edit"), () => this.later());
    this.picture = new Picture(() => {});
    this.start();
    this.controls();
  }

  // start makes an engine. One that takes too long is ended, and another made.
  start() {
    this.transport = overWorker("engine.js", { url: new URL("engine.wasm.gz", location.href).href });
    this.asker = new Asker((request, signal) => this.transport(request, signal), (n) => { byId("busy").textContent = n > 0 ? "working …" : ""; });
  }

  async ask(request, purpose) {
    const transport = this.transport;
    const timer = this.warm && setTimeout(() => {
      transport.end(`it took longer than ${MOST / 1000} s and was ended`);
      this.start();
    }, MOST);
    try {
      const answer = await this.asker.ask(request, purpose);
      this.warm = true; // the first answer waits for the engine
      return answer;
    } finally {
      clearTimeout(timer);
    }
  }

  program() { return { files: this.editor.files, time: this.time }; }

  async open() {
    const at = new URLSearchParams(location.hash.slice(1)).get("p");
    this.examples = await (await fetch("examples.json")).json();
    byId("example").append(...this.examples.map((x, i) => el("option", { value: i }, x.name)));
    if (at) {
      try {
        this.show(await unpack(at));
        byId("example").value = "";
        return;
      } catch (e) {
        this.example(0);
        this.sayOfLink(e.message);
        return;
      }
    }
    this.example(0);
  }

  example(i) {
    byId("example").value = i;
    this.show({ files: this.examples[i].files, time: null }, this.examples[i].first);
  }

  show({ files, time }, name = "scene.yaml") {
    this.sayOfLink("");
    this.time = time;
    byId("time").value = time ?? "";
    this.editor.show(files, name);
    this.draw();
  }

  later() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.draw(), WAIT);
  }

  // draw makes the picture, and puts the program into the address.
  async draw() {
    clearTimeout(this.waiting);
    byId("state").textContent = "";
    const program = this.program();
    const link = "#p=" + await pack(program);
    this.link = link;
    history.replaceState(null, "", link);
    byId("debug").href = "debug.html" + link;
    this.sources();
    let answer;
    try {
      answer = await this.ask({ op: "scene", ...program }, "scene");
    } catch (e) {
      if (e.code !== "stopped") this.say(e.message);
      return;
    }
    const { head, data } = answer;
    this.say("");
    this.problems(head);
    if (data) {
      byId("title").textContent = head.title || "Scene";
      byId("about").textContent = head.about || "";
      byId("time").placeholder = String(head.time);
      this.picture.show({ ...head, name: "scene" }, data);
      byId("state").textContent = `${head.draws} ${head.draws === 1 ? "draw" : "draws"}, ${Math.round(head.us / 1000)} ms`;
    }
    byId("view").classList.toggle("old", !data);
    if (!data) byId("state").textContent = "The picture is that of the last text without errors.";
    byId("view").dataset.drawn = this.link; // of which program the answer is
  }

  problems({ diagnostics, notes }) {
    this.editor.mark(diagnostics);
    const errors = diagnostics.filter((d) => d.severity === "error").length, warnings = diagnostics.length - errors;
    const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
    byId("count").textContent = diagnostics.length ? [errors && count(errors, "error"), warnings && count(warnings, "warning")].filter(Boolean).join(", ") : "No errors";
    const held = [...byId("problems").querySelectorAll("button")].indexOf(document.activeElement);
    byId("problems").replaceChildren(...diagnostics.map((d) => el("li", { class: d.severity },
      el("button", { class: "link", onclick: () => this.editor.go(d) }, place(d)), ` ${d.severity}: ${d.text}`,
      d.expected ? `; expected ${d.expected}` : "", d.hint ? ` – ${d.hint}` : "", d.rule ? el("span", { class: "rule" }, ` [${d.rule}]`) : null)),
    ...notes.map((n) => el("li", { class: "note" }, n)));
    if (held >= 0) ([...byId("problems").querySelectorAll("button")].slice(0, held + 1).at(-1) || this.editor.area).focus();
  }

  // sources lists what can be assembled.
  sources() {
    const list = Object.keys(this.editor.files).filter((n) => n.endsWith(".pica"));
    byId("shbin").disabled = !list.length;
    byId("drop").disabled = this.editor.name === "scene.yaml";
  }

  // say tells what went wrong with the last thing that was asked.
  say(text) {
    this.wrong = text;
    const all = [this.wrongLink, this.wrong].filter(Boolean).join("; ");
    byId("problem").hidden = !all;
    byId("problem").textContent = all;
  }

  // sayOfLink tells what is wrong with a link, until another program is shown.
  sayOfLink(text) {
    this.wrongLink = text;
    this.say(this.wrong);
  }

  // download asks the engine for a file and gives it to the browser.
  async download(what) {
    try {
      const { head, data } = await this.ask({ op: "make", what, ...this.program() });
      const a = el("a", { href: URL.createObjectURL(new Blob([data])), download: head.name });
      a.click();
      setTimeout(() => URL.revokeObjectURL(a.href), 60000);
      this.say("");
    } catch (e) {
      if (e.code !== "stopped") this.say(e.message);
    }
  }

  // shader is the source to assemble: that which is seen, or the first.
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
    this.editor.area.focus();
  }

  controls() {
    byId("example").addEventListener("change", () => { if (byId("example").value !== "") this.example(Number(byId("example").value)); });
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
    byId("zip").addEventListener("click", () => this.download("zip"));
    byId("trace").addEventListener("click", () => this.download("trace"));
    byId("shbin").addEventListener("click", () => this.download("shbin:" + this.shader()));
    byId("drop").addEventListener("click", () => {
      this.editor.drop(this.editor.name);
      this.editor.area.focus(); // the button may be out of use now
    });
    byId("theme").addEventListener("click", () => {
      const root = document.documentElement;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
    });
    addEventListener("hashchange", async () => {
      if (location.hash === this.link) return;
      try {
        this.show(await unpack(new URLSearchParams(location.hash.slice(1)).get("p") || ""));
      } catch (e) {
        this.sayOfLink(e.message);
      }
    });
    const add = byId("add");
    add.append(...Object.keys(starts).map((n) => el("option", { value: "new:" + n }, "New " + n)));
    byId("put").addEventListener("click", () => this.add(add.value)); // choosing alone adds nothing: arrow keys choose all in between
    fetch("library.json").then((r) => r.json()).then((library) => {
      this.library = library;
      add.append(el("optgroup", { label: "Copies of the library" }, ...Object.keys(library).map((n) => el("option", { value: "library:" + n }, n))));
    }).catch(() => {});
  }
}

const place = (d) => d.file + (d.line ? ":" + d.line + (d.column ? ":" + d.column : "") : "");

// What a new shader begins with.
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

const playground = new Playground();
playground.open().catch((e) => playground.say(e.message));
