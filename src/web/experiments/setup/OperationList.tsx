import { diff } from "../../../domain/configuration/Diff.ts"
import { apply } from "../../../domain/configuration/Changeset.ts"
import type { Document } from "../../../domain/configuration/Document.ts"
import { ChangeList } from "../../configurations/ChangeList.tsx"
import { valueText } from "../../configurations/Draft.ts"
import type { ExperimentGroup } from "../ExperimentWords.ts"
import { pathWords } from "../ExperimentWords.ts"

type Operations = ExperimentGroup["changeset"]["operations"]

interface Props {
  /** The document that they change; undefined where one may not see it. */
  readonly base: Document | undefined
  readonly operations: Operations
}

/** What a group changes: beside the base where that is known, else the operations by themselves. */
export const OperationList = ({ base, operations }: Props) => {
  if (operations.length === 0) return <p className="faint">Nothing: it gets the base as it is.</p>
  const changes = base === undefined ? [] : diff(base, apply(base, { operations }))
  if (changes.length > 0) return <ChangeList changes={changes} />
  return (
    <ul className="changes">
      {operations.map((operation) => (
        <li key={JSON.stringify(operation.path)} className="change">
          <span className="change-kind">{operation.op === "delete" ? "Removed" : "Set"}</span>
          <code className="change-path">{pathWords(operation.path)}</code>
          {operation.op !== "delete" && (
            <ins>
              <code>{valueText(operation.value)}</code>
            </ins>
          )}
        </li>
      ))}
    </ul>
  )
}
