// A value is changed in its place: a list of names, or an input; what is wrong is said below.

import { el } from "./dom.js";

// edit puts a control in the place of a button. choices are names to choose from, null for
// an input; expected says which values there are; take(text) takes a value, and throws what
// is wrong with it.
export function edit(button, { label, value, choices, expected }, take) {
  const said = el("span", { class: "bad", role: "alert" });
  const control = choices ? el("select", { "aria-label": label }, ...choices.map((c) => el("option", { value: c, selected: c === value }, c)))
    : el("input", { type: "text", size: Math.min(Math.max(value.length + 2, 8), 24), "aria-label": label });
  if (!choices) control.value = value;
  const box = el("span", { class: "editing" }, control, choices ? null : el("span", { class: "none" }, expected), said);
  let busy = false, done = false;
  const end = () => {
    if (done || !box.isConnected) return;
    done = true; // what goes loses the focus, which ends it too
    const held = box.contains(document.activeElement);
    box.replaceWith(button);
    if (held) button.focus();
  };
  const go = async () => {
    if (busy) return;
    if (control.value === value) return end();
    busy = true;
    said.textContent = "";
    try {
      await take(control.value);
      end();
    } catch (e) {
      control.setAttribute("aria-invalid", "true");
      said.textContent = " " + e.message;
    }
    busy = false;
  };
  control.addEventListener("keydown", (e) => {
    e.stopPropagation();
    if (e.key === "Enter") go();
    if (e.key === "Escape") end();
  });
  if (choices) control.addEventListener("change", go);
  control.addEventListener("blur", () => { if (!busy && control.value === value) end(); });
  button.replaceWith(box);
  control.focus();
  control.select?.();
}
