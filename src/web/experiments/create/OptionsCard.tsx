import { Segmented } from "../../ui/Segmented.tsx"
import type { PlanDraft } from "./PlanDraft.ts"
import { Problem } from "./Problem.tsx"

interface Props {
  readonly draft: PlanDraft
  readonly problem: string | null
  readonly onChange: (part: Partial<PlanDraft>) => void
}

const units = [
  ["user", "Players"],
  ["server", "Game servers"]
] as const

const modes = [
  ["weightedHash", "By chance"],
  ["roundRobin", "In turn"]
] as const

/** What is put into groups, and how. */
export const OptionsCard = ({ draft, problem, onChange }: Props) => {
  const { unitType, assignmentMode, autoAssignment, permanentEnrollment, holdout } = draft
  return (
    <section className="card plan-card" aria-label="Into groups">
      <h2>Into groups</h2>
      <div className="plan-pair">
        <div className="field">
          <span>Groups are of</span>
          <Segmented
            label="Groups are of"
            value={unitType}
            choices={units}
            onChoose={(unit) => onChange({ unitType: unit })}
          />
          <small>
            {unitType === "user"
              ? "Each player has a group of their own, on every server."
              : "Everybody on one game server has its group: for what players of a server share, such as the map. The counts above are of players."}
          </small>
        </div>
        <div className="field">
          <span>Chosen</span>
          <Segmented
            label="Chosen"
            value={assignmentMode}
            choices={modes}
            onChoose={(mode) => onChange({ assignmentMode: mode })}
          />
          <small>
            {assignmentMode === "weightedHash"
              ? "By a hash of the id: whoever asks gets the same answer."
              : "The next one goes into the group that lacks most of its share: even with few."}
          </small>
        </div>
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={autoAssignment}
          onChange={({ currentTarget }) => onChange({ autoAssignment: currentTarget.checked })}
        />
        <span>
          Whoever asks is put into a group{" "}
          <small className="faint">Without it only those whom you put in by hand.</small>
        </span>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={permanentEnrollment}
          onChange={({ currentTarget }) => onChange({ permanentEnrollment: currentTarget.checked })}
        />
        <span>
          Who is in stays in{" "}
          <small className="faint">Without it, who no longer meets the conditions gets the base again.</small>
        </span>
      </label>
      <label className="field-inline">
        Hold out
        <input
          className="input plan-days"
          type="number"
          min="0"
          max="100"
          step="any"
          aria-label="Percent held out"
          value={holdout}
          onChange={({ currentTarget }) => onChange({ holdout: currentTarget.value })}
        />
        % of players, who do not come into this experiment
      </label>
      <small className="faint">
        With the same percentage in every experiment of the layer the same players stay out of all of them, and show
        what these do together. 0 % holds out nobody.
      </small>
      <Problem text={problem} />
    </section>
  )
}
