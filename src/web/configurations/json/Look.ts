import { syntaxTree } from "@codemirror/language"
import type { Extension, Range } from "@codemirror/state"
import type { DecorationSet } from "@codemirror/view"
import { Decoration, EditorView, ViewPlugin } from "@codemirror/view"

const mono = 'ui-monospace, "SF Mono", Menlo, Consolas, monospace'

/** The page's colours reach into the editor, so that it is light and dark with the page. */
const theme = EditorView.theme({
  "&": {
    color: "var(--ink)",
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line2)",
    borderRadius: "8px",
    fontSize: "12.5px",
    maxHeight: "70vh"
  },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: mono, lineHeight: "20px", minHeight: "240px", borderRadius: "8px" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sunk)", color: "var(--ink2)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    { backgroundColor: "var(--accent-soft)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "transparent", fontWeight: "700" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--sunk)",
    border: "1px solid var(--line2)",
    color: "var(--ink2)",
    padding: "0 6px"
  },
  ".cm-searchMatch": { backgroundColor: "var(--warn-soft)", outline: "1px solid var(--warn)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--accent-soft)", outline: "2px solid var(--accent)" },
  ".cm-panels": { backgroundColor: "var(--sunk)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel.cm-search": { padding: "8px 32px 8px 10px" },
  ".cm-panel.cm-search label": { fontSize: "12px" },
  ".cm-textfield": {
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line2)",
    borderRadius: "6px",
    fontSize: "13px",
    minHeight: "28px"
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line2)",
    borderRadius: "6px",
    fontSize: "12px",
    minHeight: "28px"
  },
  ".cm-panel.cm-search [name=close]": { color: "var(--ink)", minWidth: "24px", minHeight: "24px", fontSize: "16px" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line2)",
    borderRadius: "8px",
    boxShadow: "var(--shadow-popup)"
  },
  ".cm-diagnostic": { borderLeft: "3px solid var(--bad)", padding: "6px 10px", fontSize: "13px" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textUnderlineOffset: "3px"
  },
  ".key": { color: "var(--accent)" },
  ".text": { color: "var(--ink)" },
  ".number": { color: "var(--focus)" },
  ".word": { color: "var(--warn)" },
  ".held": { backgroundColor: "var(--warn-soft)", borderRadius: "3px" },
  ".hidden-key": { textDecoration: "underline dotted var(--ink2)", textUnderlineOffset: "3px" },
  ".chip": {
    marginLeft: "12px",
    padding: "1px 8px",
    borderRadius: "9px",
    fontFamily: "Inter Variable, system-ui, sans-serif",
    fontSize: "11.5px",
    whiteSpace: "nowrap"
  },
  ".chip-held": { backgroundColor: "var(--warn-soft)", color: "var(--warn)" },
  ".chip-hidden": { backgroundColor: "var(--sunk)", color: "var(--ink2)" },
  ".chip-link": { color: "inherit", textDecoration: "underline" },
  ".refusal": { margin: "0", padding: "8px 12px", fontSize: "13px", color: "var(--warn)" }
})

const classes: Readonly<Record<string, string>> = {
  PropertyName: "key",
  String: "text",
  Number: "number",
  True: "word",
  False: "word",
  Null: "word"
}

const coloured = (view: EditorView): DecorationSet => {
  const ranges: Array<Range<Decoration>> = []
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: ({ name, from: start, to: end }) => {
        const found = classes[name]
        if (found !== undefined && end > start) ranges.push(Decoration.mark({ class: found }).range(start, end))
      }
    })
  }
  return Decoration.set(ranges, true)
}

/** Keys and values of what is on the screen, in colours. */
const colours = ViewPlugin.define(
  (view) => {
    const plugin = {
      decorations: coloured(view),
      update: (change: {
        readonly view: EditorView
        readonly docChanged: boolean
        readonly viewportChanged: boolean
      }) => {
        plugin.decorations = coloured(change.view)
      }
    }
    return plugin
  },
  { decorations: ({ decorations }) => decorations }
)

/** How JSON looks here. */
export const look: Extension = [theme, colours]
