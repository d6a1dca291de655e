import type { Conflict } from "./Draft.ts"
import { pathText, valueText } from "./Draft.ts"

interface Props {
  readonly conflicts: ReadonlyArray<Conflict>
  /** The places of the conflicts in which my side stands. */
  readonly mineAt: ReadonlySet<number>
  readonly onChoose: (mineAt: ReadonlySet<number>) => void
}

/** Values that two people changed: what was there, theirs and mine. Theirs stands until somebody chooses. */
export const ConflictList = ({ conflicts, mineAt, onChoose }: Props) => {
  const choose = (index: number, isMine: boolean) => {
    const next = new Set(mineAt)
    if (isMine) next.add(index)
    else next.delete(index)
    onChoose(next)
  }
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
                checked={!mineAt.has(index)}
                onChange={() => choose(index, false)}
              />
              Theirs: <code>{valueText(theirs)}</code>
            </label>
            <label className="check">
              <input
                type="radio"
                name={`conflict-${index}`}
                checked={mineAt.has(index)}
                onChange={() => choose(index, true)}
              />
              Mine: <code>{valueText(mine)}</code>
            </label>
          </fieldset>
        </li>
      ))}
    </ul>
  )
}
