// Answers that an exported page carries, so that it shows what it begins with before
// its engine runs.

import { answer } from "./net.js";

// bytesOf decodes base64, piece by piece where the browser has nothing for it. worker.js
// has the same, since it stands alone.
function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

// keyOf is what an answer is found by, null for what is never kept.
export function keyOf(r) {
  if (r.file || r.edits?.length || r.x !== undefined || !["files", "registers", "open", "frame", "thumb", "draw", "picture"].includes(r.op)) return null;
  const frame = r.op === "files" || r.op === "registers" || r.op === "open" ? 0 : r.frame || 0;
  return JSON.stringify({ op: r.op, frame, draw: r.op === "draw" || r.op === "picture" ? r.draw : -1, what: r.op === "picture" ? r.what : "" });
}

// unpack reads a pack of answers (serve/answers.go) into a map.
async function unpack(text, into) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const view = new DataView(buffer), decoder = new TextDecoder();
  let last = null;
  for (let at = 0; at < buffer.byteLength;) {
    const keys = view.getUint32(at, true), length = view.getUint32(at + 4, true), binary = length >>> 31 === 1, n = length & 0x7fffffff;
    const key = decoder.decode(new Uint8Array(buffer, at + 8, keys));
    at += 8 + keys;
    const data = buffer.slice(at, at + n);
    at += n;
    if (binary) {
      const head = 4 + new DataView(data).getUint32(0, true), picture = new Uint8Array(data, head);
      if (last && last.length === picture.length) for (let i = 0; i < picture.length; i++) picture[i] ^= last[i];
      last = picture;
    }
    into.set(key, { data, binary });
  }
}

// withKept answers what the page carries itself, and asks a transport the rest.
export function withKept(transport) {
  const text = (id) => document.getElementById(id)?.textContent;
  const kept = new Map();
  const first = unpack(text("first"), kept).catch(() => {}); // damaged answers are asked for
  let rest = null;
  return async (request, signal) => {
    const key = keyOf(request);
    if (!key) return transport(request, signal);
    await first;
    if (!kept.has(key)) await (rest ??= unpack(text("rest"), kept).catch(() => {}));
    const found = kept.get(key);
    return found ? answer(found.data.slice(0), found.binary) : transport(request, signal);
  };
}
