import type { FormEvent } from "react"
import { Button } from "../../ui/Button.tsx"
import { KeptNotice } from "../../ui/kept/KeptNotice.tsx"
import type { useTyped } from "../../ui/kept/useKept.ts"
import type { ExperimentGroup } from "../ExperimentWords.ts"

interface Weight {
  readonly groupId: number
  readonly weight: number
}

type Shares = Readonly<Record<number, string>>

interface Props {
  readonly groups: ReadonlyArray<ExperimentGroup>
  readonly typed: ReturnType<typeof useTyped<Shares>>
  /** What is put into groups: players or game servers. */
  readonly units: string
  readonly isBusy: boolean
  readonly onSave: (weights: ReadonlyArray<Weight>) => void
  readonly onClose: () => void
}

const wholePercent = 10_000

/** The share of each group in percent, as its field begins. */
export const sharesOf = (groups: ReadonlyArray<ExperimentGroup>): Shares =>
  Object.fromEntries(groups.map(({ id, weight }) => [id, String(weight / 100)]))

/** Shares in percent; they must add up to 100. */
export const WeightFields = ({ groups, typed, units, isBusy, onSave, onClose }: Props) => {
  const { value: shares, wasKept, type, discard } = typed
  const weights = groups.map(({ id }) => ({ groupId: id, weight: Math.round(Number(shares[id] ?? "0") * 100) }))
  const sum = weights.reduce((total, { weight }) => total + weight, 0)
  const isSound = sum === wholePercent && weights.every(({ weight }) => weight >= 0)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSound) onSave(weights)
  }
  return (
    <form className="weights" onSubmit={submit}>
      {wasKept && <KeptNotice what="The shares you typed" onDiscard={discard} />}
      {groups.map(({ id, name, label }) => (
        <label key={id} className="field-inline">
          <span>{label ?? name}</span>
          <input
            className="input"
            type="number"
            min="0"
            max="100"
            step="0.01"
            value={shares[id] ?? ""}
            onChange={({ currentTarget }) => type({ ...shares, [id]: currentTarget.value })}
          />
          %
        </label>
      ))}
      <p className={isSound ? "faint" : "form-error"} role="status">
        {isSound
          ? `They route new ${units} only and begin a new phase; who is in a group stays there.`
          : `The shares add up to ${Number((sum / 100).toFixed(2))} %, not to 100 %.`}
      </p>
      <div className="row">
        <Button type="submit" className="button button-primary button-small" disabled={!isSound || isBusy}>
          {isBusy ? "Saving …" : "Save the shares"}
        </Button>
        <button type="button" className="button button-small" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  )
}
