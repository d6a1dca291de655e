import { addDays, today } from "../../builder/Days.ts"
import { useProject } from "../../shell/Project.tsx"
import { Calendar } from "../Calendar.tsx"
import type { Lane } from "../Lanes.ts"
import { windowAt } from "../Lanes.ts"
import type { Estimate, MetricEstimate } from "./Needed.ts"
import { neededFor, neededWords } from "./Needed.ts"
import { askedMetrics } from "./PlanBody.ts"
import type { PlanDraft } from "./PlanDraft.ts"
import type { PlanProblems } from "./PlanProblems.ts"
import { Problem } from "./Problem.tsx"

interface Props {
  readonly draft: PlanDraft
  readonly problems: PlanProblems
  readonly estimate: Estimate | undefined
  readonly estimates: ReadonlyMap<string, MetricEstimate>
  /** Of all players who come, those that come into the smallest group (0..1). */
  readonly share: number
  readonly lanes: ReadonlyArray<Lane>
  readonly now: number
  readonly onChange: (part: Partial<PlanDraft>) => void
}

/** Days beyond which no end is proposed: the game is another one by then. */
const longestPlan = 180

/** Weeks that the calendar of a plan shows before the present one. */
const weeksBefore = 2
const calendarMove = 8 - weeksBefore

/** How long it takes to see a change, when it runs, and what else runs then. */
export const DurationCard = (props: Props) => {
  const { draft, problems, estimate, estimates, share, lanes, now, onChange } = props
  const { timezone } = useProject()
  const change = Number(draft.effect) / 100
  const isChange = draft.effect.trim() !== "" && Number.isFinite(change) && change > 0
  const goals = askedMetrics(draft.metrics).filter(({ role }) => role === "goal")
  const needs = goals.flatMap(({ key, body }) => {
    const now = estimates.get(key)
    if (now === undefined || estimate === undefined || !isChange) return []
    const isDown = body.direction === "decrease"
    const needed = neededFor(now, change, share, estimate.unitsByDay)
    return [{ key, name: body.name, needed, words: neededWords(needed, isDown ? -change : change) }]
  })
  const longest = Math.max(...needs.map(({ needed }) => needed?.days ?? 0))
  const first = draft.startDay === "" ? today(timezone) : draft.startDay
  return (
    <section className="card plan-card" aria-label="Duration">
      <h2>Duration</h2>
      <label className="field-inline">
        A change that matters:
        <input
          className="input plan-days"
          type="number"
          min="0.1"
          step="any"
          value={draft.effect}
          onChange={({ currentTarget }) => onChange({ effect: currentTarget.value })}
        />
        % more or less than now
      </label>
      {needs.length === 0 ? (
        <p className="faint">As soon as a goal is complete, the players and days that it takes are said here.</p>
      ) : (
        <ul className="plan-needs" aria-live="polite">
          {needs.map(({ key, name, words }) => (
            <li key={key}>
              <b>{name}</b>
              <span>{words}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="plan-pair">
        <label className="field">
          Start
          <input
            type="date"
            min={addDays(today(timezone), 1)}
            value={draft.startDay}
            onChange={({ currentTarget }) => onChange({ startDay: currentTarget.value })}
          />
          <small>
            {draft.startDay === "" ? "At once, as soon as it is made" : `When this day begins (${timezone})`}
          </small>
        </label>
        <label className="field">
          Planned end
          <input
            type="date"
            min={addDays(first, 1)}
            value={draft.endDay}
            onChange={({ currentTarget }) => onChange({ endDay: currentTarget.value })}
          />
          <small>
            {draft.endDay === "" ? "None: it runs until somebody ends it" : `When this day begins (${timezone})`}
          </small>
        </label>
      </div>
      {longest > longestPlan && (
        <p className="faint">
          That is long. A larger change, a goal that more players reach, more players or fewer groups make it shorter.
        </p>
      )}
      {longest > 0 && longest <= longestPlan && (
        <button
          type="button"
          className="button button-small plan-take"
          onClick={() => onChange({ endDay: addDays(first, Math.max(7, longest)) })}
        >
          Plan the end after {Math.max(7, longest)} days
        </button>
      )}
      <Problem text={problems.time} />
      <Calendar lanes={lanes} window={windowAt(now, calendarMove)} now={now} />
    </section>
  )
}
