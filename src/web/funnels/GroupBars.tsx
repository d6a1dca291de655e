import { countText, percentText } from "../text/Numbers.ts"
import { properties } from "../ui/properties.ts"
import type { FunnelGroup } from "./Groups.ts"
import { share, stepName } from "./Groups.ts"

interface Props {
  readonly label: string
  readonly groups: ReadonlyArray<FunnelGroup>
  /** The bar of a group was chosen, at a step counted from 0. */
  readonly onChoose: (group: FunnelGroup, step: number) => void
}

/** A bar for each group at each step: filled as many as reached it, hatched those who were lost at it. */
export const GroupBars = ({ label, groups, onChoose }: Props) => {
  const shown = groups.filter(({ isHidden }) => !isHidden)
  return (
    <div className="table-box" role="region" aria-label="Steps" tabIndex={0}>
      <ol className="funnel funnel-groups" aria-label={label} ref={properties({ "--groups": String(shown.length) })}>
        {(groups[0]?.series.steps ?? []).map(({ id, name }, index) => (
          <li key={id}>
            <h2>
              <span className="metric-letter">{index + 1}</span>
              <span className="funnel-name">{stepName(name)}</span>
            </h2>
            <ul>
              {shown.map((group) => {
                const { steps } = group.series
                const [first, before, count] = [0, Math.max(0, index - 1), index].map((at) => steps[at]?.count ?? 0)
                const percent = share(count ?? 0, first ?? 0)
                return (
                  <li key={group.key} className={`series-${group.color ?? "other"}`}>
                    <button
                      type="button"
                      className="funnel-bar"
                      title={group.name}
                      aria-label={`${group.name}: ${percentText(percent, 0)}, ${countText(count ?? 0, "player")} reached ${stepName(name)}`}
                      onClick={() => onChoose(group, index)}
                      ref={properties({
                        "--reached": `${percent}%`,
                        "--lost": `${share((before ?? 0) - (count ?? 0), first ?? 0)}%`
                      })}
                    >
                      <i className="funnel-lost" />
                      <i className="funnel-reached" />
                    </button>
                    <span aria-hidden="true">{percentText(percent, 0)}</span>
                  </li>
                )
              })}
            </ul>
          </li>
        ))}
      </ol>
    </div>
  )
}
