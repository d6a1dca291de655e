import type { FormEvent } from "react"
import { useState } from "react"
import { Link } from "wouter"
import { apply } from "../../../domain/configuration/Changeset.ts"
import { diff } from "../../../domain/configuration/Diff.ts"
import { ChangeList } from "../../configurations/ChangeList.tsx"
import type { Configuration } from "../../configurations/ConfigurationQueries.ts"
import { useProject, useWhere } from "../../shell/Project.tsx"
import { asRead } from "../../text/AsRead.ts"
import { Button } from "../../ui/Button.tsx"
import { Sheet } from "../../ui/dialogs/Sheet.tsx"
import { Callout } from "../../ui/States.tsx"
import type { Experiment } from "../ExperimentWords.ts"
import { unitsWord, unitWord } from "../ExperimentWords.ts"
import { Refusal } from "./Refusal.tsx"
import { useExperimentWrites } from "./useExperimentWrites.ts"
import { deniedTo } from "../../text/Denied.ts"

interface Props {
  readonly experiment: Experiment
  /** Undefined where one may not see it. */
  readonly base: Configuration | undefined
  readonly onClose: () => void
}

const none = "none"

/** Ends the experiment: with a winner or without one, and with what is written to the base shown before. */
export const EndSheet = ({ experiment, base, onClose }: Props) => {
  const { applicationId, environment, may } = useProject()
  const { end } = useExperimentWrites(useWhere(), experiment.id)
  const [winner, setWinner] = useState(none)
  const [isApplied, setApplied] = useState(false)
  const [reason, setReason] = useState("")
  const [typed, setTyped] = useState("")
  const group = experiment.groups.find(({ id }) => String(id) === winner)
  const mayApply = may("configurations:write")
  const document = base?.configuration
  const changes = group === undefined || document === undefined ? [] : diff(document, apply(document, group.changeset))
  const applies = isApplied && group !== undefined && mayApply
  const isConfirmed = asRead(typed) === asRead(experiment.name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isConfirmed) return
    end.mutate(
      {
        winnerGroupId: group?.id ?? null,
        applyToBase: applies,
        ...(reason.trim() === "" ? {} : { reason: reason.trim() })
      },
      { onSuccess: onClose }
    )
  }
  const baseName = base?.name ?? `configuration ${experiment.baseConfigurationId}`
  return (
    <Sheet title={`End ${experiment.name}`} onClose={onClose} isWide>
      <form className="end-form" onSubmit={submit}>
        <fieldset>
          <legend>Who has won?</legend>
          <label className="check">
            <input type="radio" name="winner" checked={winner === none} onChange={() => setWinner(none)} />
            Nobody: all {unitsWord(experiment)} get the base again
          </label>
          {experiment.groups.map(({ id, name, label, isControl }) => (
            <label key={id} className="check">
              <input
                type="radio"
                name="winner"
                checked={winner === String(id)}
                onChange={() => setWinner(String(id))}
              />
              {label ?? name}
              {isControl && <span className="tag">Control</span>}
            </label>
          ))}
        </fieldset>
        {group !== undefined && (
          <fieldset>
            <legend>What becomes of the base</legend>
            <label className="check">
              <input
                type="checkbox"
                checked={applies}
                disabled={!mayApply || group.changeset.operations.length === 0}
                onChange={({ currentTarget }) => setApplied(currentTarget.checked)}
              />
              Write the changes of {group.label ?? group.name} to{" "}
              <Link href={`/p/${applicationId}/${environment.alias}/configurations/${experiment.baseConfigurationId}`}>
                {baseName}
              </Link>
            </label>
            {!mayApply && <p className="faint">{deniedTo("Writing to the base", "configurations:write")}</p>}
            {group.changeset.operations.length === 0 ? (
              <p className="faint">This group changes nothing, so there is nothing to write.</p>
            ) : applies && document !== undefined ? (
              changes.length === 0 ? (
                <p className="faint">The base has all of it already: nothing is written.</p>
              ) : (
                <>
                  <p>Exactly this is written; every {unitWord(experiment)} gets it with the next poll:</p>
                  <ChangeList changes={changes} />
                </>
              )
            ) : (
              <Callout>
                Nothing is written: all {unitsWord(experiment)} get the base as it is, the winner's changes are lost.
              </Callout>
            )}
          </fieldset>
        )}
        <label className="field">
          Reason
          <input value={reason} maxLength={500} onChange={({ currentTarget }) => setReason(currentTarget.value)} />
          <small>Who looks at the experiment in a year wants to know why.</small>
        </label>
        <label className="field">
          Type the name of the experiment to confirm
          <input
            value={typed}
            autoComplete="off"
            placeholder={experiment.name}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <small>An experiment that has ended cannot be started again.</small>
        </label>
        <Refusal error={end.error} />
        <div className="row">
          <Button type="submit" className="button button-danger" disabled={!isConfirmed || end.isPending}>
            {end.isPending ? "Ending …" : applies ? "End it and write the changes" : "End it"}
          </Button>
          <button type="button" className="button" onClick={onClose}>
            Let it run
          </button>
        </div>
      </form>
    </Sheet>
  )
}
