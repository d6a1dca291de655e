import { addDays, today } from "../../builder/Days.ts"
import { dayStart } from "../../builder/Period.ts"
import { useProject, useWhere } from "../../shell/Project.tsx"
import { dayKey } from "../../text/Times.ts"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { KeptNotice } from "../../ui/kept/KeptNotice.tsx"
import { Moment } from "../../ui/Moment.tsx"
import type { Experiment } from "../ExperimentWords.ts"
import { useTyped } from "../../ui/kept/useKept.ts"
import { Refusal } from "./Refusal.tsx"
import { useExperimentWrites } from "./useExperimentWrites.ts"

interface Props {
  readonly experiment: Experiment
  /** Why nothing can be changed. */
  readonly reason: string | undefined
}

/** When the experiment ends by itself. */
export const PlannedEnd = ({ experiment, reason }: Props) => {
  const { timezone } = useProject()
  const where = useWhere()
  const { update } = useExperimentWrites(where, experiment.id)
  const { endsAt } = experiment
  const known = endsAt === null ? "" : dayKey(endsAt, timezone)
  const {
    value: day,
    wasKept,
    type,
    discard
  } = useTyped(`experiment-end-${where.environmentId}-${experiment.id}`, known)
  return (
    <div>
      <h3>Planned end</h3>
      <p className="faint">
        {endsAt === null ? (
          "None: it runs until somebody ends it."
        ) : (
          <>
            <Moment at={endsAt} />. The base stays as it is then, whatever has won.
          </>
        )}
      </p>
      {wasKept && reason === undefined && <KeptNotice what="The day you chose" onDiscard={discard} />}
      <div className="row step-form">
        <input
          className="input"
          type="date"
          aria-label="Day of the planned end"
          value={day}
          min={addDays(today(timezone), 1)}
          readOnly={reason !== undefined}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
        <DeniableButton
          denied={reason ?? null}
          look="button-small"
          isBusy={update.isPending || day === known}
          onClick={() =>
            update.mutate({ endsAt: day === "" ? null : dayStart(day, timezone), basedOn: experiment.updatedAt })
          }
        >
          {day === "" ? "Plan no end" : "Plan this end"}
        </DeniableButton>
      </div>
      <Refusal error={update.error} />
    </div>
  )
}
