// What a page keeps in the browser. Where there is no storage, or it is full, nothing is kept.

const local = () => localStorage, session = () => sessionStorage; // which may be forbidden

// read gives a list that was written, [] for none.
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

// Programs that were ended in this tab, or ran for long when it was left, as digests of their
// links: a page that is loaded again does not run them by itself.
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
