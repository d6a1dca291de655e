import type { EffectTone } from "../../charts/Effect.tsx"
import { Effect } from "../../charts/Effect.tsx"
import { changeText, percentText } from "../../text/Numbers.ts"
import { Icon } from "../../ui/Icon.tsx"
import type { Comparison, MetricResult, Scorecard } from "../ExperimentQueries.ts"
import type { Experiment } from "../ExperimentWords.ts"
import type { Counting, Method } from "../ExperimentState.ts"
import { MetricDetail } from "./MetricDetail.tsx"
import { intervalOf, measureName, measureText } from "./Methods.ts"
import { controlOf, groupName, leans, valueText, verdictWord } from "./Words.ts"

/** Whether a change, if it is one, is for the better. */
const isBetter = ({ direction }: MetricResult, { relative }: Comparison): boolean =>
  (relative ?? 0) > 0 === (direction === "increase")

const toneOf = (metric: MetricResult, comparison: Comparison): EffectTone => {
  if (comparison.verdict === "winning") return "good"
  if (comparison.verdict === "losing") return "bad"
  if (comparison.verdict === "unhealthy" || !leans(comparison)) return "none"
  return isBetter(metric, comparison) ? "lean-good" : "lean-bad"
}

const changeClass = (comparison: Comparison): string => {
  if (comparison.verdict === "winning") return "number up"
  if (comparison.verdict === "losing") return "number down"
  return leans(comparison) ? "number" : "number faint"
}

const pillTone: Readonly<Record<Comparison["verdict"], string>> = {
  winning: "pill pill-good",
  losing: "pill pill-bad",
  unhealthy: "pill pill-bad",
  collecting: "pill",
  inconclusive: "pill"
}

const endText = (end: number): string => percentText(end * 100, 0)

interface RowProps {
  readonly experiment: Experiment
  readonly metric: MetricResult
  readonly comparison: Comparison
  readonly method: Method
  readonly end: number
  readonly isOver: boolean
}

/** The cells of a group: value, change, where the change probably lies, how sure that is, and the verdict. */
const Cells = ({ experiment, metric, comparison, method, end, isOver }: RowProps) => {
  const interval = intervalOf(method, comparison)
  const { relative, verdict, groupId } = comparison
  const group = metric.groups.find((each) => each.groupId === groupId)
  const ordinal = experiment.groups.find(({ id }) => id === groupId)?.ordinal ?? 0
  return (
    <>
      <td className="score-group">
        <i className={`swatch series-${ordinal % 8}`} />
        {groupName(experiment, groupId)}
      </td>
      <td className="number" data-name="Value">
        {valueText(metric, group?.mean)}
      </td>
      <td className={changeClass(comparison)} data-name="Change">
        {relative === null ? "–" : changeText(relative * 100)}
      </td>
      <td className="score-effect">
        {interval === null || relative === null ? (
          <span className="faint">
            {comparison.sequential.pValue === null ? "nothing to compare yet" : "no interval in percent"}
          </span>
        ) : (
          <>
            <Effect
              interval={interval}
              estimate={relative}
              end={end}
              tone={toneOf(metric, comparison)}
              hasDensity={method === "bayesian"}
            />
            <span className="effect-scale" aria-hidden="true">
              <span>{`−${endText(end)}`}</span> <span>no change</span> <span>{`+${endText(end)}`}</span>
            </span>
            <span className="unseen">
              between {changeText(interval[0] * 100)} and {changeText(interval[1] * 100)}
            </span>
          </>
        )}
      </td>
      <td className="number score-measure" data-name={measureName[method]}>
        {measureText(method, comparison)}
      </td>
      <td className="score-verdict">
        <span className={pillTone[verdict]}>{verdictWord(verdict, isOver)}</span>
      </td>
    </>
  )
}

interface TableProps {
  readonly experiment: Experiment
  readonly scorecard: Scorecard
  readonly kind: MetricResult["role"]
  readonly method: Method
  readonly counting: Counting
  readonly end: number
  readonly isOver: boolean
  readonly open: ReadonlyArray<string>
  readonly onToggle: (metricId: string) => void
}

/** The goals, or the guardrails: each metric with a row a group. A metric opens to what stands behind it. */
export const ScorecardTable = ({ experiment, scorecard, kind, counting, open, onToggle, ...row }: TableProps) => {
  const metrics = scorecard.metrics.filter((metric) => metric.role === kind)
  const control = controlOf(experiment)
  if (metrics.length === 0) return null
  const { end, method } = row
  return (
    <table className="score">
      <thead>
        <tr>
          <th scope="col">{kind === "goal" ? "Goals" : "Guardrails"}</th>
          <th scope="col">Group</th>
          <th scope="col" className="number">
            Value
          </th>
          <th scope="col" className="number">
            Change
          </th>
          <th scope="col" className="score-scale">
            <span>{`−${endText(end)}`}</span> <span>no change</span> <span>{`+${endText(end)}`}</span>
          </th>
          <th scope="col" className="number">
            {measureName[method]}
          </th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      {metrics.map((metric) => {
        const isOpen = open.includes(metric.id)
        const base = metric.groups.find(({ groupId }) => groupId === control?.id)
        const detail = `metric-${metric.id}`
        const head = (
          <th scope="rowgroup" rowSpan={Math.max(1, metric.comparisons.length)}>
            <button
              type="button"
              className="score-name"
              aria-expanded={isOpen}
              aria-controls={isOpen ? detail : undefined}
              onClick={() => onToggle(metric.id)}
            >
              {metric.name}
              <Icon name="chevron" size={14} />
            </button>
            <small>
              {metric.direction === "decrease" ? "lower is better" : "higher is better"}
              {control !== undefined && ` · ${groupName(experiment, control.id)} ${valueText(metric, base?.mean)}`}
            </small>
          </th>
        )
        return (
          <tbody key={metric.id}>
            {metric.comparisons.length === 0 ? (
              <tr>
                {head}
                <td colSpan={6} className="faint">
                  The saved question that this metric asks cannot be asked any more.
                </td>
              </tr>
            ) : (
              metric.comparisons.map((comparison, index) => (
                <tr key={comparison.groupId}>
                  {index === 0 && head}
                  <Cells {...row} experiment={experiment} metric={metric} comparison={comparison} />
                </tr>
              ))
            )}
            {isOpen && (
              <tr className="score-detail" id={detail}>
                <td colSpan={7}>
                  <MetricDetail experiment={experiment} metric={metric} method={method} counting={counting} />
                </td>
              </tr>
            )}
          </tbody>
        )
      })}
    </table>
  )
}
