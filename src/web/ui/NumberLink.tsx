import { numberText } from "../text/Numbers.ts"

interface Props {
  readonly value: number | null | undefined
  /** Called with where the number stands. */
  readonly onChoose: (place: DOMRect) => void
}

/** A number that can be asked about. */
export const NumberLink = ({ value, onChoose }: Props) =>
  value === null || value === undefined ? (
    <>{numberText(value)}</>
  ) : (
    <button
      type="button"
      className="number-link"
      aria-haspopup="menu"
      onClick={(event) => onChoose(event.currentTarget.getBoundingClientRect())}
    >
      {numberText(value)}
    </button>
  )
