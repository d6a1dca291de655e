/** Characters of a name that are compared, and names that are looked at: so the work is bounded. */
const longest = 64
const mostNames = 2000
/** Edits up to which one name is like another, and no more than about a third of its characters: two neighbours exchanged are two edits. */
const mostEdits = 3

/** Single characters to insert, delete or exchange (Levenshtein), or Infinity when there are more than `limit`. */
const edits = (a: string, b: string, limit: number): number => {
  if (Math.abs(a.length - b.length) > limit) return Infinity
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const exchanged = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const value = Math.min(exchanged, row[j]! + 1, next[j - 1]! + 1)
      next.push(value)
      least = Math.min(least, value)
    }
    if (least > limit) return Infinity
    row = next
  }
  const distance = row[b.length]!
  return distance > limit ? Infinity : distance
}

/** Of the first 2,000 names the one with the fewest edits, without regard to case, the first of equals; null when none is like it. */
export const similarName = (name: string, names: Iterable<string>): string | null => {
  const wanted = name.slice(0, longest).toLowerCase()
  let limit = Math.min(mostEdits, Math.ceil(wanted.length / 3))
  let nearest: string | null = null
  let looked = 0
  for (const each of names) {
    if (looked++ === mostNames) break
    const distance = edits(wanted, each.slice(0, longest).toLowerCase(), limit)
    if (distance > limit || (nearest !== null && distance === limit)) continue
    nearest = each
    limit = distance
  }
  return nearest
}
