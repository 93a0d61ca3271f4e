// The mesh: a table of the vertices before and after the shader, and the mesh, shaded.

import { el, number } from "./dom.js";

const PAGE = 200;

export async function meshPanel(app, box, draw) {
  const keep = app.kept;
  keep.stage ||= "in";
  keep.vertex = Math.min(keep.vertex || 0, Math.max(draw.vertex_count - 1, 0));
  const stage = el("select", { "aria-label": "Vertices" }, el("option", { value: "in", selected: keep.stage === "in" }, "before the shader"), el("option", { value: "out", selected: keep.stage === "out" }, "after the shader"));
  stage.addEventListener("change", () => { keep.stage = stage.value; meshPanel(app, box, draw); });
  const run = el("button", { onclick: () => app.openPanel("shader") });
  const label = () => { run.textContent = `Run the shader on vertex ${keep.vertex}`; };
  label();
  const canvas = el("canvas", { class: "mesh", tabindex: 0, role: "application", "aria-label": "Mesh: arrow keys turn it, plus and minus zoom" });
  const note = el("p", { class: "none", role: "status" });
  const table = el("div", { class: "scroll" });
  box.replaceChildren(el("div", { class: "bar" }, el("label", {}, "Vertices ", stage), run), canvas, note, table);
  const view = new View(canvas);
  const choose = (i) => {
    keep.vertex = i;
    label();
    view.chosen = i;
    view.paint();
    for (const r of table.querySelectorAll("tr[data-vertex]")) r.classList.toggle("chosen", Number(r.dataset.vertex) === i);
  };
  view.onChoose = (i) => { show(Math.floor(i / PAGE) * PAGE).then(() => choose(i)); };

  async function show(from) {
    let head;
    try {
      ({ head } = await app.ask({ op: "vertices", ...app.place(), what: keep.stage, from, count: PAGE }, "vertices"));
    } catch (e) {
      if (e.code !== "stopped") table.replaceChildren(el("p", { class: "none" }, e.message));
      return;
    }
    const pager = head.total > PAGE ? el("div", { class: "bar", role: "group", "aria-label": "Pages" },
      el("button", { disabled: from === 0, onclick: () => show(Math.max(from - PAGE, 0)) }, "Before"),
      `${from} to ${from + head.rows.length - 1} of ${head.total}`,
      el("button", { disabled: from + PAGE >= head.total, onclick: () => show(from + PAGE) }, "After")) : "";
    table.replaceChildren(pager, head.error ? el("p", { class: "none" }, head.error) : "", el("table", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "vertex"), ...head.columns.map((c) => el("th", { scope: "col" }, c)))),
      el("tbody", {}, ...head.rows.map((row, i) => el("tr", { "data-vertex": from + i, class: from + i === keep.vertex ? "chosen" : "" },
        el("th", { scope: "row" }, el("button", { class: "link", onclick: () => choose(from + i) }, String(from + i))), ...row.map((x) => el("td", { class: "num" }, number(x))))))));
  }
  await Promise.all([show(Math.floor(keep.vertex / PAGE) * PAGE), (async () => {
    try {
      const { head, data } = await app.ask({ op: "mesh", ...app.place(), what: keep.stage }, "mesh");
      const bytes = data.slice().buffer;
      view.chosen = keep.vertex;
      view.show(new Float32Array(bytes, 0, 4 * head.vertices), new Uint32Array(bytes, 16 * head.vertices), keep.stage === "out");
      note.textContent = `${head.vertices} vertices, ${head.triangles} triangles${head.note ? "; " + head.note : ""}`;
    } catch (e) {
      if (e.code !== "stopped") note.textContent = e.message;
    }
  })()]);
}

