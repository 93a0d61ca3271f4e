// The picture: zoom to pixels, values under the cursor, channels, and a selected pixel.

import { byId, el, hex } from "./dom.js";
import { outlineOf, paintLegend, paletteOf } from "./palette.js";

// targets are the pictures that show a draw's target pixel by pixel.
const screens = ["top", "bottom", "topright"];
const targets = ["after", "before", "alone", "added", "depth", "depth-before", "stencil", "stencil-before", "overdraw", "overdraw-frame"];

export class Picture {
  // onPixel is called when a pixel is selected, onView when zoom or position change.
  constructor(onPixel, onView = () => {}) {
    this.onPixel = onPixel;
    this.onView = onView;
    this.canvas = byId("canvas");
    this.under = byId("under");
    this.picture = null; // {head, data}
    this.bitmap = el("canvas");
    this.zoom = 0; // 0: fit
    this.pan = [0, 0];
    this.pixel = null; // the selected pixel of the picture
    this.hover = null;
    this.changed = null; // the draw's changes, as in the protocol
    this.lies = null; // how a screen shows it, as in the protocol: it lies on its side; null if it does not
    for (const id of ["ch-r", "ch-g", "ch-b", "ch-a"]) byId(id).addEventListener("change", () => this.decode());
    byId("upright").addEventListener("change", () => { this.paint(); this.say(); });
    byId("marked")?.addEventListener("change", () => this.paint());
    byId("zoom-in").addEventListener("click", () => this.scale(2));
    byId("zoom-out").addEventListener("click", () => this.scale(0.5));
    byId("zoom-fit").addEventListener("click", () => this.fit());
    byId("zoom-one").addEventListener("click", () => { this.zoom = 1; this.pan = [0, 0]; this.seen(); });
    byId("save").addEventListener("click", () => { byId("save").href = this.bitmap.toDataURL("image/png"); });
    const c = this.canvas;
    c.addEventListener("wheel", (e) => { e.preventDefault(); this.scale(e.deltaY < 0 ? 1.25 : 0.8, e); }, { passive: false });
    this.fingers = new Map(); // positions of pressed pointers
    c.addEventListener("pointerdown", (e) => {
      this.fingers.set(e.pointerId, e);
      this.drag = this.fingers.size === 1 ? { x: e.clientX, y: e.clientY, pan: [...this.pan], moved: false } : null;
      if (e.pointerType !== "touch" || this.zoom) c.setPointerCapture(e.pointerId);
    });
    c.addEventListener("pointermove", (e) => this.move(e));
    c.addEventListener("pointerup", (e) => {
      const clicked = this.drag && !this.drag.moved;
      this.lift(e);
      if (clicked) this.choose(this.at(e), true);
    });
    c.addEventListener("pointercancel", (e) => this.lift(e)); // the page is being scrolled
    c.addEventListener("pointerleave", () => { this.hover = null; this.say(); });
    c.addEventListener("keydown", (e) => this.key(e));
    new ResizeObserver(() => this.paint()).observe(c);
  }

  // show displays a picture of the protocol, which may lie on its side.
  show(head, data, lies = null) {
    this.lies = lies;
    const other = !this.picture || this.picture.head.width !== head.width || this.picture.head.height !== head.height;
    this.picture = { head, data };
    this.late(false);
    if (other) { this.zoom = 0; this.pan = [0, 0]; }
    byId("save").hidden = false;
    byId("save").download = head.name + ".png";
    this.decode();
  }

  // where returns zoom and centre as a text; restore applies it, and a pixel.
  where() { return [this.zoom, ...this.pan].map((x) => Math.round(x * 1000) / 1000).join(","); }

  restore({ pixel, where }) {
    const [zoom, x, y] = (where || "").split(",").map(Number);
    if (zoom >= 0.1 && zoom <= 64 && Number.isFinite(x) && Number.isFinite(y)) [this.zoom, this.pan] = [zoom, [x, y]];
    else this.fit();
    this.choose(this.find(pixel), false);
  }

  // mark sets the draw's changes, null for none.
  mark(changed) {
    this.changed = changed?.width ? { ...changed, path: null } : null;
    this.paint();
  }

  // late fades the picture while the requested one is not there yet.
  late(on) { this.canvas.classList.toggle("late", on); }

