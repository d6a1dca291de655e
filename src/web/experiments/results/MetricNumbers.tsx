import { changeText, countText, numberText, percentText } from "../../text/Numbers.ts"
import type { Comparison, MetricResult } from "../ExperimentQueries.ts"
import type { Experiment } from "../ExperimentWords.ts"
import { chanceText, groupName, pText, valueText } from "./Words.ts"

type Bounds = readonly [number, number] | null

const change = (relative: number | null): string => (relative === null ? "–" : changeText(relative * 100))

const between = (interval: Bounds): string =>
  interval === null ? "–" : `${change(interval[0])} to ${change(interval[1])}`

const cupedText = ({ cuped }: Comparison): string =>
  cuped === null
    ? "not enough earlier data"
    : `${change(cuped.relative)}, ${between(cuped.sequential.interval)}, p ${pText(cuped.sequential.pValue)} (θ ${numberText(cuped.theta)}, ${countText(cuped.unitsWithPriorData, "player")})`

const riskText = ({ bayesian: { risk } }: Comparison): string => (risk === null ? "–" : percentText(risk[1] * 100, 2))

/** Rows of the comparison of one group, by name. */
const rows: ReadonlyArray<readonly [name: string, text: (comparison: Comparison) => string]> = [
  ["Change", ({ relative }) => change(relative)],
  ["Chance to win", ({ bayesian }) => chanceText(bayesian.chanceToWin)],
  ["95 % credible interval", ({ bayesian }) => between(bayesian.interval)],
  ["Expected loss if chosen", riskText],
  ["Always valid interval", ({ sequential }) => between(sequential.interval)],
  ["Always valid p", ({ sequential }) => pText(sequential.pValue)],
  ["Fixed horizon interval", ({ frequentist }) => between(frequentist.interval)],
  ["Fixed horizon p", ({ frequentist }) => pText(frequentist.pValue)],
  ["Fixed horizon p, corrected", ({ frequentist }) => pText(frequentist.adjustedPValue)],
  ["With earlier data (CUPED)", cupedText]
]

interface Props {
  readonly experiment: Experiment
  readonly metric: MetricResult
}

/** Everything that is known of a metric, in numbers. */
export const MetricNumbers = ({ experiment, metric }: Props) => (
  <section aria-label={`Numbers of ${metric.name}`}>
    <h3>Numbers</h3>
    <div className="table-box" role="region" aria-label={`Groups of ${metric.name}`} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Group</th>
            <th scope="col" className="number">
              n
            </th>
            <th scope="col" className="number">
              Mean
            </th>
            <th scope="col" className="number">
              Standard deviation
            </th>
          </tr>
        </thead>
        <tbody>
          {metric.groups.map(({ groupId, n, mean, variance }) => (
            <tr key={groupId}>
              <th scope="row">{groupName(experiment, groupId)}</th>
              <td className="number">{numberText(n)}</td>
              <td className="number">{valueText(metric, mean, 2)}</td>
              <td className="number">{variance === null ? "–" : numberText(Math.sqrt(variance))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <div className="table-box" role="region" aria-label={`Comparisons of ${metric.name}`} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Against the control</th>
            {metric.comparisons.map(({ groupId }) => (
              <th key={groupId} scope="col" className="number">
                {groupName(experiment, groupId)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, text]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {metric.comparisons.map((comparison) => (
                <td key={comparison.groupId} className="number">
                  {text(comparison)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
)
