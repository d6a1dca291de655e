import { useMemo, useRef, useState } from "react"
import { useLocation } from "wouter"
import type { Document } from "../../../domain/configuration/Document.ts"
import { equals } from "../../../domain/configuration/Document.ts"
import { pathText as pathIn } from "../../../domain/configuration/PathText.ts"
import { call } from "../../api/client.ts"
import { useProject, useWhere } from "../../shell/Project.tsx"
import { loadable, skeleton } from "../../ui/Loadable.tsx"
import type { ConfigurationDraft } from "../Draft.ts"
import { documentText, readDocument } from "../Draft.ts"
import type { Lock } from "../Locks.ts"
import { experimentAddress } from "../Locks.ts"
import type { Problem } from "./Problems.ts"

const JsonCode = loadable(() => import("./JsonCode.tsx").then((chunk) => ({ default: chunk.JsonCode })), skeleton())

interface Props {
  readonly configurationId: number
  readonly draft: ConfigurationDraft
  /** The text that was typed last, where it is no document yet. */
  readonly unread: string | null
  readonly locks: ReadonlyArray<Lock>
  readonly isReadOnly: boolean
  /** Null, and the text, while that is no document. */
  readonly onChange: (document: Document | null, text: string) => void
}

const wordsOf = ({ path, message }: Problem): string =>
  path === undefined || path.length === 0 ? message : `${pathIn("", path).replace(/^\./, "")}: ${message}`

const noProblems: ReadonlyArray<Problem> = []

/** The document as text. What would keep it from being published is marked in it and said beneath. */
export const JsonEditor = ({ configurationId, draft, unread, locks, isReadOnly, onChange }: Props) => {
  const project = useProject()
  const where = useWhere()
  const [, navigate] = useLocation()
  const { document, privacy } = draft
  const [text, setText] = useState(() => unread ?? documentText(document))
  const [refused, setRefused] = useState(noProblems)
  const asked = useRef<string>(undefined)
  const read = readDocument(text)
  const [known, setKnown] = useState(document)
  // The document changed elsewhere, such as in the form or by discarding the draft.
  if (known !== document) setKnown(document)
  const isLeft = unread === null && !(read.ok && (known === document || equals(read.value, document)))
  if (isLeft) setText(documentText(document))
  const marks = useMemo(
    () => ({
      held: locks.flatMap((lock) =>
        lock.paths.map((path) => ({ path, by: lock.name, address: experimentAddress(project, lock.experimentId) }))
      ),
      hidden: privacy
    }),
    [locks, privacy, project]
  )
  /** Asks the server what it would say of the text, which knows the schema, the links and what experiments hold. */
  const problemsOf = async (typed: string): Promise<ReadonlyArray<Problem>> => {
    asked.current = typed
    const found = readDocument(typed)
    if (!found.ok) return [{ message: found.misread.message, at: found.misread.at }]
    if (isReadOnly) return noProblems
    const problems = await call("configurations.check", {
      path: { applicationId: where.applicationId, configurationId },
      environment: where.environmentId,
      body: { configuration: found.value }
    }).then(
      (answer) => answer.problems,
      () => noProblems
    )
    // An answer that comes late says nothing about what was typed since.
    if (asked.current === typed) setRefused(problems)
    return problems
  }
  return (
    <div className="json-editor">
      <JsonCode
        text={text}
        label="Document as JSON"
        isReadOnly={isReadOnly}
        marks={marks}
        problemsOf={problemsOf}
        onChange={(typed) => {
          asked.current = undefined
          setText(typed)
          setRefused(noProblems)
          const next = readDocument(typed)
          if (next.ok) setKnown(next.value)
          onChange(next.ok ? next.value : null, typed)
        }}
        onOpen={navigate}
      />
      <div role="status">
        {!read.ok && (
          <p className="form-error">
            Line {read.misread.line}: {read.misread.message}
          </p>
        )}
        {read.ok && refused.length > 0 && (
          <ul className="form-error json-problems" aria-label="What keeps it from being published">
            {refused.map((problem) => (
              <li key={wordsOf(problem)}>{wordsOf(problem)}</li>
            ))}
          </ul>
        )}
      </div>
      <p className="faint">
        Ctrl F searches, Ctrl Z takes back, Tab indents; Escape, then Tab leaves the editor.
        {locks.length > 0 && " What an experiment holds stays as it is until the experiment is over."}
      </p>
    </div>
  )
}
