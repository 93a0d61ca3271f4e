// The protocol of docs/PROTOCOL.md: a request is a JSON object; an answer is JSON, or
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

// whyOf is what a request fails with that was taken back.
const whyOf = (signal) => (signal.reason instanceof Failure ? signal.reason : new Failure("stopped", "not needed any more"));

// overHTTP asks the server that the page came from.
export function overHTTP() {
  const transport = async (request, signal) => {
    let response, buffer;
    try {
      response = await fetch("api", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request), signal,
      });
      buffer = await response.arrayBuffer();
    } catch (e) {
      if (signal?.aborted) throw whyOf(signal);
      throw new Failure("gone", "the program does not answer; it was ended, perhaps");
    }
    if (!response.ok) {
      let said = {};
      try {
        said = JSON.parse(decoder.decode(buffer));
      } catch { /* it was no answer of the engine */ }
      if (!said.code && (response.status === 403 || response.status === 421)) throw new Failure("gone", "another run of the program answers here now; open the address that it printed");
      throw new Failure(said.code || "failed", said.error || `the program answers ${response.status}`);
    }
    return answer(buffer, response.headers.get("Content-Type") === "application/octet-stream");
  };
  transport.yields = true; // what is asked in the background makes room at once
  // far tells how far the request is that is worked on.
  transport.far = async () => (await transport({ op: "progress" })).head;
  return transport;
}

// Asker asks through a transport. What was asked for one purpose is dropped when
// something else is asked for it.
export class Asker {
  constructor(transport, busy) {
    this.transport = transport;
    this.busy = busy;
    this.open = new Map(); // by purpose
    this.all = new Set();
    this.count = 0;
    this.since = 0; // when something was asked last, other than in the background
  }

  // stop ends all that is asked, wherever it is worked on; it fails with the code "ended".
  stop() {
    for (const control of this.all) control.abort(new Failure("ended", "you stopped it"));
    this.transport.stop?.("you stopped it");
  }

  async ask(request, purpose = "") {
    const control = new AbortController();
    if (purpose) {
      this.open.get(purpose)?.abort();
      this.open.set(purpose, control);
    }
    const shown = !request.background;
    this.all.add(control);
    if (shown) {
      this.busy(++this.count);
      this.since = performance.now();
    }
    try {
      return await this.transport(request, control.signal);
    } finally {
      this.all.delete(control);
      if (shown) this.busy(--this.count);
      if (this.open.get(purpose) === control) this.open.delete(purpose);
    }
  }

  // later asks in the background, when nothing else is asked, and again where it made room for
  // that, while it is wanted; null when it is not.
  async later(request, wanted) {
    for (; wanted(); await new Promise((done) => { setTimeout(done, 50); })) {
      if (!this.idle) continue;
      try {
        return await this.ask({ ...request, background: true });
      } catch (e) {
        if (e.code !== "yielded" && e.code !== "ended") throw e;
      }
    }
    return null;
  }

  // idle reports whether nothing is asked but in the background.
  get idle() { return this.count === 0; }
}

// overWorker asks an engine in a Web Worker. script is the address of the worker's script,
// start what the engine is started with (worker.js), limit how many milliseconds a request
// may run, from when the engine begins it; 0 for any. An engine that is stopped, or breaks
// off, is followed by another, and what it was asked fails with the code "ended".
export function overWorker(script, start, limit = 0) {
  const open = new Map();
  let count = 0, broken = null, module = null, worker, timer, opened = null, far = { done: 0, total: 0 };
  const failAll = (failure) => {
    for (const { reject } of open.values()) reject(failure);
    open.clear();
  };
  const late = () => {
    clearTimeout(timer);
    timer = setTimeout(() => transport.stop(`it took longer than ${limit / 1000} s and was ended`), limit);
  };
  const boot = () => {
    const mine = worker = new Worker(script);
    worker.onerror = (e) => {
      e.preventDefault();
      if (mine !== worker) return;
      if (module) return transport.stop("the engine broke off: " + (e.message || "no reason is known"));
      broken = new Failure("gone", "the engine does not run: " + (e.message || "its script cannot be loaded"));
      failAll(broken);
    };
    worker.onmessage = ({ data }) => {
      if (mine !== worker) return;
      if (data.failed) {
        broken = new Failure("gone", "the engine does not run: " + data.failed);
        return failAll(broken);
      }
      if (data.ready) {
        module = data.ready;
        return;
      }
      if (data.progress) {
        far = data.progress;
        transport.told?.(far);
        if (limit) late(); // it goes on: each part has the whole time
        return;
      }
      clearTimeout(timer);
      far = { done: 0, total: 0 };
      if (data.begun) {
        transport.since = performance.now();
        transport.begun?.();
        if (limit) late();
        return;
      }
      transport.since = 0;
      const asked = open.get(data.id);
      if (!asked) return;
      open.delete(data.id);
      if (!data.code && asked.opens) opened = asked.opens;
      if (!data.code) return asked.resolve(answer(data.buffer, data.binary));
      asked.reject(new Failure(data.code, JSON.parse(decoder.decode(data.buffer)).error));
    };
    worker.postMessage({ start: module ? { ...start, engine: module, url: undefined } : start });
    if (opened) worker.postMessage({ ...opened, id: -1 }); // what was open in the engine before
  };
  const transport = (request, signal, recording) => new Promise((resolve, reject) => {
    if (broken) return reject(broken);
    const id = count++;
    open.set(id, { resolve, reject, opens: recording || request.op === "record" ? { request, recording } : null });
    signal?.addEventListener("abort", () => {
      open.delete(id);
      worker.postMessage({ drop: id });
      reject(whyOf(signal));
    });
    worker.postMessage({ id, request, recording });
  });
  transport.far = async () => far;
  transport.since = 0; // when the request that runs was begun; 0 while none does
  transport.stop = (why) => {
    clearTimeout(timer);
    worker.terminate();
    transport.since = 0;
    failAll(new Failure("ended", why));
    boot();
  };
  boot();
  return transport;
}

// more is what an exported page says besides: known (of its recording), note, at.
export const more = () => JSON.parse(document.getElementById("more")?.textContent || "{}");

// ofPage is the engine that an exported page carries.
export function ofPage() {
  const text = (id) => document.getElementById(id).textContent;
  const script = URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" }));
  return overWorker(script, { engine: text("engine"), recording: text("recording"), name: document.getElementById("recording").dataset.name, known: JSON.stringify(more().known) });
}
