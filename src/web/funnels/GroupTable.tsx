import { SeriesName } from "../charts/SeriesName.tsx"
import { countText, durationText, numberText, percentText } from "../text/Numbers.ts"
import type { FunnelGroup, FunnelSteps } from "./Groups.ts"
import { share, stepName } from "./Groups.ts"

interface Props {
  readonly groups: ReadonlyArray<FunnelGroup>
  /** What the groups are of: `platform`. */
  readonly head: string
  readonly onToggle: (key: string) => void
  readonly onIsolate: (key: string) => void
  readonly onWho: (group: FunnelGroup, step: number, outcome: "converted" | "dropped") => void
}

interface CellProps {
  readonly group: FunnelGroup
  readonly step: number
  readonly onWho: Props["onWho"]
}

const countAt = (steps: FunnelSteps, step: number): number => steps[step]?.count ?? 0

const StepCell = ({ group, step, onWho }: CellProps) => {
  const { steps } = group.series
  const count = countAt(steps, step)
  const before = countAt(steps, Math.max(0, step - 1))
  const name = stepName(steps[step]?.name ?? "")
  return (
    <td className="number">
      <button type="button" className="funnel-link" onClick={() => onWho(group, step, "converted")}>
        {numberText(count)}
        <span className="unseen">
          {" "}
          players of {group.name} reached {name}
        </span>
      </button>
      {step > 0 && (
        <>
          <span className="faint group-way">
            {percentText(share(count, before), 0)} · {durationText(steps[step]?.medianSeconds)}
          </span>
          <button
            type="button"
            className="funnel-link funnel-left"
            aria-label={`${countText(before - count, "player")} of ${group.name} left before ${name}`}
            onClick={() => onWho(group, step, "dropped")}
          >
            {numberText(before - count)} left
          </button>
        </>
      )}
    </td>
  )
}

/** A row for each group: its players at each step, how many of the step before they are, and how long it took them in the median. */
export const GroupTable = ({ groups, head, onToggle, onIsolate, onWho }: Props) => {
  const steps = groups[0]?.series.steps ?? []
  return (
    <div className="table-box" role="region" aria-label="Groups" tabIndex={0}>
      <table className="table table-pinned group-table">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {steps.map(({ id, name }) => (
              <th key={id} scope="col" className="number">
                {stepName(name)}
              </th>
            ))}
            <th scope="col" className="number">
              All the way
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.key} className={group.isHidden ? "row-hidden" : ""}>
              <th scope="row">
                <SeriesName series={group} onToggle={onToggle} onIsolate={onIsolate} />
              </th>
              {steps.map(({ id }, step) => (
                <StepCell key={id} group={group} step={step} onWho={onWho} />
              ))}
              <td className="number">
                <b>{percentText(group.series.overallConversion)}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
