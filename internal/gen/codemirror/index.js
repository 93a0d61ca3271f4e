// What the pages use of CodeMirror.

export { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
export { Decoration, EditorView, MatchDecorator, ViewPlugin, highlightActiveLine, highlightSpecialChars, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentLess, indentMore, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
export { StreamLanguage, bracketMatching, indentOnInput, indentService, indentUnit, syntaxHighlighting, syntaxTree } from "@codemirror/language";
export { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap, completionStatus, selectedCompletion, startCompletion } from "@codemirror/autocomplete";
export { forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
export { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
export { yamlLanguage } from "@codemirror/lang-yaml";
export { tagHighlighter, tags } from "@lezer/highlight";
