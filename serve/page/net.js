// The protocol of docs/PROTOCOL.md: a request is a JSON object; an answer is JSON, or
// the length of the JSON, the JSON and bytes.

export class Failure extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

const decoder = new TextDecoder();

// answer parses an answer.
export function answer(buffer, binary) {
  if (!binary) return { head: JSON.parse(decoder.decode(buffer)), data: null };
  const n = new DataView(buffer).getUint32(0, true);
  return { head: JSON.parse(decoder.decode(new Uint8Array(buffer, 4, n))), data: new Uint8Array(buffer, 4 + n) };
}

// whyOf is the error of a cancelled request.
const whyOf = (signal) => (signal.reason instanceof Failure ? signal.reason : new Failure("stopped", "not needed any more"));

// overHTTP uses the server of the page.
export function overHTTP() {
  const transport = async (request, signal) => {
    let response, buffer;
    try {
      response = await fetch("api?page", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request), signal,
      });
      buffer = await response.arrayBuffer();
    } catch (e) {
      if (signal?.aborted) throw whyOf(signal);
      throw new Failure("gone", "the program does not answer; it was ended, perhaps");
    }
    if (response.status !== 200) {
      let said = {};
      try {
        said = JSON.parse(decoder.decode(buffer));
      } catch { /* it was no answer of the engine */ }
      if (!said.code && (response.status === 403 || response.status === 421)) throw new Failure("gone", "another run of the program answers here now; open the address that it printed");
      throw new Failure(said.code || "failed", said.error || `the program answers ${response.status}`);
    }
    return answer(buffer, response.headers.get("Content-Type") === "application/octet-stream");
  };
  transport.yields = true; // background requests yield at once
  // far returns the progress of the running request.
  transport.far = async () => (await transport({ op: "progress" })).head;
  return transport;
}

// Asker sends requests through a transport. A new request for a purpose replaces the earlier one for it.
export class Asker {
  constructor(transport, busy) {
    this.transport = transport;
    this.busy = busy;
    this.open = new Map(); // by purpose
    this.all = new Set();
    this.count = 0;
    this.since = 0; // time of the last request, except background ones
  }

  // stop ends all requests, wherever they run; they fail with the code "ended".
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

  // later sends a background request when nothing else is pending, and again after it yielded, while it is wanted;
  // null when it is not.
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

  // idle reports whether only background requests are pending.
  get idle() { return this.count === 0; }
}

// overWorker uses an engine in a Web Worker. script is the address of the worker's script, start its start
// parameters (worker.js), limit the milliseconds that a request may run after the engine begins it, 0 for no
// limit. An engine that is stopped or crashes is replaced, and its requests fail with the code "ended".
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
        if (limit) late(); // it continues: each part has the whole time
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
    if (opened) worker.postMessage({ ...opened, id: -1 }); // restores the files opened before
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
  transport.since = 0; // start time of the running request; 0 if none runs
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

// more holds further data of an exported page: known (about its recording), note, at.
export const more = () => JSON.parse(document.getElementById("more")?.textContent || "{}");

// ofPage is the engine inside an exported page.
export function ofPage() {
  const text = (id) => document.getElementById(id).textContent;
  const script = URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" }));
  return overWorker(script, { engine: text("engine"), recording: text("recording"), name: document.getElementById("recording").dataset.name, known: JSON.stringify(more().known) });
}