  empty(why) {
    this.picture = null;
    this.late(false);
    byId("save").hidden = true;
    this.paint();
    this.under.textContent = why;
  }

  // turned reports whether the picture is turned to stand upright.
  get turned() { return byId("upright").checked && this.lies !== null; }

  decode() {
    if (!this.picture) return;
    const { head, data } = this.picture;
    const n = head.width * head.height;
    const out = new Uint8ClampedArray(4 * n);
    const on = ["r", "g", "b", "a"].map((c) => byId("ch-" + c).checked);
    this.palette = paletteOf(head, data);
    if (this.palette) {
      const { values, color } = this.palette;
      for (let i = 0; i < n; i++) {
        const c = color(values[i]);
        for (let ch = 0; ch < 3; ch++) out[4 * i + ch] = on[ch] ? c[ch] : 0;
        out[4 * i + 3] = 255;
      }
    } else {
      const alone = on[3] && !on[0] && !on[1] && !on[2];
      for (let i = 0; i < 4 * n; i += 4) {
        out[i] = alone ? data[i + 3] : on[0] ? data[i] : 0;
        out[i + 1] = alone ? data[i + 3] : on[1] ? data[i + 1] : 0;
        out[i + 2] = alone ? data[i + 3] : on[2] ? data[i + 2] : 0;
        out[i + 3] = alone ? 255 : on[3] || head.name === "added" ? data[i + 3] : 255;
      }
    }
    this.bitmap.width = head.width;
    this.bitmap.height = head.height;
    this.bitmap.getContext("2d").putImageData(new ImageData(out, head.width, head.height), 0, 0);
    this.paint();
    this.say();
  }

  // size returns the displayed size.
  get size() {
    const { width, height } = this.picture.head;
    return this.turned ? [height, width] : [width, height];
  }

  get factor() {
    const [w, h] = this.size;
    return this.zoom || Math.max(0.05, Math.min((this.canvas.clientWidth - 8) / w, (this.canvas.clientHeight - 8) / h));
  }

  origin() {
    const [w, h] = this.size, f = this.factor;
    return [Math.round((this.canvas.clientWidth - w * f) / 2 + this.pan[0]), Math.round((this.canvas.clientHeight - h * f) / 2 + this.pan[1])];
  }

  paint() {
    const c = this.canvas, ratio = window.devicePixelRatio || 1;
    c.width = Math.max(1, c.clientWidth * ratio);
    c.height = Math.max(1, c.clientHeight * ratio);
    const g = c.getContext("2d");
    g.scale(ratio, ratio);
    g.clearRect(0, 0, c.clientWidth, c.clientHeight);
    if (!this.picture) return;
    const f = this.factor, [x, y] = this.origin(), [w, h] = this.size;
    g.imageSmoothingEnabled = f < 1;
    g.save();
    g.translate(x, y);
    if (this.turned) {
      if (this.lies.flip) { g.translate(w * f, 0); g.scale(-1, 1); }
      g.translate(0, h * f);
      g.rotate(-Math.PI / 2);
    }
    g.drawImage(this.bitmap, 0, 0, this.picture.head.width * f, this.picture.head.height * f);
    this.paintMark(g, f);
    g.restore();
    if (this.palette) paintLegend(g, this.palette, c.clientHeight);
    if (f >= 8) { // the grid of pixels
      g.strokeStyle = "rgb(128 128 128 / 35%)";
      g.lineWidth = 1;
      g.beginPath();
      for (let i = Math.max(0, Math.floor(-x / f)); i <= w && x + i * f <= c.clientWidth; i++) { g.moveTo(x + i * f + 0.5, y); g.lineTo(x + i * f + 0.5, y + h * f); }
      for (let i = Math.max(0, Math.floor(-y / f)); i <= h && y + i * f <= c.clientHeight; i++) { g.moveTo(x, y + i * f + 0.5); g.lineTo(x + w * f, y + i * f + 0.5); }
      g.stroke();
    }
    if (this.pixel) {
      const [px, py] = this.shown(this.pixel);
      const s = Math.max(f, 3);
      for (const [color, grow] of [["#000", 2], ["#ff3fa4", 1]]) {
        g.strokeStyle = color;
        g.lineWidth = grow === 2 ? 3 : 1.5;
        g.strokeRect(x + (px + 0.5) * f - s / 2 - 1, y + (py + 0.5) * f - s / 2 - 1, s + 2, s + 2);
      }
    }
  }

