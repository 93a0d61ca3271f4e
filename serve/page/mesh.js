// The mesh: a table of the vertices before and after the shader, and a wireframe.

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
  const canvas = el("canvas", { class: "mesh", tabindex: 0, role: "application", "aria-label": "Wireframe: arrow keys turn it, plus and minus zoom" });
  const note = el("p", { class: "none", role: "status" });
  const table = el("div", { class: "scroll" });
  box.replaceChildren(el("div", { class: "bar" }, el("label", {}, "Vertices ", stage), run), canvas, note, table);
  const wire = new Wire(canvas);
  const choose = (i) => {
    keep.vertex = i;
    label();
    wire.chosen = i;
    wire.paint();
    for (const r of table.querySelectorAll("tr[data-vertex]")) r.classList.toggle("chosen", Number(r.dataset.vertex) === i);
  };
  wire.onChoose = (i) => { show(Math.floor(i / PAGE) * PAGE).then(() => choose(i)); };

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
      wire.chosen = keep.vertex;
      wire.show(new Float32Array(bytes, 0, 4 * head.vertices), new Uint32Array(bytes, 16 * head.vertices), keep.stage === "out");
      note.textContent = `${head.vertices} vertices, ${head.triangles} triangles${head.note ? "; " + head.note : ""}`;
    } catch (e) {
      if (e.code !== "stopped") note.textContent = e.message;
    }
  })()]);
}

// Wire draws a mesh that the mouse rotates.
class Wire {
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
      this.paint();
    });
    canvas.addEventListener("pointerup", (e) => {
      if (this.drag && !this.drag[4]) this.pick(e);
      this.drag = null;
    });
    canvas.addEventListener("wheel", (e) => { e.preventDefault(); this.near *= e.deltaY < 0 ? 1.2 : 1 / 1.2; this.paint(); }, { passive: false });
    canvas.addEventListener("keydown", (e) => {
      const t = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[e.key];
      if (t) this.turn = [this.turn[0] + t[0], this.turn[1] + t[1]];
      else if (e.key === "+" || e.key === "=") this.near *= 1.2;
      else if (e.key === "-") this.near /= 1.2;
      else return;
      e.preventDefault();
      e.stopPropagation();
      this.paint();
    });
    new ResizeObserver(() => this.paint()).observe(canvas);
  }

  // show displays positions of four numbers, divided by w if they are clip coordinates.
  show(positions, triangles, clip) {
    const n = positions.length / 4;
    const p = new Float32Array(3 * n);
    for (let i = 0; i < n; i++) {
      const w = clip && positions[4 * i + 3] !== 0 ? positions[4 * i + 3] : 1;
      for (let c = 0; c < 3; c++) p[3 * i + c] = positions[4 * i + c] / w;
    }
    this.low = [Infinity, Infinity, Infinity];
    this.high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < p.length; i++) {
      if (!Number.isFinite(p[i])) p[i] = 0;
      this.low[i % 3] = Math.min(this.low[i % 3], p[i]);
      this.high[i % 3] = Math.max(this.high[i % 3], p[i]);
    }
    if (clip) this.turn = [0, 0];
    this.points = p;
    this.triangles = triangles;
    this.paint();
  }

  project() {
    const { points, low, high } = this, out = new Float32Array(points.length / 3 * 2);
    const middle = low.map((l, c) => (l + high[c]) / 2);
    const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    const w = this.canvas.clientWidth, h = this.canvas.clientHeight, k = Math.min(w, h) / size * 0.85 * this.near;
    const [sa, ca, sb, cb] = [Math.sin(this.turn[0]), Math.cos(this.turn[0]), Math.sin(this.turn[1]), Math.cos(this.turn[1])];
    for (let i = 0; i < out.length / 2; i++) {
      const x = points[3 * i] - middle[0], y = points[3 * i + 1] - middle[1], z = points[3 * i + 2] - middle[2];
      const x1 = x * ca + z * sa, z1 = z * ca - x * sa;
      out[2 * i] = w / 2 + x1 * k;
      out[2 * i + 1] = h / 2 - (y * cb - z1 * sb) * k;
    }
    return out;
  }

  paint() {
    const c = this.canvas, ratio = window.devicePixelRatio || 1;
    c.width = Math.max(1, c.clientWidth * ratio);
    c.height = Math.max(1, c.clientHeight * ratio);
    if (!this.points) return;
    const g = c.getContext("2d"), style = getComputedStyle(c);
    g.scale(ratio, ratio);
    const p = this.project(), t = this.triangles;
    g.strokeStyle = style.color;
    g.lineWidth = 0.7;
    g.beginPath();
    for (let i = 0; i + 2 < t.length; i += 3) {
      g.moveTo(p[2 * t[i]], p[2 * t[i] + 1]);
      g.lineTo(p[2 * t[i + 1]], p[2 * t[i + 1] + 1]);
      g.lineTo(p[2 * t[i + 2]], p[2 * t[i + 2] + 1]);
      g.closePath();
    }
    g.stroke();
    g.fillStyle = style.color;
    if (p.length < 4000) for (let i = 0; i < p.length; i += 2) g.fillRect(p[i] - 1, p[i + 1] - 1, 2, 2);
    if (2 * this.chosen + 1 < p.length) {
      g.fillStyle = "#ff3fa4";
      g.beginPath();
      g.arc(p[2 * this.chosen], p[2 * this.chosen + 1], 4, 0, 7);
      g.fill();
    }
  }

  pick(e) {
    if (!this.points) return;
    const box = this.canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top, p = this.project();
    let best = -1, least = 200;
    for (let i = 0; i < p.length / 2; i++) {
      const d = (p[2 * i] - x) ** 2 + (p[2 * i + 1] - y) ** 2;
      if (d < least) { least = d; best = i; }
    }
    if (best >= 0) this.onChoose(best);
  }
}