// View draws a mesh that the mouse rotates: shaded, with edges, each pixel from the nearest triangle.
export class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.turn = [0.5, 0.4];
    this.near = 1;
    this.points = null;
    canvas.addEventListener("pointerdown", (e) => { this.drag = [e.clientX, e.clientY, ...this.turn, false]; canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener("pointermove", (e) => {
      if (!this.drag) return;
      const dx = e.clientX - this.drag[0], dy = e.clientY - this.drag[1];
      if (Math.abs(dx) + Math.abs(dy) > 3) this.drag[4] = true;
      this.turn = [this.drag[2] + dx / 100, this.drag[3] + dy / 100];
      this.soon();
    });
    canvas.addEventListener("pointerup", (e) => {
      if (this.drag && !this.drag[4]) this.pick(e);
      this.drag = null;
    });
    canvas.addEventListener("wheel", (e) => { e.preventDefault(); this.near *= e.deltaY < 0 ? 1.2 : 1 / 1.2; this.soon(); }, { passive: false });
    canvas.addEventListener("keydown", (e) => {
      const t = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[e.key];
      if (t) this.turn = [this.turn[0] + t[0], this.turn[1] + t[1]];
      else if (e.key === "+" || e.key === "=") this.near *= 1.2;
      else if (e.key === "-") this.near /= 1.2;
      else return;
      e.preventDefault();
      e.stopPropagation();
      this.soon();
    });
    new ResizeObserver(() => this.paint()).observe(canvas);
  }

  // soon paints once before the next frame of the browser.
  soon() { this.frame ??= requestAnimationFrame(() => { this.frame = null; this.paint(); }); }

  // show displays positions of four numbers, divided by w if they are clip coordinates. What is behind the eye (w up to 0)
  // has no place. z grows towards the eye, as 1/w does; without perspective -1 is nearest.
  show(positions, triangles, clip) {
    const n = positions.length / 4, p = new Float32Array(3 * n);
    let least = Infinity, most = -Infinity, toEye = 0, z0 = 0;
    for (let i = 0; i < n; i++) {
      const w = clip ? positions[4 * i + 3] : 1;
      for (let c = 0; c < 3; c++) p[3 * i + c] = w > 0 ? positions[4 * i + c] / w : NaN;
      if (1 / w > most && w > 0) [most, toEye] = [1 / w, p[3 * i + 2]];
      if (1 / w < least && w > 0) [least, z0] = [1 / w, p[3 * i + 2]];
    }
    if (clip && (most === least || toEye < z0)) for (let i = 2; i < p.length; i += 3) p[i] = -p[i];
    this.low = [Infinity, Infinity, Infinity];
    this.high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < p.length; i++) {
      if (!Number.isFinite(p[i])) continue;
      this.low[i % 3] = Math.min(this.low[i % 3], p[i]);
      this.high[i % 3] = Math.max(this.high[i % 3], p[i]);
    }
    if (clip) this.turn = [0, 0];
    this.points = p;
    this.triangles = triangles;
    this.paint();
  }

  // project returns x and y in pixels of the canvas element, and z towards the eye in the same scale.
  project() {
    const { points, low, high } = this, out = new Float32Array(points.length);
    const middle = low.map((l, c) => (l + high[c]) / 2);
    const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    const w = this.canvas.clientWidth, h = this.canvas.clientHeight, k = Math.min(w, h) / size * 0.85 * this.near;
    const [sa, ca, sb, cb] = [Math.sin(this.turn[0]), Math.cos(this.turn[0]), Math.sin(this.turn[1]), Math.cos(this.turn[1])];
    for (let i = 0; i < out.length; i += 3) {
      const x = points[i] - middle[0], y = points[i + 1] - middle[1], z = points[i + 2] - middle[2];
      const z1 = z * ca - x * sa;
      out[i] = w / 2 + (x * ca + z * sa) * k;
      out[i + 1] = h / 2 - (y * cb - z1 * sb) * k;
      out[i + 2] = (y * sb + z1 * cb) * k;
    }
    return out;
  }

  paint() {
    const c = this.canvas, ratio = window.devicePixelRatio || 1;
    c.width = Math.max(1, c.clientWidth * ratio);
    c.height = Math.max(1, c.clientHeight * ratio);
    if (!this.points) return;
    const g = c.getContext("2d"), p = this.project(), image = g.createImageData(c.width, c.height);
    g.fillStyle = getComputedStyle(c).color;
    g.fillRect(0, 0, 1, 1);
    this.depths = new Float32Array(c.width * c.height).fill(-Infinity);
    const color = g.getImageData(0, 0, 1, 1).data;
    for (let i = 0; i + 2 < this.triangles.length; i += 3) this.fill(image, p, i, ratio, color);
    g.putImageData(image, 0, 0);
    g.scale(ratio, ratio);
    if (p.length < 6000) for (let i = 0; i < p.length; i += 3) if (this.seen(p, i)) g.fillRect(p[i] - 1, p[i + 1] - 1, 2, 2);
    if (3 * this.chosen + 2 < p.length) {
      g.fillStyle = "#ff3fa4";
      g.beginPath();
      g.arc(p[3 * this.chosen], p[3 * this.chosen + 1], 4, 0, 7);
      g.fill();
    }
  }

  // fill draws a triangle where it is nearer than what was drawn: bright towards the eye, its edges in full colour.
  fill(image, p, at, ratio, color) {
    const { width, height, data } = image, { depths, triangles } = this, i = 3 * triangles[at], j = 3 * triangles[at + 1], k = 3 * triangles[at + 2];
    const ax = p[i] * ratio, ay = p[i + 1] * ratio, az = p[i + 2] * ratio, bx = p[j] * ratio, by = p[j + 1] * ratio, bz = p[j + 2] * ratio, cx = p[k] * ratio, cy = p[k + 1] * ratio, cz = p[k + 2] * ratio;
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (!area) return; // also NaN
    const ux = bx - ax, uy = by - ay, uz = bz - az, vx = cx - ax, vy = cy - ay, vz = cz - az;
    const shade = 0.25 + 0.5 * Math.abs(area) / Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, area);
    // A pixel belongs to an edge up to its distance of 0.7 from it; small triangles have no room for edges.
    const long = [Math.hypot(cx - bx, cy - by), Math.hypot(ax - cx, ay - cy), Math.hypot(ux, uy)].map((l) => (Math.abs(area) < 40 * ratio ? 0 : 0.7 * ratio * l / Math.abs(area)));
    const right = Math.min(width - 1, Math.ceil(Math.max(ax, bx, cx))), down = Math.min(height - 1, Math.ceil(Math.max(ay, by, cy)));
    for (let y = Math.max(0, Math.floor(Math.min(ay, by, cy))); y <= down; y++) {
      for (let x = Math.max(0, Math.floor(Math.min(ax, bx, cx))); x <= right; x++) {
        const px = x + 0.5, py = y + 0.5;
        const b = ((px - ax) * vy - (py - ay) * vx) / area, c = (ux * (py - ay) - uy * (px - ax)) / area, a = 1 - b - c;
        if (a < 0 || b < 0 || c < 0) continue;
        const z = az * a + bz * b + cz * c, n = y * width + x;
        if (z <= depths[n]) continue;
        depths[n] = z;
        const edge = a < long[0] || b < long[1] || c < long[2];
        data.set(color, 4 * n);
        data[4 * n + 3] = edge ? 255 : 255 * shade;
      }
    }
  }

  // seen reports whether nothing is before a point.
  seen(p, i) {
    const c = this.canvas, ratio = window.devicePixelRatio || 1, x = Math.floor(p[i] * ratio), y = Math.floor(p[i + 1] * ratio);
    return x >= 0 && y >= 0 && x < c.width && y < c.height && p[i + 2] * ratio > this.depths[y * c.width + x] - 3 * ratio;
  }

  // pick chooses the nearest point to a pointer that is seen.
  pick(e) {
    if (!this.points) return;
    const box = this.canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top, p = this.project();
    let best = -1, least = 200;
    for (let i = 0; i < p.length; i += 3) {
      const d = (p[i] - x) ** 2 + (p[i + 1] - y) ** 2;
      if (d < least && this.seen(p, i)) { least = d; best = i / 3; }
    }
    if (best >= 0) this.onChoose(best);
  }
}
