// The tree of a frame. Only the rows that can be seen are elements, so a frame may
// have any number of draws.

import { el } from "./dom.js";

const HEIGHT = 22;

export class Tree {
  constructor(root, onSelect) {
    this.root = root;
    this.onSelect = onSelect;
    this.nodes = [];
    this.rows = [];
    this.at = -1; // in rows
    this.closed = new Set();
    this.filter = "";
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

  // update takes other numbers for the same frame; what is chosen stays.
  update(items) {
    const chosen = this.rows[this.at]?.item, top = this.root.scrollTop;
    const closed = new Set([...this.closed].map((n) => n.text));
    this.nodes = nodes(items);
    this.closed = new Set(this.nodes.filter((n) => closed.has(n.text)));
    this.layout();
    this.at = this.rows.findIndex((n) => chosen ? n.item?.kind === chosen.kind && n.item.draw === chosen.draw && n.item.move === chosen.move : false);
    this.root.scrollTop = top;
    this.paint();
  }

  // show takes the items of a frame.
  show(items) {
    this.nodes = nodes(items);
    this.closed.clear();
    this.at = -1;
    this.layout();
    this.root.scrollTop = 0;
  }

  setFilter(text) {
    const kept = this.rows[this.at];
    this.filter = text;
    this.layout();
    this.at = this.rows.indexOf(kept);
    this.reveal();
    this.paint();
    return this.rows.filter((n) => n.item).length;
  }

  layout() {
    const passes = matcher(this.filter);
    this.rows = [];
    for (const n of this.nodes) {
      if (n.item) {
        if (passes(n)) this.rows.push(n);
        continue;
      }
      const inside = n.children.filter(passes);
      if (inside.length === 0) continue;
      this.rows.push(n);
      if (!this.closed.has(n)) this.rows.push(...inside);
    }
    this.space.style.height = this.rows.length * HEIGHT + "px";
    this.paint();
  }

  paint() {
    const first = Math.max(0, Math.floor(this.root.scrollTop / HEIGHT) - 4);
    const last = Math.min(this.rows.length, Math.ceil((this.root.scrollTop + this.root.clientHeight) / HEIGHT) + 4);
    const list = [];
    for (let i = first; i < last; i++) list.push(this.row(this.rows[i], i));
    this.space.replaceChildren(...list);
    if (this.at >= first && this.at < last) this.root.setAttribute("aria-activedescendant", "row" + this.at);
    else this.root.removeAttribute("aria-activedescendant");
  }

  row(n, i) {
    const chosen = i === this.at;
    const open = n.children && !this.closed.has(n);
    const e = el("div", {
      id: "row" + i, class: "row" + (chosen ? " chosen" : "") + (n.item?.mark ? " " + n.item.mark : "") + (n.item ? " " + n.item.kind : " pass"),
      role: "treeitem", "aria-level": n.level, "aria-selected": String(chosen), "data-row": i,
      "aria-expanded": n.children ? String(open) : null, "aria-setsize": this.rows.length, "aria-posinset": i + 1, title: n.text,
    },
    el("span", { class: "n" }, n.children ? el("span", { class: "twist", "aria-hidden": "true" }, open ? "▾" : "▸") : n.number),
    el("span", { class: "what l" + n.level }, n.text),
    el("span", { class: "num" }, n.pixels === undefined ? "" : n.pixels.toLocaleString("en")),
    el("span", { class: "num" }, n.us ? n.us.toLocaleString("en") : ""));
    e.style.top = i * HEIGHT + "px";
    return e;
  }

  select(i) {
    if (i < 0 || i >= this.rows.length) return;
    this.at = i;
    this.reveal();
    this.paint();
    const n = this.rows[i];
    this.onSelect(n.item || n.children[0].item, n);
  }

  // reveal scrolls to the chosen row.
  reveal() {
    const top = this.at * HEIGHT;
    if (this.at < 0) return;
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (top + HEIGHT > this.root.scrollTop + this.root.clientHeight) this.root.scrollTop = top + HEIGHT - this.root.clientHeight;
  }

  // find chooses the first row whose item is as is says, and reports whether there is one.
  find(is) {
    const of = (n) => n.item && is(n.item);
    for (const n of this.nodes) {
      if (n.children?.some(of) && this.closed.delete(n)) this.layout();
    }
    const i = this.rows.findIndex(of);
    if (i >= 0) this.select(i);
    return i >= 0;
  }

  toggle(n) {
    if (!this.closed.delete(n)) this.closed.add(n);
    this.layout();
  }

  key(e) {
    const n = this.rows[this.at];
    switch (e.key) {
      case "ArrowDown": this.select(this.at + 1); break;
      case "ArrowUp": this.select(Math.max(this.at - 1, 0)); break;
      case "PageDown": this.select(Math.min(this.at + 20, this.rows.length - 1)); break;
      case "PageUp": this.select(Math.max(this.at - 20, 0)); break;
      case "Home": this.select(0); break;
      case "End": this.select(this.rows.length - 1); break;
      case "ArrowLeft":
        if (n?.children && !this.closed.has(n)) this.toggle(n);
        else if (n?.parent) this.select(this.rows.indexOf(n.parent));
        break;
      case "ArrowRight":
        if (n?.children && this.closed.has(n)) this.toggle(n);
        else if (n?.children) this.select(this.at + 1);
        break;
      default: return;
    }
    e.preventDefault();
  }
}

// nodes puts draws into passes. What happens between draws of one pass is in it.
function nodes(items) {
  const list = [];
  const next = new Array(items.length); // pass of the next draw
  for (let i = items.length - 1, pass = -1; i >= 0; i--) {
    if (items[i].kind === "draw") pass = items[i].pass || 0;
    next[i] = pass;
  }
  let group = null;
  items.forEach((item, i) => {
    const pass = item.kind === "draw" ? item.pass || 0 : -1;
    if (pass >= 0 && pass !== group?.pass) {
      group = { pass, level: 1, children: [], text: `pass ${pass}: ${item.target || "the same target"}`, pixels: 0, us: 0, number: "" };
      list.push(group);
    }
    const node = leaf(item);
    if (group && next[i] === group.pass) {
      node.level = 2;
      node.parent = group;
      group.children.push(node);
      group.pixels += node.pixels || 0;
      group.us += node.us || 0;
    } else {
      list.push(node);
    }
  });
  return list;
}

const names = { list: "list", load: "memory", fill: "fill", transfer: "transfer", copy: "copy", end: "end:" };

function leaf(item) {
  if (item.kind !== "draw") return { item, level: 1, number: "", text: names[item.kind] + " " + item.text };
  return { item, level: 1, number: String(item.draw), text: item.name ? `${item.label}: ${item.text}` : item.text, pixels: item.pixels || 0, us: item.us };
}

// matcher makes a test of a filter: words that all must occur, and comparisons
// such as pixels>1000.
function matcher(filter) {
  const tests = filter.toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    const m = /^(pixels|us|vertices|triangles|drawn|draw|pass)([<>=])(\d+)$/.exec(word);
    if (!m) return (n) => (n.text + " " + n.item.kind).toLowerCase().includes(word);
    const value = Number(m[3]);
    return (n) => {
      if (n.item.kind !== "draw") return false;
      const x = n.item[m[1]] || 0;
      return m[2] === "<" ? x < value : m[2] === ">" ? x > value : x === value;
    };
  });
  return (n) => tests.every((t) => t(n));
}
