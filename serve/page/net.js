// The protocol of docs/SERVE.md: a request is a JSON object; an answer is JSON, or
// the length of the JSON, the JSON and bytes.

export class Failure extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

const decoder = new TextDecoder();

// answer takes an answer apart.
export function answer(buffer, binary) {
  if (!binary) return { head: JSON.parse(decoder.decode(buffer)), data: null };
  const n = new DataView(buffer).getUint32(0, true);
  return { head: JSON.parse(decoder.decode(new Uint8Array(buffer, 4, n))), data: new Uint8Array(buffer, 4 + n) };
}

// overHTTP asks the server that the page came from.
export function overHTTP() {
  return async (request, signal) => {
    let response, buffer;
    try {
      response = await fetch("api", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request), signal,
      });
      buffer = await response.arrayBuffer();
    } catch (e) {
      if (e.name === "AbortError") throw new Failure("stopped", "not needed any more");
      throw new Failure("gone", "the program does not answer; it was ended, perhaps");
    }
    if (!response.ok) {
      let said = {};
      try {
        said = JSON.parse(decoder.decode(buffer));
      } catch { /* it was no answer of the engine */ }
      throw new Failure(said.code || "failed", said.error || `the program answers ${response.status}`);
    }
    return answer(buffer, response.headers.get("Content-Type") === "application/octet-stream");
  };
}

// Asker asks through a transport. What was asked for one purpose is dropped when
// something else is asked for it.
export class Asker {
  constructor(transport, busy) {
    this.transport = transport;
    this.busy = busy;
    this.open = new Map();
    this.count = 0;
  }

  async ask(request, purpose = "") {
    const control = new AbortController();
    if (purpose) {
      this.open.get(purpose)?.abort();
      this.open.set(purpose, control);
    }
    const shown = !request.background;
    if (shown) this.busy(++this.count);
    try {
      return await this.transport(request, control.signal);
    } finally {
      if (shown) this.busy(--this.count);
      if (this.open.get(purpose) === control) this.open.delete(purpose);
    }
  }

  // idle reports whether nothing is asked but in the background.
  get idle() { return this.count === 0; }
}

// overWorker asks an engine in a Web Worker. script is the address of the worker's
// script, start what the engine is started with (worker.js).
export function overWorker(script, start) {
  const worker = new Worker(script);
  const open = new Map();
  let count = 0;
  let broken = null;
  const fail = (why) => {
    broken = new Failure("gone", "the engine does not run: " + why);
    for (const { reject } of open.values()) reject(broken);
    open.clear();
  };
  worker.onerror = (e) => fail(e.message || "its script cannot be loaded");
  worker.onmessage = ({ data }) => {
    if (data.failed) return fail(data.failed);
    const asked = open.get(data.id);
    if (!asked) return;
    open.delete(data.id);
    if (!data.code) return asked.resolve(answer(data.buffer, data.binary));
    asked.reject(new Failure(data.code, JSON.parse(decoder.decode(data.buffer)).error));
  };
  worker.postMessage({ start });
  const transport = (request, signal, recording) => new Promise((resolve, reject) => {
    if (broken) return reject(broken);
    const id = count++;
    open.set(id, { resolve, reject });
    signal?.addEventListener("abort", () => {
      open.delete(id);
      worker.postMessage({ drop: id });
      reject(new Failure("stopped", "not needed any more"));
    });
    worker.postMessage({ id, request, recording });
  });
  transport.end = (why) => {
    worker.terminate();
    fail(why);
  };
  return transport;
}

// ofPage is the engine that an exported page carries.
export function ofPage() {
  const text = (id) => document.getElementById(id).textContent;
  const script = URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" }));
  return overWorker(script, { engine: text("engine"), recording: text("recording"), name: document.getElementById("recording").dataset.name });
}
