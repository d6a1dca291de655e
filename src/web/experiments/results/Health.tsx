import { useProject } from "../../shell/Project.tsx"
import { numberText, percentText } from "../../text/Numbers.ts"
import { bucketName } from "../../text/Times.ts"
import { Icon } from "../../ui/Icon.tsx"
import type { Scorecard } from "../ExperimentQueries.ts"
import type { Counting } from "../ExperimentState.ts"
import type { Experiment } from "../ExperimentWords.ts"
import { unitsWord, unitWord } from "../ExperimentWords.ts"
import { mixedVerdict } from "./Standing.ts"
import { groupName, inSentence, mixedText, paceText, pWords } from "./Words.ts"

type Check = Omit<Scorecard["srm"], "phases">

const splitWords: Readonly<Record<Exclude<Check["verdict"], "insufficient">, string>> = {
  healthy: "Split is fair",
  warning: "Split is off",
  unhealthy: "Split is broken"
}

const splitText = (verdict: Check["verdict"], units: string): string =>
  verdict === "insufficient" ? `Split: too few ${units} to tell` : splitWords[verdict]

interface Props {
  readonly experiment: Experiment
  readonly scorecard: Scorecard
}

interface RowProps {
  readonly experiment: Experiment
  readonly name: string
  readonly check: Check
}

const Row = ({ experiment, name, check: { observed, expected, pValue, verdict } }: RowProps) => (
  <tr>
    <th scope="row">{name}</th>
    {experiment.groups.map(({ id, ordinal }) => (
      <td key={id} className="number">
        {numberText(observed[ordinal])}{" "}
        <small className="faint">of {numberText(Math.round(expected[ordinal] ?? 0))}</small>
      </td>
    ))}
    <td className={verdict === "unhealthy" || verdict === "warning" ? "number down" : "number"}>{pWords(pValue)}</td>
  </tr>
)

/** The split by phase: how many players each group has, and how many its weights promise. */
const Split = ({ experiment, scorecard: { srm } }: Props) => {
  const { unitType } = experiment
  const { timezone } = useProject()
  return (
    <details className="split" open={srm.verdict === "warning" || srm.verdict === "unhealthy"}>
      <summary>
        <Icon name={srm.verdict === "healthy" ? "check" : srm.verdict === "insufficient" ? "clock" : "warning"} />
        <span>{splitText(srm.verdict, unitsWord(experiment))}</span>
        {srm.verdict !== "insufficient" && <b>{pWords(srm.pValue)}</b>}
        <Icon name="chevron" size={14} />
      </summary>
      <div className="split-table" role="region" aria-label="Split by phase" tabIndex={0}>
        <table className="table">
          <caption>
            {unitType === "server" ? "Game servers seen of those" : "Players seen of players"} expected by the weights.
            A gap this large comes by chance with the probability p: below 0.01 find out why, below 0.001 trust nothing.
          </caption>
          <thead>
            <tr>
              <th scope="col">Phase</th>
              {experiment.groups.map(({ id }) => (
                <th key={id} scope="col" className="number">
                  {groupName(experiment, id)}
                </th>
              ))}
              <th scope="col" className="number">
                By chance
              </th>
            </tr>
          </thead>
          <tbody>
            {srm.phases.length > 1 &&
              srm.phases.map((phase, index) => (
                <Row
                  key={phase.from}
                  experiment={experiment}
                  name={`${index + 1}, from ${bucketName(phase.from, "day", timezone)}`}
                  check={phase}
                />
              ))}
            <Row experiment={experiment} name={srm.phases.length > 1 ? "All phases" : "1"} check={srm} />
          </tbody>
        </table>
      </div>
    </details>
  )
}

const mixedWords = { healthy: "check", warning: "warning", unhealthy: "warning" } as const

/** Whether the comparison can be trusted, and how small a change it can see. */
export const Health = ({ experiment, scorecard, counting }: Props & { readonly counting: Counting }) => {
  const { multipleExposure, metrics, power } = scorecard
  const mixed = mixedVerdict(scorecard)
  const [first] = power.metrics
  const metric = metrics.find(({ id }) => id === first?.id)
  const smallest = first?.minimumDetectableEffect ?? null
  return (
    <section className="health" aria-label="Health">
      <div className={`health-${scorecard.srm.verdict}`}>
        <Split experiment={experiment} scorecard={scorecard} />
      </div>
      <p className={`health-${mixed}`}>
        <Icon name={mixedWords[mixed]} />
        <span>{mixedText(multipleExposure.units, counting.multipleExposure, unitWord(experiment))}</span>
        <b>{multipleExposure.units === 0 ? "0" : percentText(multipleExposure.share * 100)}</b>
      </p>
      {metric !== undefined && (
        <p className="health-insufficient">
          <Icon name="clock" />
          <span>
            Smallest change it can see in {inSentence(metric.name)}
            {first?.daysToGo !== null && first?.daysToGo !== undefined && first.daysToGo > 0 && (
              <small className="faint"> the largest seen so far takes {paceText(first.daysToGo)}</small>
            )}
          </span>
          <b>{smallest === null ? "–" : `±${percentText(smallest * 100)}`}</b>
        </p>
      )}
    </section>
  )
}
