import type { Answer } from "../api/Wire.ts"
import { countText, durationText, numberText, percentText } from "../text/Numbers.ts"
import { Icon } from "../ui/Icon.tsx"
import { Callout } from "../ui/States.tsx"

export type FunnelSteps = Answer<"queries.funnels">["series"][number]["steps"]

interface Props {
  readonly label: string
  readonly steps: FunnelSteps
  readonly onWho: (step: number, outcome: "converted" | "dropped") => void
}

const nameOf = (name: FunnelSteps[number]["name"]): string => (typeof name === "string" ? name : name.join(" or "))

/** The step before which most players are lost, counted from 0; null where none is. */
const worstStep = (steps: FunnelSteps): number | null => {
  const lost = steps.map(({ count }, index) => (index === 0 ? 0 : (steps[index - 1]?.count ?? 0) - count))
  const most = Math.max(...lost)
  return most > 0 ? lost.indexOf(most) : null
}

const share = (count: number, of: number): number => (of === 0 ? 0 : (count / of) * 100)

const Lost = ({ steps }: { readonly steps: FunnelSteps }) => {
  const worst = worstStep(steps)
  const before = worst === null ? undefined : steps[worst - 1]
  const after = worst === null ? undefined : steps[worst]
  return before === undefined || after === undefined ? null : (
    <Callout>
      Most players are lost between <b>{nameOf(before.name)}</b> and <b>{nameOf(after.name)}</b>:{" "}
      {numberText(before.count - after.count)} of {countText(before.count, "player")}.
    </Callout>
  )
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
                  <span className="funnel-name">{nameOf(name)}</span>
                </h2>
                <div
                  className="funnel-bar"
                  ref={(element) => {
                    element?.style.setProperty("--reached", `${share(count, first)}%`)
                    element?.style.setProperty("--lost", `${share(before - count, first)}%`)
                  }}
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
