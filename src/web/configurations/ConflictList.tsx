import type { Conflict } from "./Draft.ts"
import { pathText, valueText } from "./Draft.ts"

export type Side = "mine" | "theirs"

interface Props {
  readonly conflicts: ReadonlyArray<Conflict>
  /** Whose value stands, by the number of the conflict; nothing where nobody has chosen yet. */
  readonly sides: ReadonlyMap<number, Side>
  readonly onChoose: (sides: ReadonlyMap<number, Side>) => void
}

/** Values that two people changed: what was there, theirs and mine. Neither stands before somebody chooses. */
export const ConflictList = ({ conflicts, sides, onChoose }: Props) => {
  const choose = (index: number, side: Side) => onChoose(new Map(sides).set(index, side))
  return (
    <ul className="changes">
      {conflicts.map(({ path, base, mine, theirs }, index) => (
        <li key={path.join("\u0000")} className="change change-conflict">
          <fieldset>
            <legend>
              <code>{pathText(path)}</code> <span className="faint">was {valueText(base)}</span>
            </legend>
            <label className="check">
              <input
                type="radio"
                name={`conflict-${index}`}
                checked={sides.get(index) === "theirs"}
                onChange={() => choose(index, "theirs")}
              />
              Theirs: <code>{valueText(theirs)}</code>
            </label>
            <label className="check">
              <input
                type="radio"
                name={`conflict-${index}`}
                checked={sides.get(index) === "mine"}
                onChange={() => choose(index, "mine")}
              />
              Mine: <code>{valueText(mine)}</code>
            </label>
          </fieldset>
        </li>
      ))}
    </ul>
  )
}
