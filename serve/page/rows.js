// Rows describe a pixel, a draw or its state: a label, a text, a colour sample, a link, and nested rows. All views
// show the same rows.

import { el } from "./dom.js";

// samples returns the samples of a row's colours: before and after.
export const samples = (row) => [row.from, row.color].filter(Boolean).map((c) => {
  const box = el("span", { class: "swatch", "aria-hidden": "true" });
  box.style.background = `rgb(${c[0]} ${c[1]} ${c[2]})`;
  return box;
});

// line shows a row as one line.
export const line = (row) => [row.label, row.text].filter(Boolean).join(": ");

// rowTable shows rows with their nested rows. follow(link) returns the action of a link and an optional thumbnail.
// name is the table's name.
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
