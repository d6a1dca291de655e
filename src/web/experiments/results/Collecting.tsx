import { numberText } from "../../text/Numbers.ts"
import type { Scorecard } from "../ExperimentQueries.ts"
import type { Experiment } from "../ExperimentWords.ts"
import { countedWords, leastDays, leastUnits, smallestGroup } from "./Standing.ts"

const radius = 42
const around = 2 * Math.PI * radius

interface Props {
  readonly experiment: Experiment
  readonly scorecard: Scorecard
}

/** How far the data are from the least that a verdict needs. */
export const Collecting = ({ experiment, scorecard }: Props) => {
  const { units } = smallestGroup(scorecard)
  const days = Math.floor(scorecard.schedule.daysExposed)
  // Both have to be there, so the ring shows the one that is farther away.
  const share = Math.min(1, units / leastUnits, scorecard.schedule.daysExposed / leastDays)
  return (
    <section className="card collecting" aria-label="Progress">
      <svg viewBox="0 0 100 100" width="112" height="112" aria-hidden="true" focusable="false">
        <circle className="ring" cx="50" cy="50" r={radius} />
        <circle
          className="ring ring-done"
          cx="50"
          cy="50"
          r={radius}
          strokeDasharray={`${share * around} ${around}`}
          transform="rotate(-90 50 50)"
        />
        <text x="50" y="56" textAnchor="middle">
          {Math.floor(share * 100)} %
        </text>
      </svg>
      <div>
        <h2>
          {numberText(Math.min(units, leastUnits))} of {leastUnits} {countedWords({ experiment, scorecard })},{" "}
          {numberText(Math.min(days, leastDays))} of {leastDays} days
        </h2>
        <p className="faint">
          Before that a difference is mostly chance, and the days of a week are not alike. The scorecard below fills
          meanwhile; it says nothing yet.
        </p>
      </div>
    </section>
  )
}
