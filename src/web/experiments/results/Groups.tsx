import { useProject } from "../../shell/Project.tsx"
import { countText } from "../../text/Numbers.ts"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { deniedText } from "../../text/Denied.ts"
import type { Scorecard } from "../ExperimentQueries.ts"
import type { Experiment, ExperimentGroup } from "../ExperimentWords.ts"
import { shareText, unitWord } from "../ExperimentWords.ts"
import "../../theme/numbers.css"

type Operation = ExperimentGroup["changeset"]["operations"][number]

const operationText = (operation: Operation): string =>
  operation.op === "delete"
    ? `${operation.path.join(".")} removed`
    : `${operation.path.join(".")} = ${JSON.stringify(operation.value)}`

/** What a group changes in the base, one line each. */
const Changes = ({ group }: { readonly group: ExperimentGroup }) => {
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
  readonly scorecard: Scorecard
  /** Shows the players of a group. */
  readonly onWho: (group: ExperimentGroup) => void
}

/** Groups with their players, their share and what they change. */
export const Groups = ({ experiment, scorecard, onWho }: Props) => {
  const { may } = useProject()
  const mayAsk = may("analytics:read")
  return (
    <ul className="result-groups">
      {experiment.groups.map((group) => {
        const units = scorecard.exposures.find(({ groupId }) => groupId === group.id)?.units
        const isDropped = scorecard.groups.find(({ groupId }) => groupId === group.id)?.dropped === true
        const count = units === undefined ? null : countText(units, unitWord(experiment))
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
                  {experiment.unitType !== "user" || units === 0 ? (
                    count
                  ) : (
                    <DeniableButton
                      className="number-link"
                      denied={mayAsk ? null : deniedText("analytics:read")}
                      tip="Who are they?"
                      onClick={() => onWho(group)}
                    >
                      {count}
                    </DeniableButton>
                  )}{" "}
                  ·{" "}
                </>
              )}
              {shareText(group.weight)}
            </p>
            <Changes group={group} />
          </li>
        )
      })}
    </ul>
  )
}
