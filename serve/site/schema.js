// Completions and explanations of scenes, from their JSON schema (docs/scene.schema.json).

import { offer } from "./editor.js";

const KEY = /^("[^"]*"|'[^']*'|[^\s#"'[\]{},&*!|>%@-][^:#]*)\s*:(?=\s|$)/, INNER = /^("[^"]*"|'[^']*'|[^\s#"'[\]{},&*!|>%@-][^:#,[\]{}]*)\s*:(?=\s|$)/;
const bare = (key) => key.trim().replace(/^(["'])(.*)\1$/, "$2");

// place returns where a position of a text stands: the keys and items that lead to it (null for an item), whether a key
// and whether a value can stand there, and the keys that the mapping has before. It reads lines, not a syntax tree,
// because a text is not complete while it is typed.
export function place(text, pos) {
  let open = []; // {column, key, seen}; key is null for an item; in brackets {bracket, key, seen}
  let skip = -1; // lines that are indented more belong to a block of text
  const lines = text.slice(0, pos).split("\n"), last = lines.length - 1;
  const brackets = () => open.some((o) => o.bracket);
  // inside reads a value with brackets.
  const inside = (rest) => {
    for (let i = 0; i < rest.length; i++) {
      const c = rest[i], top = open.at(-1);
      if (c === "#" && /(^|\s)$/.test(rest.slice(0, i))) return;
      if (c === '"' || c === "'") i = rest.indexOf(c, i + 1) < 0 ? rest.length : rest.indexOf(c, i + 1);
      else if (c === "{" || c === "[") open.push({ bracket: c, key: null, seen: new Set(), begin: true });
      else if ((c === "}" || c === "]") && top?.bracket) open.pop();
      else if (c === "," && top?.bracket) Object.assign(top, { key: null, begin: true });
      else if (top?.bracket === "{" && top.begin && c.trim()) {
        const found = INNER.exec(rest.slice(i));
        top.begin = false;
        if (!found) continue;
        top.key = bare(found[1]);
        top.seen.add(top.key);
        i += found[0].length - 1;
      }
    }
  };
  let atKey = true, atValue = true, seen = new Set();
  lines.forEach((whole, n) => {
    let line = whole, column = line.search(/[^ ]/);
    if (brackets()) return inside(line);
    if (column < 0 || line[column] === "#") {
      if (n === last) column = line.length;
      else return;
    }
    if (skip >= 0 && column > skip) {
      if (n === last) atKey = atValue = false;
      return;
    }
    skip = -1;
    for (let item; (item = /^ *-(?: +|$)/.exec(line)); line = " ".repeat(item[0].length) + line.slice(item[0].length)) {
      const at = line.indexOf("-");
      open = open.filter((o) => o.column < at || (o.column === at && o.key !== null));
      open.push({ column: at, key: null });
      column = item[0].length;
    }
    const key = KEY.exec(line.slice(column));
    const before = open.find((o) => o.column === column && o.key !== null)?.seen ?? new Set();
    if (!key) {
      if (n < last) return inside(line.slice(column));
      open = open.filter((o) => o.column < column);
      seen = before;
      if (/^[[{]/.test(line.slice(column))) inside(line.slice(column));
      return;
    }
    open = open.filter((o) => o.column < column);
    open.push({ column, key: bare(key[1]), seen: before.add(bare(key[1])) });
    const rest = line.slice(column + key[0].length);
    if (/^\s*[|>][-+\d]*\s*$/.test(rest) && n < last) skip = column;
    inside(rest);
    if (n === last && !brackets()) atKey = false;
  });
  const top = open.at(-1);
  if (top?.bracket) {
    atKey = top.bracket === "{" && top.key === null;
    atValue = !atKey;
    seen = top.seen;
  }
  // In braces without a key the mapping itself is the place.
  const path = open.filter((o) => o.bracket !== "{" || o.key !== null).map((o) => o.key);
  return { path, atKey, atValue, seen };
}

export class SceneHelp {
  constructor(schema) { this.schema = schema; }

  // forms are the alternatives of a schema.
  forms(schema, deep = 0) {
    if (!schema || typeof schema !== "object" || deep > 16) return [];
    const { $ref, ...rest } = schema, more = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
    if ($ref) more.push(this.schema.definitions[$ref.replace("#/definitions/", "")]);
    return [rest, ...more.flatMap((m) => this.forms(m, deep + 1))];
  }

  // at returns the forms at a path.
  at(path) {
    return path.reduce((forms, key) => forms.flatMap((f) => this.forms(key === null ? [f.items].flat()[0] : f.properties?.[key] ?? f.additionalProperties)), this.forms(this.schema));
  }

  // complete returns what can stand at a position, for CodeMirror.
  complete(at) {
    const text = at.state.doc.toString(), word = at.matchBefore(/dmp_[\w.[\]-]*|[\w.-]*/), { path, atKey, atValue, seen } = place(text, word.from);
    const inComment = /(^|\s)#.*$/.test(at.state.doc.lineAt(at.pos).text.slice(0, at.pos - at.state.doc.lineAt(at.pos).from));
    if (inComment || (!at.explicit && !word.text)) return null;
    const all = new Map(), forms = this.at(path);
    if (atKey) {
      for (const f of forms) {
        for (const [key, s] of Object.entries(f.properties ?? {})) if (!seen.has(key)) all.set(key, { label: key, detail: s.description, info: this.told(s), apply: key + ": " });
      }
    }
    if (atValue) {
      for (const f of forms) for (const v of f.enum ?? ([f.type].flat().includes("boolean") ? [true, false] : [])) all.set(String(v), { label: String(v), detail: v === f.default ? "the default" : "" });
    }
    return offer(word.from, word.text, [...all.values()]);
  }

  // about explains the key at a position, or that of its value; null if there is none.
  about(state, pos) {
    const { from, text } = state.doc.lineAt(pos), key = /^[ -]*([\w.[\]-]+)\s*:(?=\s|$)/.exec(text);
    const end = key && pos - from < key[0].length ? from + key[0].length : pos, { path } = place(state.doc.toString(), end), name = path.findLast((p) => p !== null);
    if (!name || /(^|\s)#/.test(text.slice(0, pos - from))) return null;
    const steps = path.slice(0, path.lastIndexOf(name));
    const found = this.at(steps).map((f) => f.properties?.[name]).find(Boolean);
    return found ? `${name}: ${[found.description, this.told(found)].filter(Boolean).join("\n")}` : null;
  }

  // told says which values a schema takes.
  told(schema) {
    const forms = this.forms(schema), one = forms.flatMap((f) => f.enum ?? []), lists = forms.some((f) => f.items), range = forms.find((f) => f.minimum !== undefined && f.maximum !== undefined);
    return [one.length ? one.join(", ") : "", range && !one.length ? `${range.minimum} to ${range.maximum}${lists ? ", or a list of such numbers" : ""}` : "", schema.default !== undefined && !one.includes(undefined) ? `default: ${JSON.stringify(schema.default)}` : ""].filter(Boolean).join("\n");
  }
}