  // paintMark marks the draw's changes.
  paintMark(g, f) {
    const { changed } = this, how = byId("marked")?.value;
    if (!changed || !how || how === "nothing" || !targets.includes(this.picture.head.name)) return;
    if (how === "outline") changed.path ??= outlineOf(changed);
    for (const [color, wide] of [["rgb(0 0 0 / 70%)", 3], ["#ffd400", 1]]) {
      g.strokeStyle = color;
      if (how === "box") {
        g.lineWidth = wide;
        g.strokeRect(changed.x * f - 1, changed.y * f - 1, changed.width * f + 2, changed.height * f + 2);
        continue;
      }
      g.save();
      g.scale(f, f);
      g.lineWidth = wide / f;
      g.stroke(changed.path);
      g.restore();
    }
  }

  // part returns the part of the picture that contains a pixel, or undefined.
  part([x, y]) { return this.picture.head.parts?.find((p) => x >= p.x && y >= p.y && x < p.x + p.width && y < p.y + p.height); }

  // shown returns the displayed position of a pixel, or the inverse.
  shown([x, y]) { return this.turned ? [this.column(y), this.picture.head.width - 1 - x] : [x, y]; }
  of([x, y]) { return this.turned ? [this.picture.head.width - 1 - y, this.column(x)] : [x, y]; }

  // column returns the column of a line, and the inverse.
  column(y) { return this.lies.flip ? this.picture.head.height - 1 - y : y; }

  // onScreen returns the place of a pixel on the screen that shows it: {screen, x, y}; null if none does. fromScreen is
  // the inverse: the first pixel that is shown there.
  onScreen([x, y]) {
    const { screen, line = 0, width, height, scale, flip } = this.lies ?? {};
    if (!screen) return null;
    const at = [Math.floor((y - line) / scale[1]), Math.floor(x / scale[0])];
    return at[0] < 0 || at[0] >= height || at[1] >= width ? null : { screen, x: flip ? height - 1 - at[0] : at[0], y: width - 1 - at[1] };
  }

  fromScreen({ screen, x, y }) {
    const l = this.lies;
    return l?.screen !== screen ? null : [(l.width - 1 - y) * l.scale[0], (l.line ?? 0) + (l.flip ? l.height - 1 - x : x) * l.scale[1]];
  }

  // find returns the pixel of this picture that was chosen in another; null if it is not in it.
  find(p) {
    if (!p || !this.picture) return null;
    const { head } = this.picture, on = p.screen ? p : p.on;
    const inside = (at) => (at && at[0] < head.width && at[1] < head.height ? at : null);
    if (head.parts || screens.includes(head.name)) {
      const part = head.parts ? head.parts.find((one) => one.name === on?.screen) : on?.screen === head.name && { x: 0, y: 0 };
      return part ? inside([on.x + part.x, on.y + part.y]) : null;
    }
    return inside(p.screen ? this.fromScreen(p) : [p.x, p.y]);
  }

  // at returns the pixel under a pointer, null outside.
  at(e) {
    if (!this.picture) return null;
    const box = this.canvas.getBoundingClientRect(), [x, y] = this.origin(), f = this.factor;
    const p = [Math.floor((e.clientX - box.left - x) / f), Math.floor((e.clientY - box.top - y) / f)];
    const [w, h] = this.size;
    return p[0] < 0 || p[1] < 0 || p[0] >= w || p[1] >= h ? null : this.of(p);
  }

  lift(e) {
    this.fingers.delete(e.pointerId);
    this.drag = null;
  }

