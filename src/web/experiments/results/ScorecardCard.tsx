import type { ReactNode } from "react"
import { useState } from "react"
import { useProject } from "../../shell/Project.tsx"
import { download } from "../../text/Download.ts"
import { countText } from "../../text/Numbers.ts"
import { bucketName } from "../../text/Times.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { Callout } from "../../ui/States.tsx"
import type { Scorecard } from "../ExperimentQueries.ts"
import type { Experiment } from "../ExperimentWords.ts"
import type { ExperimentState } from "../ExperimentState.ts"
import { CountingFields } from "./CountingFields.tsx"
import { intervalOf, methods, scaleEnd, trust } from "./Methods.ts"
import { scorecardCsv } from "./ScorecardCsv.ts"
import { ScorecardTable } from "./ScorecardTable.tsx"
import type { Standing } from "./Standing.ts"
import { isAtPlannedEnd, isOver, pairsOf } from "./Standing.ts"
import { controlOf, groupName } from "./Words.ts"
import "../../theme/scorecard.css"

interface Props {
  readonly experiment: Experiment
  readonly scorecard: Scorecard
  readonly standing: Standing
  readonly state: ExperimentState
  readonly onChange: (part: Partial<ExperimentState>) => void
}

/** Numbers that nobody should rely on are blurred until somebody asks for them all the same. */
const Veil = ({ isHidden, children }: { readonly isHidden: boolean; readonly children: ReactNode }) => {
  const [isShownAnyway, show] = useState(false)
  if (!isHidden || isShownAnyway) return <>{children}</>
  return (
    <div className="veil">
      <div className="veiled" inert aria-hidden="true">
        {children}
      </div>
      <div className="veil-words">
        <p>These numbers compare groups that cannot be compared.</p>
        <button type="button" className="button" onClick={() => show(true)}>
          Show them anyway
        </button>
      </div>
    </div>
  )
}

const fixedWords = ({ endsAt, terminatedAt }: Experiment, timezone: string): string => {
  if (terminatedAt !== null) return "It was ended by hand, so these numbers are no decision."
  return endsAt === null
    ? "No end is planned, so these numbers are no decision on any day."
    : `The planned end is ${bucketName(endsAt, "day", timezone)}: until then these numbers are no decision.`
}

/** Every metric of every group, read by one of three methods. */
export const ScorecardCard = ({ experiment, scorecard, standing, state, onChange }: Props) => {
  const { timezone } = useProject()
  const { method, open } = state
  const end = scaleEnd(pairsOf(scorecard).map(({ comparison }) => intervalOf(method, comparison)))
  const isEarly = method === "fixed" && !isAtPlannedEnd(experiment, scorecard)
  const control = controlOf(experiment)
  const goals = pairsOf(scorecard).filter(({ metric }) => metric.role === "goal").length
  const toggle = (id: string) =>
    onChange({ open: open.includes(id) ? open.filter((each) => each !== id) : [...open, id] })
  const table = {
    experiment,
    scorecard,
    method,
    end,
    counting: state,
    isOver: isOver(experiment, scorecard),
    open,
    onToggle: toggle
  }
  return (
    <section className="card scorecard" aria-label="Scorecard">
      <div className="toolbar">
        <h2>Scorecard</h2>
        <span className="toolbar-end row">
          <Segmented label="Method" value={method} choices={methods} onChoose={(next) => onChange({ method: next })} />
          <button
            type="button"
            className="button button-small"
            onClick={() => download("scorecard.csv", "text/csv", scorecardCsv(experiment, scorecard))}
          >
            <Icon name="down" size={14} />
            CSV
          </button>
        </span>
      </div>
      <p className="faint">{trust[method]}</p>
      <CountingFields counting={state} onChange={onChange} />
      {isEarly && <Callout>{fixedWords(experiment, timezone)}</Callout>}
      <Veil isHidden={standing === "unhealthy"}>
        <div className={isEarly ? "score-early" : undefined}>
          <ScorecardTable {...table} kind="goal" />
          <ScorecardTable {...table} kind="guardrail" />
        </div>
      </Veil>
      <footer className="card-foot">
        <span>
          <Icon name="clock" size={13} />
          As of <Moment at={scorecard.asOf} />
        </span>
        <span>
          95 % intervals of the change against{" "}
          {control === undefined ? "the control" : groupName(experiment, control.id)}. Verdicts on goals are corrected
          for {countText(goals, "comparison")} ({state.correction === "holm" ? "Holm" : "Benjamini–Hochberg"});
          guardrails are not.
        </span>
      </footer>
    </section>
  )
}
