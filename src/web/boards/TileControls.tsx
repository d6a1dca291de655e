import type { KeyboardEvent } from "react"
import type { BoardTime, Tile } from "../api/boards.ts"
import { Icon } from "../ui/Icon.tsx"
import { RemoveButton } from "../ui/Button.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { noTime, rangeOf, timeChoices, timeOf } from "./BoardTime.ts"
import type { SizeName } from "./Layout.ts"
import { sizeOf, sizes } from "./Layout.ts"
import { meaningOf } from "../ui/Keys.ts"

export type TileChange =
  | { readonly kind: "move"; readonly by: -1 | 1 }
  /** Another tile comes to the place of this one. */
  | { readonly kind: "bring"; readonly from: number }
  | { readonly kind: "size"; readonly size: SizeName }
  | { readonly kind: "display"; readonly display: Tile["display"] }
  | { readonly kind: "time"; readonly time: BoardTime }
  | { readonly kind: "remove" }

interface Props {
  readonly tile: Tile
  readonly name: string
  readonly index: number
  readonly count: number
  readonly isInsight: boolean
  readonly onChange: (change: TileChange) => void
}

const sizeChoices = sizes.map(({ name, label }) => [name, label] as const)

const displays = [
  ["", "As saved"],
  ["line", "Line"],
  ["area", "Area"],
  ["bars", "Bars"],
  ["number", "Number"],
  ["table", "Table"]
] as const

const moves: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** Place, size, shape and time of a tile, by mouse and by keyboard. */
export const TileControls = ({ tile, name, index, count, isInsight, onChange }: Props) => {
  const onKeyDown = (event: KeyboardEvent) => {
    const by = meaningOf(moves, event)
    if (by === undefined) return
    event.preventDefault()
    onChange({ kind: "move", by })
  }
  const range = rangeOf(tile.time)
  return (
    <div className="tile-controls">
      <button
        type="button"
        className="button button-icon button-quiet"
        aria-label={`Move ${name}: ${index + 1} of ${count}. Arrow keys move it`}
        onKeyDown={onKeyDown}
      >
        <Icon name="grip" size={14} />
      </button>
      <Segmented
        label={`Size of ${name}`}
        value={sizeOf(tile) ?? ""}
        choices={sizeChoices}
        onChoose={(size) => {
          if (size !== "") onChange({ kind: "size", size })
        }}
      />
      {isInsight && (
        <select
          className="select"
          aria-label={`Shape of ${name}`}
          value={tile.display ?? ""}
          onChange={({ target }) =>
            onChange({
              kind: "display",
              display: displays.map(([each]) => each).find((each) => each !== "" && each === target.value) || null
            })
          }
        >
          {displays.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      <select
        className="select"
        aria-label={`Time of ${name}`}
        value={range ?? "other"}
        onChange={({ target }) => {
          if (target.value !== "other")
            onChange({ kind: "time", time: target.value === noTime ? null : timeOf(target.value) })
        }}
      >
        {range === null && <option value="other">As a program set it</option>}
        {timeChoices("As the board", range).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <RemoveButton label={`Take ${name} off the board`} onRemove={() => onChange({ kind: "remove" })} />
    </div>
  )
}
