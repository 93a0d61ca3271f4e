// A program as the fragment of an address: its texts as JSON, compressed, in URL-safe base64. Anyone with the link
// has the program.

const TOO_MUCH = "too much";
const MAX = 1 << 20; // limit of the unpacked JSON in bytes

async function through(bytes, stream, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let n = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    n += value.length;
    if (n > most) {
      reader.cancel();
      throw new Error(TOO_MUCH);
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// pack returns the fragment of a program: {files, time, name}; name is the text that is shown.
export async function pack(program) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(program)), new CompressionStream("deflate-raw"));
  let s = "";
  for (const b of bytes) s += String.fromCharCode(b);
  return btoa(s).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// unpack returns the program of a fragment and refuses anything unexpected.
export async function unpack(text) {
  let program;
  try {
    const s = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(Uint8Array.from(s, (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw"), MAX);
    program = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (e) {
    throw new Error(e.message === TOO_MUCH ? "the link is damaged: it holds too much" : "the link is damaged: a part of it is missing or was changed", { cause: e });
  }
  const files = Object.entries(program?.files ?? {});
  if (!files.length || !files.every(([name, body]) => typeof body === "string" && /^[^/\\\x00-\x1f]{1,64}$/.test(name))) throw new Error("the link holds no program");
  const out = { files: Object.fromEntries(files), time: null };
  if (typeof program.time === "number" && Number.isFinite(program.time)) out.time = program.time;
  if (Object.hasOwn(out.files, program.name ?? "")) out.name = program.name;
  return out;
}
