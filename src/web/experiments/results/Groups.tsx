import { useProject } from "../../shell/Project.tsx"
import { countText, percentText } from "../../text/Numbers.ts"
import type { Experiment, Group, Scorecard } from "../ExperimentQueries.ts"
import "../../theme/numbers.css"

type Operation = Group["changeset"]["operations"][number]

const operationText = (operation: Operation): string =>
  operation.op === "delete"
    ? `${operation.path.join(".")} removed`
    : `${operation.path.join(".")} = ${JSON.stringify(operation.value)}`

/** What a group changes in the base, one line each. */
export const Changes = ({ group }: { readonly group: Group }) => {
  const { operations } = group.changeset
  return operations.length === 0 ? (
    <code>as it is</code>
  ) : (
    <>
      {operations.map((operation, index) => (
        <code key={index}>{operationText(operation)}</code>
      ))}
    </>
  )
}

interface Props {
  readonly experiment: Experiment
  readonly scorecard: Scorecard | undefined
  /** Shows the players of a group; null where their number is not known. */
  readonly onWho: ((group: Group) => void) | null
}

/** Groups with their players, their share and what they change. */
export const Groups = ({ experiment, scorecard, onWho }: Props) => {
  const { may } = useProject()
  const mayAsk = may("analytics:read")
  return (
    <ul className="groups">
      {experiment.groups.map((group) => {
        const units = scorecard?.exposures.find(({ groupId }) => groupId === group.id)?.units
        const isDropped = scorecard?.groups.find(({ groupId }) => groupId === group.id)?.dropped === true
        const count =
          units === undefined ? null : countText(units, experiment.unitType === "user" ? "player" : "server")
        return (
          <li key={group.id}>
            <h3>
              <i className={`swatch series-${group.ordinal % 8}`} />
              {group.label ?? group.name}
              {group.isControl && <small className="faint"> control</small>}
              {isDropped && <span className="tag tag-warning">dropped</span>}
              {experiment.winnerGroupId === group.id && <span className="tag">chosen</span>}
            </h3>
            <p className="faint">
              {count !== null && (
                <>
                  {onWho === null || experiment.unitType !== "user" ? (
                    count
                  ) : (
                    <button
                      type="button"
                      className="number-link"
                      disabled={!mayAsk || units === 0}
                      title={mayAsk ? "Who are they?" : "Players need the permission analytics:read"}
                      onClick={() => onWho(group)}
                    >
                      {count}
                    </button>
                  )}{" "}
                  ·{" "}
                </>
              )}
              {percentText(group.weight / 100, group.weight % 100 === 0 ? 0 : 1)}
            </p>
            <Changes group={group} />
          </li>
        )
      })}
    </ul>
  )
}
