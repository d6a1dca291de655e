import { countText } from "../../text/Numbers.ts"
import { Button } from "../../ui/Button.tsx"
import { Sheet } from "../../ui/dialogs/Sheet.tsx"
import type { ExperimentGroup } from "../ExperimentWords.ts"
import { Refusal } from "./Refusal.tsx"

interface Props {
  readonly group: ExperimentGroup
  /** What is put into groups: a player or a game server. */
  readonly unit: string
  /** How many of them are in it; undefined while nobody knows. */
  readonly count: number | undefined
  readonly error: Error | null
  readonly isBusy: boolean
  readonly onDrop: () => void
  readonly onClose: () => void
}

/** Asks before a group is dropped, which nothing undoes. */
export const DropGroup = ({ group, unit, count, error, isBusy, onDrop, onClose }: Props) => (
  <Sheet title={`Drop ${group.label ?? group.name}?`} onClose={onClose}>
    <p>
      {count === undefined ? `Its ${unit}s` : `Its ${countText(count, unit)}`} get the base from their next poll on. No
      new {unit} comes into it; the other groups get its share. It cannot be brought back, and what its {unit}s have
      done stays in the results.
    </p>
    <Refusal error={error} />
    <div className="row">
      <Button type="button" className="button button-danger" disabled={isBusy} onClick={onDrop}>
        {isBusy ? "Dropping …" : "Drop the group"}
      </Button>
      <button type="button" className="button" onClick={onClose}>
        Keep it
      </button>
    </div>
  </Sheet>
)
