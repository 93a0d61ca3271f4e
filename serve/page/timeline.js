// The timeline: a strip of frames with thumbnails, which are requested while nothing else is pending. Only visible
// frames have elements.

import { el, paint } from "./dom.js";

const WIDTH = 104;

export class Timeline {
  constructor(root, asker, onSelect) {
    this.root = root;
    this.asker = asker;
    this.onSelect = onSelect;
    this.frames = 0;
    this.file = 0;
    this.at = 0;
    this.pictures = new Map(); // canvases by frame; at most KEPT
    this.far = 0; // the next frame ahead
    this.space = el("div", { class: "space", role: "none" });
    root.append(this.space);
    root.addEventListener("scroll", () => this.paint());
    root.addEventListener("click", (e) => {
      const cell = e.target.closest("[data-frame]");
      if (cell) onSelect(Number(cell.dataset.frame));
    });
    root.addEventListener("keydown", (e) => {
      const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.frames - 1 }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      onSelect(Math.min(Math.max(to, 0), this.frames - 1));
    });
    new ResizeObserver(() => this.paint()).observe(root);
  }

  show(file, frames) {
    this.file = file;
    this.frames = frames;
    this.pictures.clear();
    this.far = 0;
    this.space.style.width = frames * WIDTH + "px";
    this.paint();
  }

  choose(frame) {
    this.at = frame;
    const left = frame * WIDTH;
    if (left < this.root.scrollLeft) this.root.scrollLeft = left;
    else if (left + WIDTH > this.root.scrollLeft + this.root.clientWidth) this.root.scrollLeft = left + WIDTH - this.root.clientWidth;
    this.paint();
  }

  seen() {
    const first = Math.max(0, Math.floor(this.root.scrollLeft / WIDTH) - 1);
    return [first, Math.min(this.frames, Math.ceil((this.root.scrollLeft + this.root.clientWidth) / WIDTH) + 1)];
  }

  paint() {
    const [first, last] = this.seen();
    const list = [];
    for (let f = first; f < last; f++) {
      const chosen = f === this.at;
      const cell = el("div", {
        class: "frame" + (chosen ? " chosen" : ""), id: "frame" + f, role: "option", "aria-selected": String(chosen),
        "aria-label": "Frame " + f, "aria-setsize": this.frames, "aria-posinset": f + 1, "data-frame": f,
      }, this.pictures.get(f) || el("div", { class: "none" }), el("span", {}, String(f)));
      cell.style.left = f * WIDTH + "px";
      list.push(cell);
    }
    this.space.replaceChildren(...list);
    if (this.at >= first && this.at < last) this.root.setAttribute("aria-activedescendant", "frame" + this.at);
    else this.root.removeAttribute("aria-activedescendant");
    this.fill();
  }

  // ahead returns a missing frame at an even distance, null for none: rendering it in the background makes
  // checkpoints, from which far frames are reached quickly. It is null if background work cannot be interrupted.
  ahead() {
    if (!this.asker.transport.yields) return null;
    const apart = Math.ceil(this.frames / AHEAD);
    while (this.far < this.frames && this.pictures.has(this.far)) this.far += apart;
    return this.far < this.frames ? this.far : null;
  }

  // fill requests missing visible thumbnails, one at a time.
  async fill() {
    if (this.filling) return;
    this.filling = true;
    try {
      for (;;) {
        const [first, last] = this.seen();
        const file = this.file;
        let frame = first;
        while (frame < last && this.pictures.has(frame)) frame++;
        const ahead = frame >= last;
        if (ahead) {
          frame = this.ahead();
          if (frame === null) return;
        }
        // Visible frames are requested at once, frames ahead after a pause without requests.
        const wanted = () => {
          const [from, to] = this.seen();
          return file === this.file && (ahead ? performance.now() - this.asker.since >= PAUSE : frame >= from && frame < to);
        };
        let canvas = el("div", { class: "none" });
        try {
          const found = await this.asker.later({ op: "thumb", file, frame }, wanted);
          if (found) paint(canvas = el("canvas", { "aria-hidden": "true" }), found.head, found.data);
          else await new Promise((done) => { setTimeout(done, 50); });
          if (!found) continue;
        } catch (e) {
          if (e.code === "gone") return;
        }
        if (file !== this.file) continue;
        if (this.pictures.size >= KEPT) this.pictures.delete(this.pictures.keys().next().value);
        this.pictures.set(frame, canvas);
        document.getElementById("frame" + frame)?.firstChild.replaceWith(canvas);
      }
    } finally {
      this.filling = false;
    }
  }
}

const KEPT = 512;
const AHEAD = 64; // frames at even distances
const PAUSE = 1000; // ms
