// Dividers between the columns: moved with the mouse or arrow keys. Their positions are stored between visits; a
// double click resets one.

import { el } from "./dom.js";
import { read, write } from "./stored.js";

// divide puts dividers between the sections of main. sides names the column whose width each divider sets: "left",
// or "right" for the last one.
export function divide(main, sides, key) {
  const widths = new Map(read(key).filter((x) => Array.isArray(x)).filter(([side, w]) => sides.includes(side) && w > 0 && w < 1));
  const sections = [...main.querySelectorAll(":scope > section")];
  sides.forEach((side, i) => {
    const before = side === "left";
    const bar = el("div", { class: "divider", role: "separator", tabindex: 0, "aria-orientation": "vertical", "aria-label": `Width of: ${(before ? sections[i] : sections[i + 1]).getAttribute("aria-label")}`, "aria-valuemin": 10, "aria-valuemax": 80 });
    const set = (w) => {
      if (w === null) widths.delete(side);
      else widths.set(side, Math.min(Math.max(w, 0.1), 0.8));
      show();
      write(key, [...widths]);
    };
    const show = () => {
      const w = widths.get(side);
      if (w === undefined) main.style.removeProperty("--" + side);
      else main.style.setProperty("--" + side, (100 * w).toFixed(2) + "%");
      bar.setAttribute("aria-valuenow", Math.round(100 * (w ?? now())));
    };
    const now = () => (before ? sections[i] : sections[i + 1]).getBoundingClientRect().width / main.getBoundingClientRect().width || 0.3;
    bar.addEventListener("pointerdown", (e) => {
      bar.setPointerCapture(e.pointerId);
      e.preventDefault();
    });
    bar.addEventListener("pointermove", (e) => {
      if (!bar.hasPointerCapture(e.pointerId)) return;
      const box = main.getBoundingClientRect();
      set((before ? e.clientX - box.left : box.right - e.clientX) / box.width);
    });
    bar.addEventListener("dblclick", () => set(null));
    bar.addEventListener("keydown", (e) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (!by && e.key !== "Home") return;
      e.preventDefault();
      set(by ? now() + (before ? by : -by) * 0.02 : null);
    });
    sections[i].after(bar);
    show();
  });
}
