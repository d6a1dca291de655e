import { useProject, useWhere } from "../../shell/Project.tsx"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { KeptNotice } from "../../ui/kept/KeptNotice.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { Failed, Skeleton } from "../../ui/States.tsx"
import { useTyped } from "../../ui/kept/useKept.ts"
import type { Experiment } from "../ExperimentWords.ts"
import { isOpen, lacking, unitsWord } from "../ExperimentWords.ts"
import { PlannedEnd } from "./PlannedEnd.tsx"
import { Refusal } from "./Refusal.tsx"
import { StepEditor } from "./StepEditor.tsx"
import { useExperimentWrites, useRollout } from "./useExperimentWrites.ts"

const actionWords = {
  set: "set to",
  step: "step to",
  advance: "step taken early, to",
  pause: "paused at",
  resume: "resumed at",
  replaceSteps: "steps planned anew at"
} as const

interface PercentProps {
  readonly experimentId: number
  /** What is enrolled: players or game servers. */
  readonly units: string
  readonly percent: number
  readonly reason: string | undefined
  readonly isBusy: boolean
  readonly onSet: (percent: number) => void
}

/** The share of players or game servers that may be enrolled, as a slider and a number. */
const Percent = ({ experimentId, units, percent, reason, isBusy, onSet }: PercentProps) => {
  const place = `experiment-percent-${useWhere().environmentId}-${experimentId}`
  const { value: wanted, wasKept, type, discard } = useTyped(place, String(percent))
  const isDisabled = reason !== undefined
  // A field that was emptied to type another number is no wish for 0 %.
  const chosen = wanted === "" ? percent : Number(wanted)
  return (
    <div className="rollout">
      {wasKept && !isDisabled && (
        <div className="rollout-help">
          <KeptNotice what="The share you chose" onDiscard={discard} />
        </div>
      )}
      <label className="field">
        Share of {units}
        <input
          type="range"
          className="slider"
          min="0"
          max="100"
          step="1"
          value={chosen}
          disabled={isDisabled}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
      </label>
      <label className="field-inline rollout-number">
        <span className="unseen">Percent of {units}</span>
        <input
          className="input"
          type="number"
          min="0"
          max="100"
          step="any"
          value={wanted}
          readOnly={isDisabled}
          onChange={({ currentTarget: { value } }) =>
            type(value === "" || (Number(value) >= 0 && Number(value) <= 100) ? value : Number(value) < 0 ? "0" : "100")
          }
        />
        %
      </label>
      <DeniableButton
        denied={reason ?? null}
        look="button-primary"
        isBusy={isBusy || chosen === percent}
        onClick={() => onSet(chosen)}
      >
        {chosen === percent ? `At ${percent} %` : `Set to ${chosen} %`}
      </DeniableButton>
      <p className="faint rollout-help" aria-live="polite">
        {chosen < percent
          ? `Nobody is thrown out when you lower it: who is in a group stays there, and fewer new ${units} come.`
          : chosen > percent
            ? `More ${units} may come in from their next start${units === "players" ? " of the game" : ""} on. Who is in a group stays there.`
            : "Nobody is thrown out when you lower it: who is in a group stays there."}
      </p>
    </div>
  )
}

/** Who may come in, and when: the share of players, its plan, and what has been done to it. */
export const RolloutCard = ({ experiment }: { readonly experiment: Experiment }) => {
  const { may } = useProject()
  const where = useWhere()
  const rollout = useRollout(where, experiment.id)
  const { rollout: change } = useExperimentWrites(where, experiment.id)
  const reason = !may("experiments:write")
    ? lacking
    : isOpen(experiment)
      ? undefined
      : "The experiment is over, so nobody comes in any more."
  const isPaused = experiment.status === "paused"
  const isScheduled = experiment.status === "scheduled"
  const pauseReason = reason ?? (isScheduled ? "It has not started yet." : undefined)
  const { data } = rollout
  const { updatedAt: basedOn } = experiment
  const hasNext = data?.steps.some(({ state }) => state === "pending") ?? false
  return (
    <section className="card" aria-label="Rollout">
      <div className="toolbar">
        <h2>Rollout</h2>
        <span className="row toolbar-end">
          {hasNext && (
            <DeniableButton
              denied={reason ?? null}
              look="button-small"
              isBusy={change.isPending}
              onClick={() => change.mutate({ action: "advance", basedOn })}
            >
              Take the next step now
            </DeniableButton>
          )}
          <DeniableButton
            denied={pauseReason ?? null}
            look="button-small"
            isBusy={change.isPending}
            onClick={() => change.mutate({ action: isPaused ? "resume" : "pause" })}
          >
            <Icon name={isPaused ? "play" : "pause"} size={14} />
            {isPaused ? "Resume" : "Pause"}
          </DeniableButton>
        </span>
      </div>
      {isPaused && (
        <p className="faint">While it is paused nobody new comes in. Who is in a group keeps what the group gets.</p>
      )}
      {data === undefined ? (
        rollout.error === null ? (
          <Skeleton height={120} />
        ) : (
          <Failed error={rollout.error} retry={() => void rollout.refetch()} />
        )
      ) : (
        <>
          <Percent
            experimentId={experiment.id}
            units={unitsWord(experiment)}
            percent={data.percent}
            reason={reason}
            isBusy={change.isPending}
            onSet={(percent) => change.mutate({ action: "set", percent, basedOn })}
          />
          <Refusal error={change.error} />
          <div className="setup-columns">
            <StepEditor
              experimentId={experiment.id}
              steps={data.steps}
              reason={reason}
              isBusy={change.isPending}
              onChange={(steps) => change.mutate({ action: "replaceSteps", steps, basedOn })}
            />
            <div>
              <h3>What has been done</h3>
              {data.history.length === 0 ? (
                <p className="faint">Nothing since it was made.</p>
              ) : (
                <ol className="timeline-list">
                  {data.history.toReversed().map(({ at, action, percent }) => (
                    <li key={`${at} ${action}`}>
                      <Moment at={at} /> {actionWords[action]} {percent} %
                    </li>
                  ))}
                </ol>
              )}
            </div>
            <PlannedEnd experiment={experiment} reason={reason} />
          </div>
        </>
      )}
    </section>
  )
}
