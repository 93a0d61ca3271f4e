// Small pictures of the textures of draws, which are asked for when nothing else is, of many
// draws at a time.

import { el } from "./dom.js";

const SOME = 256; // draws that a request is of
const KEPT = 16 << 20; // bytes

export class Thumbs {
  constructor(asker) {
    this.asker = asker;
    this.kept = new Map(); // pictures by draws, by request; the one that was used last at the end
    this.bytes = 0;
    this.wanted = [];
  }

  // of has show called with a canvas for each texture of a draw, null where there is no picture,
  // at once or while still() says so.
  of({ file, frame, edits }, draw, show, still) {
    const key = JSON.stringify({ op: "textures", file, frame, draw: draw - draw % SOME, edits });
    this.wanted.push({ key, still, show: ({ draws }) => show((draws[draw % SOME] || []).map((p) => p && canvasOf(p))) });
    const have = this.kept.get(key);
    if (!have) this.fill();
    else this.wanted.pop().show(this.use(key, have));
  }

  // use keeps pictures, as those that were used last.
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

  // fill asks for what is wanted, the last first.
  async fill() {
    if (this.filling) return;
    this.filling = true;
    await null; // until it is in the page
    while (this.wanted.length) {
      const { key, show, still } = this.wanted.pop();
      if (!still()) continue;
      const have = this.kept.get(key) || await this.asker.later(JSON.parse(key), still).then(take, () => ({ draws: [], bytes: 0 }));
      if (have) show(this.use(key, have));
    }
    this.filling = false;
  }
}

// take takes an answer apart, null if there was none.
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
