import { countText, durationText, numberText, percentText } from "../text/Numbers.ts"
import { Icon } from "../ui/Icon.tsx"
import { properties } from "../ui/properties.ts"
import type { FunnelSteps } from "./Groups.ts"
import { share, stepName } from "./Groups.ts"
import { Lost } from "./Lost.tsx"

interface Props {
  readonly label: string
  readonly steps: FunnelSteps
  readonly onWho: (step: number, outcome: "converted" | "dropped") => void
}

/** A bar for each step: filled as many as reached it, hatched those who were lost at it. */
export const FunnelBars = ({ label, steps, onWho }: Props) => {
  const first = steps[0]?.count ?? 0
  return (
    <>
      <Lost steps={steps} />
      <div className="table-box" role="region" aria-label="Steps" tabIndex={0}>
        <ol className="funnel" aria-label={label}>
          {steps.map(({ id, name, count, medianSeconds }, index) => {
            const before = index === 0 ? count : (steps[index - 1]?.count ?? 0)
            return (
              <li key={id}>
                <h2>
                  <span className="metric-letter">{index + 1}</span>
                  <span className="funnel-name">{stepName(name)}</span>
                </h2>
                <div
                  className="funnel-bar"
                  ref={properties({
                    "--reached": `${share(count, first)}%`,
                    "--lost": `${share(before - count, first)}%`
                  })}
                >
                  <i className="funnel-lost" />
                  <i className="funnel-reached" />
                </div>
                <p className="funnel-percent">{percentText(share(count, first), share(count, first) < 10 ? 1 : 0)}</p>
                <button type="button" className="funnel-link" onClick={() => onWho(index, "converted")}>
                  {countText(count, "player")}
                </button>
                {index > 0 && (
                  <button type="button" className="funnel-link funnel-left" onClick={() => onWho(index, "dropped")}>
                    {numberText(before - count)} left
                  </button>
                )}
                {index > 0 && (
                  <p className="faint">
                    <Icon name="clock" size={12} /> {durationText(medianSeconds)}
                    <span className="unseen"> median time from the step before</span>
                  </p>
                )}
              </li>
            )
          })}
        </ol>
      </div>
    </>
  )
}
