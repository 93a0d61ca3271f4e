// The engine in a Web Worker: WebAssembly behind the protocol. Go's wasm_exec.js is prepended to this script.
// Waiting requests can be cancelled, and background requests wait for the others.

const waiting = [];
let ready = false;
let pumping = false;

// bytesOf decodes base64, in pieces if the browser has no function for it.
function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const out = new Uint8Array(Math.floor(text.length / 4) * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0));
  const piece = 1 << 16;
  for (let i = 0, at = 0; i < text.length; i += piece) {
    const s = atob(text.slice(i, i + piece));
    for (let k = 0; k < s.length; k++) out[at++] = s.charCodeAt(k);
  }
  return out;
}

// compiled returns an engine from an address, a base64 text, or a compiled module.
async function compiled(engine, url) {
  if (engine instanceof WebAssembly.Module) return engine;
  const packed = url ? (await fetch(url)).body : new Blob([bytesOf(engine)]).stream();
  // Compiling starts while the rest is being unpacked.
  return WebAssembly.compileStreaming(new Response(packed.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } }));
}

// start runs an engine, with or without a recording.
async function start({ engine, url, name, recording, known }) {
  const go = new Go();
  const module = await compiled(engine, url);
  go.run(await WebAssembly.instantiate(module, go.importObject));
  postMessage({ ready: module });
  if (recording === undefined) pica200Open();
  else open(name, bytesOf(recording), known);
  ready = true;
  pump();
}

globalThis.pica200Progress = (done, total) => postMessage({ progress: { done, total } });

function open(name, recording, known = "") { pica200Open(name, recording, known); }

function pump() {
  if (!ready || pumping || waiting.length === 0) return;
  pumping = true;
  setTimeout(() => { // lets cancellations arrive in between
    pumping = false;
    let i = waiting.findIndex((w) => !w.request.background);
    if (i < 0) i = 0;
    const [next] = waiting.splice(i, 1);
    if (!next) return;
    postMessage({ begun: true });
    if (next.recording) open(next.request.name, new Uint8Array(next.recording));
    const [code, binary, data] = pica200Ask(next.recording ? '{"op":"files"}' : JSON.stringify(next.request));
    postMessage({ id: next.id, code, binary, buffer: data.buffer }, [data.buffer]);
    pump();
  });
}

onmessage = ({ data }) => {
  if (data.start) start(data.start).catch((e) => postMessage({ failed: String(e) }));
  else if (data.drop !== undefined) {
    const i = waiting.findIndex((w) => w.id === data.drop);
    if (i >= 0) waiting.splice(i, 1);
  } else waiting.push(data);
  pump();
};
