/** How many members a cohort had at an instant, as its computations tell. */
interface Size {
  /** Epoch ms. */
  readonly at: number
  readonly memberCount: number
}

/**
 * The size at the end of each day. `runs` come oldest first; `starts` (epoch ms) are those of the days, and then the end of the last one.
 * A day without a computation keeps the size of the day before; null before the first.
 */
export const dailySizes = (runs: ReadonlyArray<Size>, starts: ReadonlyArray<number>): ReadonlyArray<number | null> => {
  let next = 0
  let size: number | null = null
  return starts.slice(1).map((end) => {
    for (let run = runs[next]; run !== undefined && run.at < end; run = runs[++next]) size = run.memberCount
    return size
  })
}
