import { Spark } from "../charts/Spark.tsx"
import { useProject } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { bucketName } from "../text/Times.ts"
import { InlineText } from "../ui/InlineText.tsx"
import type { useDescribe } from "./PlanQueries.ts"
import type { MarkerType } from "./PlanState.ts"
import { standingOf, standingWords } from "./PlanState.ts"

interface Props {
  readonly type: MarkerType
  readonly now: number
  /** Why it cannot be described; null where it can. */
  readonly denied: string | null
  readonly describe: ReturnType<typeof useDescribe>
  readonly onOpen: () => void
}

/** A type of markers in the tracking plan. */
export const TypeRow = ({ type, now, denied, describe, onOpen }: Props) => {
  const { timezone } = useProject()
  const { name, displayName, description, perDay30, firstSeenAt, lastSeenAt } = type
  const count = perDay30.reduce((sum, each) => sum + each, 0)
  const standing = standingOf(type, now)
  const seen = (at: string | null) => (at === null ? "–" : bucketName(at, "day", timezone))
  return (
    <tr>
      <th scope="row" className="plan-name">
        <button type="button" className="link" onClick={onOpen}>
          {displayName ?? name}
        </button>
        {displayName !== null && <code className="faint">{name}</code>}
        {type.isBuiltin && <small className="faint">built in</small>}
        <InlineText
          label={`Description of ${name}`}
          value={description ?? ""}
          placeholder="Describe it"
          longest={255}
          denied={denied}
          onSave={(text) => describe.mutateAsync({ types: [{ name, description: text === "" ? null : text }] })}
        />
      </th>
      <td>
        <span className={standing === "arriving" ? "status status-ready" : `status status-${standing}`}>
          {standingWords(type, now)}
        </span>
      </td>
      <td>
        {count > 0 && (
          <Spark
            isOpen
            values={perDay30}
            label={`${numberText(count)} in 30 days, ${numberText(perDay30.at(-1))} of them today`}
          />
        )}
      </td>
      <td className="number">{numberText(count)}</td>
      <td>{seen(firstSeenAt)}</td>
      <td>{seen(lastSeenAt)}</td>
      <td className="number">{numberText(type.arguments)}</td>
    </tr>
  )
}
