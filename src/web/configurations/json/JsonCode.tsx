import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
import { json } from "@codemirror/lang-json"
import { bracketMatching, ensureSyntaxTree, foldGutter, foldKeymap, indentUnit, syntaxTree } from "@codemirror/language"
import type { Diagnostic } from "@codemirror/lint"
import { lintGutter, lintKeymap, linter } from "@codemirror/lint"
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search"
import { Compartment, EditorState } from "@codemirror/state"
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view"
import { useEffect, useRef } from "react"
import { look } from "./Look.ts"
import type { Marks } from "./Marks.ts"
import { fromPage, marking } from "./Marks.ts"
import { placesOn } from "./Places.ts"
import type { Problem } from "./Problems.ts"
import { typing } from "./Typing.ts"

interface Props {
  readonly text: string
  /** What the text is, for who does not see it. */
  readonly label: string
  readonly isReadOnly: boolean
  readonly marks: Marks
  /** What is wrong with a text. Asked a moment after the last key. */
  readonly problemsOf: (text: string) => Promise<ReadonlyArray<Problem>>
  readonly onChange: (text: string) => void
  /** A link in the text was followed. */
  readonly onOpen: (address: string) => void
}

/** Milliseconds after the last key. */
const patience = 400
/** Milliseconds after Escape in which Tab leaves the editor; else it indents. */
const leaving = 10_000

const diagnosticOf = (state: EditorState, problem: Problem): Diagnostic => {
  const { message } = problem
  const text = state.doc.toString()
  if (problem.at !== undefined) {
    const from = Math.min(problem.at, text.length)
    return { from, to: Math.min(from + 1, text.length), severity: "error", message }
  }
  const tree = ensureSyntaxTree(state, text.length, patience) ?? syntaxTree(state)
  const place = placesOn(tree, text, problem.path).at(-1)
  const where = problem.path.length === 0 ? message : `${problem.path.join(".")}: ${message}`
  return { from: place?.key?.from ?? place?.from ?? 0, to: place?.to ?? 1, severity: "error", message: where }
}

const readOnly = (isReadOnly: boolean) => [
  EditorState.readOnly.of(isReadOnly),
  EditorView.contentAttributes.of({ "aria-readonly": String(isReadOnly) })
]

/**
 * A text of JSON with colours, folding, search and undo. It stands in a shadow root, where its style sheet is adopted: the page's
 * security policy lets no script add one to the page itself.
 */
export const JsonCode = ({ text, label, isReadOnly, marks, problemsOf, onChange, onOpen }: Props) => {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView | null>(null)
  const parts = useRef({ marks: new Compartment(), readOnly: new Compartment() })
  const latest = useRef({ problemsOf, onChange, onOpen })
  const first = useRef({ text, label, isReadOnly, marks })
  useEffect(() => {
    latest.current = { problemsOf, onChange, onOpen }
  })
  useEffect(() => {
    const element = host.current
    if (element === null) return
    const begun = first.current
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" })
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: begun.text,
        extensions: [
          lineNumbers(),
          foldGutter(),
          lintGutter(),
          history(),
          drawSelection(),
          bracketMatching(),
          highlightSelectionMatches(),
          search({ top: true }),
          typing,
          json(),
          indentUnit.of("  "),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": begun.label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((each) => each.annotation(fromPage) === true))
              latest.current.onChange(update.state.doc.toString())
          }),
          linter(
            async ({ state }) => {
              const problems = await latest.current.problemsOf(state.doc.toString())
              return problems.map((problem) => diagnosticOf(state, problem))
            },
            { delay: patience }
          ),
          keymap.of([
            ...searchKeymap,
            ...lintKeymap,
            ...foldKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            indentWithTab,
            {
              key: "Escape",
              run: (target) => {
                target.setTabFocusMode(leaving)
                return false
              }
            }
          ]),
          parts.current.marks.of(marking(begun.marks, (address) => latest.current.onOpen(address))),
          parts.current.readOnly.of(readOnly(begun.isReadOnly)),
          look
        ]
      })
    })
    editor.current = view
    return () => {
      editor.current = null
      view.destroy()
    }
  }, [])
  useEffect(() => {
    const view = editor.current
    if (view === null || view.state.doc.toString() === text) return
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      annotations: fromPage.of(true)
    })
  }, [text])
  useEffect(() => {
    editor.current?.dispatch({
      effects: parts.current.marks.reconfigure(marking(marks, (address) => latest.current.onOpen(address)))
    })
  }, [marks])
  useEffect(() => {
    editor.current?.dispatch({ effects: parts.current.readOnly.reconfigure(readOnly(isReadOnly)) })
  }, [isReadOnly])
  return <div className="json-code" ref={host} />
}
