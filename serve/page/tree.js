// The tree of a frame. Only visible rows have elements, so the number of draws is not limited.

import { el } from "./dom.js";
import { line } from "./rows.js";

// terms explains kinds of rows.
export const terms = {
  list: "A command list: register writes in memory, which the GPU reads one after the other. They set the state and start the draws.",
  load: "Memory that the program changed since the row before: vertices, textures, lists.",
  fill: "A memory fill: the GPU writes one value again and again, to clear colours or depths.",
  transfer: "A display transfer: the GPU copies a picture and changes its format, order or size, mostly to show a target on a screen.",
  copy: "A texture copy: the GPU copies memory, line by line.",
  pass: "A pass: draws one after the other to the same target.",
};

export class Tree {
  // onSelect is called with the item of the selected row; pictures is like Thumbs.of for the frame.
  constructor(root, onSelect, pictures) {
    this.root = root;
    this.onSelect = onSelect;
    this.pictures = pictures;
    this.columns = []; // numbers shown as columns
    this.items = [];
    this.rows = [];
    this.tops = [0]; // tops of the rows, and the end of the last
    this.chosen = null; // key of the selected row
    this.at = -1; // its index, -1 if it is not shown
    this.closed = new Set(); // keys of passes
    this.space = el("div", { class: "space", role: "none" });
    root.append(this.space);
    root.addEventListener("scroll", () => this.paint());
    root.addEventListener("keydown", (e) => this.key(e));
    root.addEventListener("click", (e) => {
      const row = e.target.closest("[data-row]");
      if (!row) return;
      const i = Number(row.dataset.row);
      if (e.target.classList.contains("twist")) this.toggle(this.rows[i]);
      else this.select(i);
    });
    new ResizeObserver(() => this.paint()).observe(root);
  }

  // update sets new counts for the same frame and keeps the selection.
  update({ items, passes = [] }) {
    const groups = [];
    this.items = items.map((item, i) => {
      if (item.kind !== "draw" && !item.inside) return { key: i, item, text: line(item), number: "" };
      const pass = item.pass || 0;
      const group = groups[pass] ||= { key: "pass" + pass, text: passes[pass]?.text || `pass ${pass}`, numbers: passes[pass], number: "" };
      if (item.kind !== "draw") return { key: i, item, text: line(item), number: "", group };
      group.last = item;
      return { key: i, item, text: item.text, numbers: item, number: String(item.draw), group };
    });
    this.layout();
  }

  // show displays the items of a frame.
  show(head) {
    this.closed.clear();
    this.chosen = this.list = null;
    this.root.scrollTop = 0;
    this.update(head);
  }

  // arrange shows only the items of a list, null for all; unsorted draws are shown in their passes.
  arrange(list, sorted) {
    this.list = list;
    this.sorted = sorted;
    this.layout();
    this.reveal();
    this.paint();
  }

  layout() {
    this.rows = [];
    this.tops = [0];
    const add = (n) => this.tops.push(this.tops[this.rows.push(n) - 1] + (n.item?.kind === "draw" ? 38 : 22));
    let group = null;
    for (const n of this.list?.map((i) => this.items[i]) || this.items) {
      if (!this.sorted && n.group && n.group !== group) add(n.group);
      group = n.group;
      if (this.sorted || !group || !this.closed.has(group.key)) add(n);
    }
    this.space.style.height = this.tops.at(-1) + "px";
    this.at = this.rows.findIndex((n) => n.key === this.chosen);
    this.paint();
  }

  // rowAt returns the index of the row at a height.
  rowAt(y) {
    let from = 0, to = this.rows.length;
    while (from < to) {
      const mid = (from + to) >> 1;
      if (this.tops[mid + 1] > y) to = mid;
      else from = mid + 1;
    }
    return from;
  }

