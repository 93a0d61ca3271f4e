// A value is edited in place, with a list of names or an input; an error is shown below it.

import { el } from "./dom.js";

// edit replaces a button by a control. choices are names to choose from, null for an input; expected describes
// valid values; take(text) applies a value, and throws an error if it is invalid.
export function edit(button, { label, value, choices, expected }, take) {
  const said = el("span", { class: "bad", role: "alert" });
  const control = choices ? el("select", { "aria-label": label }, ...choices.map((c) => el("option", { value: c, selected: c === value }, c)))
    : el("input", { type: "text", size: Math.min(Math.max(value.length + 2, 8), 24), "aria-label": label });
  if (!choices) control.value = value;
  const box = el("span", { class: "editing" }, control, choices ? null : el("span", { class: "none" }, expected), said);
  let busy = false, done = false;
  const end = () => {
    if (done || !box.isConnected) return;
    done = true; // a removed element loses the focus, which ends editing too
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
