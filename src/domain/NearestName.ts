/** Longest name, in characters, that anybody looks for a neighbour of. */
const longest = 64

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_\-\s.]/g, "")

/**
 * How many letters have to be put in, taken out, exchanged or swapped with their neighbour to make one text of the other
 * (optimal string alignment: Damerau 1964, Levenshtein 1966).
 */
export const editDistance = (one: string, other: string): number => {
  let before: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const exchanged = (last[column - 1] ?? 0) + (isSame ? 0 : 1)
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : exchanged
      next.push(Math.min((last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, exchanged, swapped))
    }
    before = last
    last = next
  }
  return last[other.length] ?? 0
}

/**
 * The known name that somebody most likely meant; undefined where none is near. Near is a name of which at most a third of the letters
 * differ, or one letter of a short one. Capitals, blanks, dots, dashes and underscores make no difference.
 */
export const nearestName = (name: string, known: Iterable<string>): string | undefined => {
  if (name.length > longest) return undefined
  const written = plain(name)
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(written.length / 3)) + 1
  for (const candidate of known) {
    if (candidate.length > longest) continue
    const distance = editDistance(written, plain(candidate))
    if (distance >= least) continue
    least = distance
    nearest = candidate
  }
  return nearest
}
