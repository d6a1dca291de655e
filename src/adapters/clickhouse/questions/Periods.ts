import { integerLiteral, integersLiteral } from "../Literals.ts"

/** The milliseconds of every period where all are as long; else null, as with a day of 25 hours. */
const lengthOf = (boundaries: ReadonlyArray<number>): number | null => {
  const [first = 0, second = first] = boundaries
  const length = second - first
  const isEven = boundaries.every((each, index) => Number.isSafeInteger(each) && each === first + index * length)
  return length > 0 && isEven ? length : null
}

/**
 * The beginning of the period that an instant lies in, as an expression over rows whose `at` is no earlier than the first boundary. Behind
 * the last boundary it is any number from there on. Where periods are as long as each other a division finds it, else a search in the list.
 */
export const beginningOf = (boundaries: ReadonlyArray<number>): string => {
  const length = lengthOf(boundaries)
  const first = integerLiteral(boundaries[0] ?? 0)
  return length === null
    ? `roundDown(at, ${integersLiteral(boundaries)})`
    : `(${first} + intDiv(at - ${first}, ${length}) * ${length})`
}

/** The place, from 1, of the period that an instant between the boundaries lies in, as an expression over such instants. */
export const placeOf = (boundaries: ReadonlyArray<number>, instant = "at"): string => {
  const length = lengthOf(boundaries)
  return length === null
    ? `indexOf(${integersLiteral(boundaries)}, roundDown(${instant}, ${integersLiteral(boundaries)}))`
    : `(intDiv(${instant} - ${integerLiteral(boundaries[0] ?? 0)}, ${length}) + 1)`
}
