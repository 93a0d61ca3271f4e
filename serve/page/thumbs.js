// Thumbnails of the textures of draws, requested while nothing else is pending, for many draws at a time.

import { el } from "./dom.js";

const SOME = 256; // draws per request
const KEPT = 16 << 20; // bytes

export class Thumbs {
  constructor(asker) {
    this.asker = asker;
    this.kept = new Map(); // pictures by draws, by request; most recently used last
    this.bytes = 0;
    this.wanted = [];
  }

  // of calls show with a canvas for each texture of a draw, null without a picture, at once, or later if still()
  // is true.
  of({ file, frame, edits }, draw, show, still) {
    const key = JSON.stringify({ op: "textures", file, frame, draw: draw - draw % SOME, edits });
    this.wanted.push({ key, still, show: ({ draws }) => show((draws[draw % SOME] || []).map((p) => p && canvasOf(p))) });
    const have = this.kept.get(key);
    if (!have) this.fill();
    else this.wanted.pop().show(this.use(key, have));
  }

  // use marks pictures as most recently used.
  use(key, pictures) {
    if (!this.kept.delete(key)) this.bytes += pictures.bytes;
    this.kept.set(key, pictures);
    while (this.bytes > KEPT && this.kept.size > 1) {
      const [oldest, { bytes }] = this.kept.entries().next().value;
      this.kept.delete(oldest);
      this.bytes -= bytes;
    }
    return pictures;
  }

  // fill requests the wanted thumbnails, the newest first.
  async fill() {
    if (this.filling) return;
    this.filling = true;
    await null; // until the row is in the page
    while (this.wanted.length) {
      const { key, show, still } = this.wanted.pop();
      if (!still()) continue;
      const have = this.kept.get(key) || await this.asker.later(JSON.parse(key), still).then(take, () => ({ draws: [], bytes: 0 }));
      if (have) show(this.use(key, have));
    }
    this.filling = false;
  }
}

// take parses an answer, null if there was none.
function take(answer) {
  if (!answer) return null;
  let at = 0;
  const pictures = answer.head.pictures.map(({ width, height }) => new ImageData(new Uint8ClampedArray(answer.data.slice(at, at += 4 * width * height)), width, height));
  return { bytes: at, draws: answer.head.draws.map((list) => list.map((i) => pictures[i] || null)) };
}

function canvasOf(picture) {
  const canvas = el("canvas", { width: picture.width, height: picture.height, "aria-hidden": "true" });
  canvas.getContext("2d").putImageData(picture, 0, 0);
  return canvas;
}
