import { hourMillis } from "../../Durations.ts"

/** Bytes of disk that were free at an instant (epoch ms); null where that was not known. */
export interface FreeDisk {
  readonly at: number
  readonly freeBytes: number | null
}

/** How long the disk has to have been filling before too little is foreseen, and how far ahead: an hour says nothing of a day. */
const windows = [
  { observedMillis: hourMillis, aheadMillis: 4 * hourMillis },
  { observedMillis: 3 * hourMillis, aheadMillis: 24 * hourMillis },
  { observedMillis: 5.5 * hourMillis, aheadMillis: 72 * hourMillis }
]

/** Parts of a window in each of which less must be free than in the one before: a copy or a build fills the disk once, or comes and goes. */
const parts = 4

/** How much further ahead is looked at what is told already, so that it does not come and go at the edge. */
const openFactor = 2

/** The most that was free in each part of the window that ends at `to`, null where one is not known. What is deleted soon after does not count. */
const highestIn = (all: ReadonlyArray<FreeDisk>, from: number, to: number): ReadonlyArray<number> | null => {
  const highest = Array.from({ length: parts }, () => -1)
  for (const { at, freeBytes } of all) {
    if (freeBytes === null || at < from || at > to) continue
    const part = Math.min(parts - 1, Math.floor(((at - from) / (to - from)) * parts))
    highest[part] = Math.max(highest[part] ?? -1, freeBytes)
  }
  return highest.includes(-1) ? null : highest
}

/** Bytes a millisecond: of the slowest step from part to part, or of all of them where it is told already. */
const rateOf = (highest: ReadonlyArray<number>, observedMillis: number, isOpen: boolean): number => {
  const falls = highest.slice(1).map((most, index) => (highest[index] ?? most) - most)
  const fall = isOpen ? falls.reduce((sum, each) => sum + each, 0) / falls.length : Math.min(...falls)
  return fall / (observedMillis / parts)
}

/**
 * Milliseconds until less than `leastBytes` are free, at the rate at which the disk has been filling; null where that is too far ahead for how
 * long it was looked at, or it does not fill. `all` is in the order of time, and its last one is now.
 */
export const millisUntilFull = (all: ReadonlyArray<FreeDisk>, leastBytes: number, isOpen: boolean): number | null => {
  const to = all.at(-1)?.at ?? 0
  const oldest = all.find(({ freeBytes }) => freeBytes !== null)?.at ?? to
  const found = windows.flatMap(({ observedMillis, aheadMillis }) => {
    const highest = to - oldest < observedMillis ? null : highestIn(all, to - observedMillis, to)
    const rate = highest === null ? 0 : rateOf(highest, observedMillis, isOpen)
    const left = rate <= 0 ? Infinity : ((highest?.at(-1) ?? 0) - leastBytes) / rate
    return left <= aheadMillis * (isOpen ? openFactor : 1) ? [Math.max(0, left)] : []
  })
  return found.length === 0 ? null : Math.min(...found)
}