  move(e) {
    const [a, b] = this.fingers.has(e.pointerId) && this.fingers.size === 2 ? [...this.fingers.values()] : [];
    if (a) { // two fingers: their distance sets the zoom
      const apart = (p, q) => Math.hypot(p.clientX - q.clientX, p.clientY - q.clientY);
      const before = apart(a, b);
      this.fingers.set(e.pointerId, e);
      const [p, q] = [...this.fingers.values()];
      if (before > 0) this.scale(apart(p, q) / before, { clientX: (p.clientX + q.clientX) / 2, clientY: (p.clientY + q.clientY) / 2 });
      return;
    }
    if (this.drag) {
      const dx = e.clientX - this.drag.x, dy = e.clientY - this.drag.y;
      if (Math.abs(dx) + Math.abs(dy) > 3) this.drag.moved = true;
      if (this.drag.moved) { this.pan = [this.drag.pan[0] + dx, this.drag.pan[1] + dy]; this.seen(); }
      return;
    }
    this.hover = this.at(e);
    this.say();
  }

  value([x, y]) {
    const { head, data } = this.picture, i = y * head.width + x;
    if (head.format === "rgba8" && !this.palette) {
      const [r, g, b, a] = data.subarray(4 * i, 4 * i + 4);
      return `${r} ${g} ${b} ${a}  ${hex((r << 24 | g << 16 | b << 8 | a) >>> 0)}`;
    }
    const v = this.palette.values[i];
    if (head.format === "u32") return `${hex(v, 6)}  ${(v / head.max).toFixed(6)}`;
    return head.name.startsWith("stencil") ? `${v}  ${hex(v, 2)}` : this.palette.one(v);
  }

  // name returns the name of a pixel: its position in its part.
  name([x, y]) {
    const part = this.part([x, y]), on = this.onScreen([x, y]);
    return part ? `${part.name} ${x - part.x},${y - part.y}` : `${x},${y}${on ? ` (${on.screen} ${on.x},${on.y})` : ""}`;
  }

  say() {
    if (!this.picture) return;
    const { head } = this.picture;
    const [w, h] = this.size, [narrow, low] = this.lies?.scale.map((n) => n > 1) ?? [];
    const small = narrow && low ? ", shown at half its size" : narrow || low ? `, shown at half its ${narrow === this.turned ? "height" : "width"}` : "";
    const parts = [`${w}×${h}${small}`, `${Math.round(this.factor * 100)} %`];
    if (this.palette) parts.push(this.palette.about + (this.palette.ends ? `, dark ${this.palette.ends[0]}, bright ${this.palette.ends[1]}` : ""));
    if (this.hover) parts.push(`${this.name(this.hover)}: ${this.value(this.hover)}`);
    if (this.pixel) parts.push(`chosen ${this.name(this.pixel)}: ${this.value(this.pixel)}`);
    this.under.textContent = parts.join("   ");
  }

  choose(pixel, tell) {
    this.pixel = pixel;
    this.paint();
    this.say();
    if (tell && pixel) this.onPixel(pixel);
  }

  fit() { this.zoom = 0; this.pan = [0, 0]; this.seen(); }

  // seen paints the picture after zoom or position changed.
  seen() {
    this.canvas.style.touchAction = this.zoom ? "none" : ""; // a finger moves the picture, or scrolls the page
    this.paint();
    this.say();
    clearTimeout(this.soon);
    this.soon = setTimeout(this.onView, 300);
  }

  scale(by, e) {
    if (!this.picture) return;
    const old = this.factor, box = this.canvas.getBoundingClientRect();
    const mx = e ? e.clientX - box.left : box.width / 2, my = e ? e.clientY - box.top : box.height / 2;
    const [x, y] = this.origin();
    const px = (mx - x) / old, py = (my - y) / old;
    this.zoom = Math.min(64, Math.max(0.1, old * by));
    const [nx, ny] = this.origin();
    this.pan = [this.pan[0] + mx - px * this.zoom - nx, this.pan[1] + my - py * this.zoom - ny];
    this.seen();
  }

  key(e) {
    if (!this.picture) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (step) {
      const [w, h] = this.size;
      const [x, y] = this.pixel ? this.shown(this.pixel) : [w >> 1, h >> 1];
      const k = e.shiftKey ? 8 : 1;
      this.choose(this.of([Math.min(Math.max(x + k * step[0], 0), w - 1), Math.min(Math.max(y + k * step[1], 0), h - 1)]), false);
    } else if (e.key === "Enter" && this.pixel) this.onPixel(this.pixel);
    else if (e.key === "+" || e.key === "=") this.scale(2);
    else if (e.key === "-") this.scale(0.5);
    else if (e.key === "0") this.fit();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }
}