  paint() {
    const first = Math.max(0, this.rowAt(this.root.scrollTop) - 4), { at } = this;
    const last = Math.min(this.rows.length, this.rowAt(this.root.scrollTop + this.root.clientHeight) + 4);
    const list = [];
    for (let i = first; i < last; i++) list.push(this.row(this.rows[i], i));
    this.space.replaceChildren(...list);
    if (at >= first && at < last) this.root.setAttribute("aria-activedescendant", "row" + at);
    else this.root.removeAttribute("aria-activedescendant");
  }

  row(n, i) {
    const { item } = n, chosen = n.key === this.chosen, open = !this.closed.has(n.key);
    const thumbs = el("span", { class: "thumbs" });
    const texts = [item?.name, n.text, item?.shader && item.shader + (this.sorted ? ", " + item.target : "")].filter(Boolean);
    const e = el("div", {
      id: "row" + i, class: "row" + (chosen ? " chosen" : "") + (item?.mark ? " " + item.mark : "") + " " + (item?.kind || "pass"),
      role: "treeitem", "aria-level": n.group && !this.sorted ? 2 : 1, "aria-selected": String(chosen), "data-row": i,
      "aria-expanded": item ? null : String(open), "aria-setsize": this.rows.length, "aria-posinset": i + 1, title: [...texts, terms[item?.kind ?? "pass"]].filter(Boolean).join("\n"),
    },
    el("span", { class: "n", "data-unit": n.number ? "draw " : null }, item ? n.number : el("span", { class: "twist", "aria-hidden": "true" }, open ? "▾" : "▸")),
    el("span", { class: "what" }, item?.name ? el("bdi", {}, item.name) : n.text, " ", el("span", { class: "below" }, texts.slice(1).join(", "))), thumbs,
    ...this.columns.map((c) => el("span", { class: "num", "data-unit": n.numbers ? c.head : null }, n.numbers ? (n.numbers[c.name] || 0).toLocaleString("en") : "")));
    e.style.top = this.tops[i] + "px";
    if (item?.textures) this.pictures(item.draw, (list) => thumbs.replaceChildren(...list.filter(Boolean)), () => e.isConnected);
    return e;
  }

  select(i) {
    if (i >= 0 && i < this.rows.length) this.choose(this.rows[i], i);
  }

  // begin restores the selection, or selects the first item shown.
  begin() { this.select(this.at >= 0 ? this.at : this.rows.findIndex((n) => n.item)); }

  choose(n, at = this.rows.indexOf(n)) {
    this.chosen = n.key;
    this.at = at;
    this.reveal();
    this.paint();
    this.onSelect(n.item || n.last);
  }

  // reveal scrolls to the selected row.
  reveal() {
    const { at, root } = this;
    if (at < 0) return;
    if (this.tops[at] < root.scrollTop) root.scrollTop = this.tops[at];
    else if (this.tops[at + 1] > root.scrollTop + root.clientHeight) root.scrollTop = this.tops[at + 1] - root.clientHeight;
  }

  // find selects the first item that satisfies is, shown or not, and reports whether there is one.
  find(is) {
    const n = this.items.find((one) => is(one.item));
    if (!n) return false;
    if (n.group && this.closed.delete(n.group.key)) this.layout();
    this.choose(n);
    return true;
  }

  toggle(n) {
    if (!this.closed.delete(n.key)) this.closed.add(n.key);
    this.layout();
  }

  key(e) {
    const { at } = this, n = this.rows[at], closed = this.closed.has(n?.key);
    switch (e.key) {
      case "ArrowDown": this.select(at + 1); break;
      case "ArrowUp": this.select(Math.max(at - 1, 0)); break;
      case "PageDown": this.select(Math.min(at + 20, this.rows.length - 1)); break;
      case "PageUp": this.select(Math.max(at - 20, 0)); break;
      case "Home": this.select(0); break;
      case "End": this.select(this.rows.length - 1); break;
      case "ArrowLeft":
        if (n && !n.item && !closed) this.toggle(n);
        else if (n?.group && !this.sorted) this.select(this.rows.indexOf(n.group));
        break;
      case "ArrowRight":
        if (n && !n.item) closed ? this.toggle(n) : this.select(at + 1);
        break;
      default: return;
    }
    e.preventDefault();
  }
}
