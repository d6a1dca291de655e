import { EditorView } from "@codemirror/view"

/**
 * Typing over a selection is done by the editor, not by the browser. Chromium joins what is left of two styled lines by way of a
 * `style` attribute, which the page's security policy refuses, and each refusal is an error on the console. What a method of input
 * composes stays the browser's. The selection is the editor's own: Chromium names no target ranges inside a shadow root.
 */
export const typing = EditorView.domEventHandlers({
  beforeinput: ({ data, inputType }, view) => {
    const { state } = view
    if (inputType !== "insertText" || data === null || view.composing || state.readOnly) return false
    if (state.selection.ranges.every((range) => range.empty)) return false
    view.dispatch(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true })
    return true
  }
})
