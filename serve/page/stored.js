// Data that a page stores in the browser. If storage is missing or full, nothing is stored.

const local = () => localStorage, session = () => sessionStorage; // may be forbidden

// read returns a stored list, [] for none.
export function read(key, store = local) {
  try {
    const list = JSON.parse(store().getItem(key));
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

export function write(key, list, store = local) {
  try {
    store().setItem(key, JSON.stringify(list));
  } catch { /* see above */ }
}

// Digests of the links of programs that were ended in this tab, or ran long when it was left: a reloaded page does
// not run them automatically.
export const suspect = (link) => read("pica200.ended", session).includes(digest(link));

export function setSuspect(link, on) {
  const rest = read("pica200.ended", session).filter((d) => d !== digest(link));
  write("pica200.ended", (on ? [digest(link), ...rest] : rest).slice(0, 20), session);
}

function digest(link) {
  let a = 0, b = 1;
  for (let i = 0; i < link.length; i++) {
    a = Math.imul(a, 31) + link.charCodeAt(i) | 0;
    b = Math.imul(b ^ link.charCodeAt(i), 0x01000193);
  }
  return `${link.length}.${a}.${b}`;
}
