// The engine in a Web Worker: WebAssembly behind the protocol. Go's wasm_exec.js is
// put before this script. What waits can be taken back, and what is asked in the
// background waits for the rest.

const waiting = [];
let ready = false;
let pumping = false;

async function unpacked(bytes) {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

async function start({ engine, name, recording }) {
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(await unpacked(engine), go.importObject);
  go.run(instance);
  pica200Open(name, new Uint8Array(recording));
  ready = true;
  pump();
}

function pump() {
  if (!ready || pumping || waiting.length === 0) return;
  pumping = true;
  setTimeout(() => { // what takes back what waits is heard in between
    pumping = false;
    let i = waiting.findIndex((w) => !w.request.background);
    if (i < 0) i = 0;
    const [next] = waiting.splice(i, 1);
    if (!next) return;
    const [code, binary, data] = pica200Ask(JSON.stringify(next.request));
    postMessage({ id: next.id, code, binary, buffer: data.buffer }, [data.buffer]);
    pump();
  });
}

onmessage = ({ data }) => {
  if (data.engine) start(data).catch((e) => postMessage({ failed: String(e) }));
  else if (data.drop !== undefined) {
    const i = waiting.findIndex((w) => w.id === data.drop);
    if (i >= 0) waiting.splice(i, 1);
  } else waiting.push(data);
  pump();
};
