import type { DocumentChange } from "../../domain/configuration/Diff.ts"
import type { Path } from "../../domain/configuration/Document.ts"
import { pathText, valueText } from "./Draft.ts"

interface Props {
  readonly changes: ReadonlyArray<DocumentChange>
  /** Paths that public keys see no more, and see again. */
  readonly hidden?: ReadonlyArray<Path>
  readonly shown?: ReadonlyArray<Path>
}

const kindOf = (change: DocumentChange): "added" | "changed" | "removed" =>
  change.op === "remove" ? "removed" : change.previous === undefined ? "added" : "changed"

const words = { added: "Added", changed: "Changed", removed: "Removed" } as const

const none: ReadonlyArray<Path> = []

/** What changes, path by path: the old value struck out, the new one beneath. */
export const ChangeList = ({ changes, hidden = none, shown = none }: Props) => (
  <ul className="changes">
    {changes.map((change) => {
      const kind = kindOf(change)
      return (
        <li key={change.path.join("\u0000")} className={`change change-${kind}`}>
          <span className="change-kind">{words[kind]}</span>
          <code className="change-path">{pathText(change.path)}</code>
          {change.previous !== undefined && (
            <del>
              <code>{valueText(change.previous)}</code>
            </del>
          )}
          {change.op === "set" && (
            <ins>
              <code>{valueText(change.value)}</code>
            </ins>
          )}
        </li>
      )
    })}
    {hidden.map((path) => (
      <li key={`hidden ${path.join("\u0000")}`} className="change change-changed">
        <span className="change-kind">Private</span>
        <code className="change-path">{pathText(path)}</code>
        <span className="faint">Public keys do not get it any more.</span>
      </li>
    ))}
    {shown.map((path) => (
      <li key={`shown ${path.join("\u0000")}`} className="change change-changed">
        <span className="change-kind">Public</span>
        <code className="change-path">{pathText(path)}</code>
        <span className="faint">Public keys get it from now on.</span>
      </li>
    ))}
  </ul>
)
