// Palettes for pictures that are not colours: the colour of each value, and the legend.

const stops = { // from the lowest to the highest value
  depth: ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"],
  heat: ["#000004", "#420a68", "#932667", "#dd513a", "#fca50a", "#fcffa4"],
};

// ramp returns the 256 colours of a palette.
function ramp(name) {
  const list = stops[name].map((c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16)));
  return Array.from({ length: 256 }, (_, i) => {
    const x = i / 255 * (list.length - 1), k = Math.min(Math.floor(x), list.length - 2);
    return list[k].map((c, ch) => Math.round(c + (list[k + 1][ch] - c) * (x - k)));
  });
}

const ramps = { depth: ramp("depth"), heat: ramp("heat") };

// paletteOf returns how to paint a picture: null for plain colours, otherwise {values, low, high, max, color(v),
// legend: rows of [text, color], ramp, text(v), about}.
export function paletteOf({ width, height, format, name, max, top }, data) {
  const n = width * height;
  let values = data, one = String, about = "";
  if (name === "gas") {
    values = Uint8Array.from({ length: n }, (_, i) => data[4 * i]);
    one = (v) => (v / 255 * (top || 0)).toPrecision(3);
    about = "density of gas";
  } else if (name === "shadow") {
    values = Uint8Array.from({ length: n }, (_, i) => data[4 * i]);
    one = (v) => (v / 255).toFixed(3);
    about = "depth of shadows";
  } else if (format === "u32") {
    values = new Uint32Array(data.slice().buffer);
    about = "depth";
  } else if (format !== "u8") return null;
  let low = Infinity, high = 0, sum = 0;
  const counts = new Map();
  for (const v of values) {
    if (v < low) low = v;
    if (v > high && (format !== "u32" || v !== max)) high = v; // the cleared maximum depth is ignored
    sum += v;
    if (format === "u8" && counts.size < 257) counts.set(v, (counts.get(v) || 0) + 1);
  }
  if (name.startsWith("stencil")) { // values are flags: each has its own colour
    const list = [...counts].sort((a, b) => a[0] - b[0]);
    const color = (v) => (v ? hue(list.findIndex(([x]) => x === v) * 137.5) : [0, 0, 0]);
    return { values, one, color, about: "stencil", legend: list.slice(0, 8).map(([v, k]) => [`${v}: ${k} px`, color(v)]) };
  }
  if (name.startsWith("overdraw")) {
    low = 0;
    about = `fragments on a pixel, ${(sum / Math.max(n - (counts.get(0) || 0), 1)).toFixed(2)} on average where there are any` + (high === max ? "; more are not counted" : "");
  }
  if (name === "gas") low = 0;
  const empty = high <= low;
  if (empty) high = format === "u32" ? max : low + 1;
  const of = ramps[format === "u32" || name === "shadow" ? "depth" : "heat"];
  const color = (v) => of[Math.min(255, Math.max(0, Math.floor(255 * (v - low) / (high - low))))];
  return { values, one, color, about, ramp: of, ends: [one(low), empty ? one(low) : one(high)] };
}

// hue returns a bright colour for an angle.
function hue(angle) {
  return [0, 8, 4].map((n) => {
    const k = (n + angle / 30) % 12;
    return Math.round(255 * (0.6 - 0.35 * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  });
}

// paintLegend paints a legend into the lower left corner of an area of the given height.
export function paintLegend(g, { ramp: of, ends, legend }, height) {
  g.save();
  g.font = "11px system-ui, sans-serif";
  g.textBaseline = "middle";
  const rows = legend || [], wide = of ? Math.max(140, g.measureText(ends.join("    ")).width) : Math.max(...rows.map(([t]) => g.measureText(t).width)) + 16, tall = of ? 30 : 15 * rows.length;
  g.fillStyle = "rgb(0 0 0 / 75%)";
  g.fillRect(6, height - tall - 14, wide + 12, tall + 8);
  g.translate(12, height - tall - 10);
  if (of) {
    of.forEach((c, i) => { g.fillStyle = `rgb(${c})`; g.fillRect(i * wide / 256, 0, wide / 256 + 1, 12); });
    g.fillStyle = "#fff";
    g.fillText(ends[0], 0, 22);
    g.textAlign = "right";
    g.fillText(ends[1], wide, 22);
  }
  rows.forEach(([text, c], i) => {
    g.fillStyle = `rgb(${c})`;
    g.fillRect(0, 15 * i + 2, 11, 11);
    g.fillStyle = "#fff";
    g.fillText(text, 16, 15 * i + 8);
  });
  g.restore();
}

// outlineOf returns the border of the pixels that a draw changed, in pixels of the picture.
export function outlineOf({ x, y, width, height, bits }) {
  const raw = atob(bits), path = new Path2D();
  const on = (i, j) => i >= 0 && j >= 0 && i < width && j < height && raw.charCodeAt((j * width + i) >> 3) >> (7 - (j * width + i) % 8) & 1;
  for (let j = 0; j <= height; j++) { // lines between rows, as long as possible
    for (let i = 0, from = -1; i <= width; i++) {
      const edge = i < width && on(i, j) !== on(i, j - 1);
      if (edge && from < 0) from = i;
      if (!edge && from >= 0) { path.moveTo(x + from, y + j); path.lineTo(x + i, y + j); from = -1; }
    }
  }
  for (let i = 0; i <= width; i++) {
    for (let j = 0, from = -1; j <= height; j++) {
      const edge = j < height && on(i, j) !== on(i - 1, j);
      if (edge && from < 0) from = j;
      if (!edge && from >= 0) { path.moveTo(x + i, y + from); path.lineTo(x + i, y + j); from = -1; }
    }
  }
  return path;
}
