// All elements are made here. Text is set as text: names come from untrusted files and are never parsed as HTML.

// el makes an element: el("td", {class: "num", onclick: f}, "text", child, ...).
export function el(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  set(e, attributes);
  e.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return e;
}

// svg is el for SVG elements.
export function svg(name, attributes = {}, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(e, attributes);
  e.append(...children);
  return e;
}

function set(e, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) {
      e.addEventListener(key.slice(2), value);
    } else if (value === true) {
      e.setAttribute(key, "");
    } else if (value !== false && value !== null && value !== undefined) {
      e.setAttribute(key, value);
    }
  }
}

export const byId = (id) => document.getElementById(id);

export const hex = (n, digits = 8) => "0x" + (n >>> 0).toString(16).toUpperCase().padStart(digits, "0");

// number formats a number for display; infinities are words.
export function number(x) {
  if (typeof x !== "number") return x;
  if (Number.isInteger(x) && Math.abs(x) < 1e7) return String(x);
  const a = Math.abs(x);
  return a >= 1e7 || a < 1e-4 ? x.toExponential(4) : x.toPrecision(6).replace(/\.?0+$/, "");
}

// title capitalizes a text of the engine like the page's labels.
export const title = (text) => text[0].toUpperCase() + text.slice(1);

// swatch shows a colour with its numbers.
export function swatch(color) {
  const box = el("span", { class: "swatch", "aria-hidden": "true" });
  box.style.background = `rgb(${color[0]} ${color[1]} ${color[2]})`;
  return el("span", { class: "color" }, box, color.join(" "));
}

// paint draws a picture into a canvas and sets its size.
export function paint(canvas, head, data) {
  canvas.width = head.width;
  canvas.height = head.height;
  canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(data), head.width, head.height), 0, 0);
}

// search makes an input that filters a list.
export function search(label, value, changed) {
  const input = el("input", { type: "search", "aria-label": label, placeholder: label });
  input.value = value;
  input.addEventListener("input", () => changed(input.value));
  return input;
}
