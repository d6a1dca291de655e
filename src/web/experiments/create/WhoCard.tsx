import { useCohorts } from "../../api/queries.ts"
import { useProject, useWhere } from "../../shell/Project.tsx"
import { countText, numberText } from "../../text/Numbers.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { Picker } from "../../ui/Picker.tsx"
import { RemoveButton } from "../../ui/Button.tsx"
import { AddStep, useFirstStep } from "../setup/StepEditor.tsx"
import { ConditionRow } from "./ConditionRow.tsx"
import type { Estimate } from "./Needed.ts"
import type { ConditionDraft, PlanDraft } from "./PlanDraft.ts"
import { freshKey } from "./PlanDraft.ts"
import type { PlanProblems } from "./PlanProblems.ts"
import { Problem } from "./Problem.tsx"

interface Props {
  readonly draft: PlanDraft
  readonly problems: PlanProblems
  readonly isTried: boolean
  readonly estimate: Estimate | undefined
  readonly isCounting: boolean
  /** Conditions that cannot be counted before the game asks. */
  readonly uncounted: ReadonlyArray<string>
  readonly layers: ReadonlyArray<{ readonly name: string; readonly running: number }>
  readonly properties: ReadonlyArray<string>
  readonly onChange: (part: Partial<PlanDraft>) => void
}

/** Who may come in: cohorts, conditions, the share of players, and the layer that keeps experiments apart. */
export const WhoCard = (props: Props) => {
  const { draft, problems, isTried, estimate, isCounting, uncounted, layers, properties, onChange } = props
  const { may } = useProject()
  const cohorts = useCohorts(useWhere(), may("cohorts:read"))
  const nameOf = (id: number) => cohorts.data?.find((cohort) => cohort.id === id)?.name ?? `cohort ${id}`
  const setCondition = (key: string, part: Partial<ConditionDraft>) =>
    onChange({ conditions: draft.conditions.map((each) => (each.key === key ? { ...each, ...part } : each)) })
  const [step, typeStep] = useFirstStep()
  const layer = layers.find(({ name }) => name === draft.layer.trim())
  return (
    <section className="card plan-card" aria-label="Who">
      <h2>Who</h2>
      <p className="plan-count" aria-live="polite" aria-busy={isCounting}>
        {estimate === undefined ? (
          <span className="faint">Counting …</span>
        ) : (
          <>
            <b>{countText(estimate.units, "player")}</b> of the last {estimate.unitsByDay.length} days would have come
            in{draft.percent === "100" ? "" : `, ${draft.percent} % of them at once`}
            {isCounting && <span className="faint"> counting again …</span>}
          </>
        )}
      </p>
      {(uncounted.length > 0 || draft.newUsersOnly) && (
        <small className="faint">
          {[...uncounted, ...(draft.newUsersOnly ? ["who is new"] : [])].join(", ")}: that is known only when the game
          asks, so it is not counted here.
        </small>
      )}
      <div className="row">
        {draft.cohortIds.map((id) => (
          <button
            key={id}
            type="button"
            className="tag"
            aria-label={`Remove ${nameOf(id)}`}
            onClick={() => onChange({ cohortIds: draft.cohortIds.filter((each) => each !== id) })}
          >
            {nameOf(id)}
            <Icon name="cross" size={12} />
          </button>
        ))}
        <Picker
          label="Add a cohort"
          tone="quiet"
          value=""
          placeholder={draft.cohortIds.length === 0 ? "All players; only those in a cohort …" : "or in …"}
          choices={(cohorts.data ?? [])
            .filter(({ id }) => !draft.cohortIds.includes(id))
            .map(({ id, name, memberCount }) => ({
              value: String(id),
              label: name,
              hint: numberText(memberCount)
            }))}
          onChoose={(id) => onChange({ cohortIds: [...draft.cohortIds, Number(id)] })}
        />
      </div>
      {draft.conditions.map((condition) => (
        <ConditionRow
          key={condition.key}
          condition={condition}
          properties={properties}
          onChange={(part) => setCondition(condition.key, part)}
          onRemove={() => onChange({ conditions: draft.conditions.filter(({ key }) => key !== condition.key) })}
        />
      ))}
      {isTried && <Problem text={problems.targeting} />}
      <div className="row">
        <button
          type="button"
          className="button button-small"
          onClick={() =>
            onChange({
              conditions: [...draft.conditions, { key: freshKey(), property: "", operator: "is", value: "" }]
            })
          }
        >
          <Icon name="plus" size={14} />
          Add a condition
        </button>
        <label className="check">
          <input
            type="checkbox"
            checked={draft.newUsersOnly}
            onChange={({ currentTarget }) => onChange({ newUsersOnly: currentTarget.checked })}
          />
          New players only
        </label>
      </div>
      <div className="plan-pair">
        <div className="field">
          <span>Share of players at the start</span>
          <span className="rollout-pair">
            <input
              type="range"
              className="slider"
              min="0"
              max="100"
              step="1"
              aria-label="Share of players at the start, as a slider"
              value={Number(draft.percent)}
              onChange={({ currentTarget }) => onChange({ percent: currentTarget.value })}
            />
            <input
              type="number"
              aria-label="Share of players at the start"
              className="input"
              min="0"
              max="100"
              step="any"
              value={draft.percent}
              onChange={({ currentTarget }) => onChange({ percent: currentTarget.value })}
            />
            <span>%</span>
          </span>
          <small>Begin with few; nobody is thrown out when you change it later.</small>
        </div>
        <label className="field">
          Layer
          <input
            value={draft.layer}
            maxLength={64}
            list="plan-layers"
            autoComplete="off"
            placeholder="none"
            onChange={({ currentTarget }) => onChange({ layer: currentTarget.value })}
          />
          <datalist id="plan-layers">
            {layers.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
          <small>
            {draft.layer.trim() === ""
              ? "Experiments of one layer share its players, so that nobody is in two of them."
              : layer === undefined || layer.running === 0
                ? "A new layer, or one in which nothing runs: it gets all of its players."
                : `${countText(layer.running, "experiment")} of it run${layer.running === 1 ? "s" : ""} now: this one gets 1/${layer.running + 1} of its players.`}
          </small>
        </label>
      </div>
      <Problem text={problems.percent} />
      <div className="plan-steps">
        <h3>Raise it later</h3>
        {draft.steps.map((step) => (
          <p key={step.at} className="row">
            <Moment at={step.at} /> to {step.percent} %
            <RemoveButton
              label={`Remove the step to ${step.percent} %`}
              onRemove={() => onChange({ steps: draft.steps.filter(({ at }) => at !== step.at) })}
            />
          </p>
        ))}
        <AddStep
          typed={step}
          onType={typeStep}
          isBusy={false}
          reason={undefined}
          onAdd={(step) =>
            onChange({
              steps: [...draft.steps.filter(({ at }) => at !== step.at), step].toSorted(
                (left, right) => Date.parse(left.at) - Date.parse(right.at)
              )
            })
          }
        />
      </div>
    </section>
  )
}
