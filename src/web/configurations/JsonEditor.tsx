import { useState } from "react"
import type { Document } from "../../domain/configuration/Document.ts"
import { equals } from "../../domain/configuration/Document.ts"
import { documentText, readDocument } from "./Draft.ts"

interface Props {
  readonly document: Document
  readonly isReadOnly: boolean
  /** Null while the text is no document. */
  readonly onChange: (document: Document | null) => void
}

/** The document as text. What cannot be read is said beneath, and nothing can be published until it can. */
export const JsonEditor = ({ document, isReadOnly, onChange }: Props) => {
  const [text, setText] = useState(documentText(document))
  const read = readDocument(text)
  const [known, setKnown] = useState(document)
  // The document changed elsewhere, such as in the form or by discarding the draft.
  if (known !== document) {
    setKnown(document)
    if (!read.ok || !equals(read.value, document)) setText(documentText(document))
  }
  return (
    <div className="json-editor">
      <textarea
        className="json"
        aria-label="Document as JSON"
        aria-invalid={!read.ok}
        aria-describedby="json-problem"
        spellCheck={false}
        readOnly={isReadOnly}
        rows={Math.min(40, Math.max(12, text.split("\n").length + 1))}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          const next = readDocument(currentTarget.value)
          if (next.ok) setKnown(next.value)
          onChange(next.ok ? next.value : null)
        }}
      />
      <p id="json-problem" className="form-error" role="status">
        {read.ok ? "" : `Line ${read.misread.line}: ${read.misread.message}`}
      </p>
    </div>
  )
}
