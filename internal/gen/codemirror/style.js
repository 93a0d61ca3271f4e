// CodeMirror writes its styles into a <style> element, which the pages' Content-Security-Policy
// refuses. Constructed style sheets are no inline styles.

import { StyleModule as Base } from "./node_modules/style-mod/src/style-mod.js";

const mounted = new Set();

export class StyleModule extends Base {
  // mount adds modules in the order in which they are given: later rules win.
  static mount(root, modules) {
    for (const m of [modules].flat()) {
      if (mounted.has(m)) continue;
      mounted.add(m);
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(m.getRules());
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    }
  }
}
