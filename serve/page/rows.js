// Rows are what the engine tells of a pixel, a draw or its state: a label, what there is
// to say, a sample of a colour, a link, and what is told in detail below. Whatever shows
// them shows the same.

import { el } from "./dom.js";

// samples are those of a row's colours: what was, and what is.
export const samples = (row) => [row.from, row.color].filter(Boolean).map((c) => {
  const box = el("span", { class: "swatch", "aria-hidden": "true" });
  box.style.background = `rgb(${c[0]} ${c[1]} ${c[2]})`;
  return box;
});

// line is a row as one line.
export const line = (row) => [row.label, row.text].filter(Boolean).join(": ");

// rowTable shows rows with all that is below them. follow(link) gives what a click on a
// row with a link does, and a small picture of what it leads to, or nothing. name is the table's.
export function rowTable(rows, follow = () => null, name = null) {
  const out = [];
  const add = (list, depth) => {
    for (const row of list) {
      const act = row.link && follow(row.link);
      const head = el("th", { scope: "row" }, act ? el("button", { class: "link", title: act.title, onclick: act.run }, row.label) : row.label || "");
      head.style.paddingLeft = 12 * depth + "px";
      out.push(el("tr", { class: row.mark || "" }, head, el("td", {}, ...samples(row), row.text || "", act?.picture)));
      add(row.rows || [], depth + 1);
    }
  };
  add(rows, 0);
  return el("table", { class: "rows", "aria-label": name }, el("tbody", {}, ...out));
}
