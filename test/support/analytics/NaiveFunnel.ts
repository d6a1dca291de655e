import type { FunnelShape, FunnelTrack } from "../../../src/domain/analytics/funnel/FunnelTrack.ts"

interface Attempt {
  readonly start: number
  readonly isExcluded: boolean
  /** (step, marker) pairs in order. */
  readonly path: ReadonlyArray<readonly [step: number, marker: number]>
}

const has = (bits: number, bit: number): boolean => (bits & (1 << bit)) !== 0

/** The rules of ordered and strict funnels word by word, with a list of attempts and no bit tricks. For comparison only. */
export const naiveFunnel = (track: FunnelTrack, shape: FunnelShape): Attempt & { readonly reached: number } => {
  const attempts: Array<Attempt | null> = Array.from({ length: shape.steps + 1 }, () => null)
  let best: Attempt & { reached: number } = { reached: 0, start: 0, isExcluded: false, path: [] }

  const source = (step: number, time: number): number | null => {
    for (let k = step; ; k--) {
      const attempt = attempts[k]
      if (attempt && time - attempt.start <= shape.window) return k
      if (k === 0 || !has(shape.optional, k - 1)) return null
    }
  }
  const isThere = (k: number, start: number): boolean => attempts[k]?.start === start

  const stand = (reached: number, attempt: Attempt): void => {
    if (!attempt.isExcluded) attempts[reached] = attempt
    if (reached > best.reached || (reached === best.reached && best.isExcluded)) best = { ...attempt, reached }
  }

  const match = (step: number, marker: number, time: number): void => {
    const from = source(step, time)
    if (from === null) return
    const { start, isExcluded, path } = attempts[from]!
    if (!isThere(step + 1, start)) stand(step + 1, { start, isExcluded, path: [...path, [step, marker]] })
  }

  /** A marker for each of the steps, each marker once; null where there is no such choice. */
  const chosen = (steps: ReadonlyArray<number>, markers: ReadonlyArray<number>): Attempt["path"] | null => {
    const [step, ...others] = steps
    if (step === undefined) return []
    for (const marker of markers) {
      if (!has(track.steps[marker]!, step)) continue
      const rest = chosen(
        others,
        markers.filter((other) => other !== marker)
      )
      if (rest !== null) return [[step, marker], ...rest]
    }
    return null
  }

  /** Takes an attempt that stood at `from` steps before an instant as far as its markers go, whatever their order. */
  const takeOn = (before: ReadonlyArray<Attempt | null>, from: number, markers: ReadonlyArray<number>): void => {
    const { start, isExcluded, path } = before[from]!
    let served: ReadonlyArray<number> = []
    const now = attempts[0]!.start
    const stood = (step: number): boolean => now - (before[step + 1]?.start ?? -Infinity) <= shape.window
    for (let step = from; step < shape.steps; step++) {
      if (before[step + 1]?.start === start) return
      const without = has(shape.optional, step)
        ? undefined
        : served.findLast(
            (left) =>
              has(shape.optional, left) &&
              !stood(left) &&
              chosen([...served.filter((other) => other !== left), step], markers) !== null
          )
      const all = chosen([...served, step], markers)
      if (all === null && without !== undefined) served = served.filter((other) => other !== without)
      const own = all ?? chosen([...served, step], markers)
      const matched = attempts[step + 1]
      const isMatched = matched && attempts[0]!.start - matched.start <= shape.window
      if (own === null && has(shape.optional, step) && !isMatched) continue
      if (own === null) return
      served = [...served, step]
      // Of those that come equally far, the one that began last stays.
      if ((attempts[step + 1]?.start ?? -Infinity) > start) continue
      stand(step + 1, { start, isExcluded, path: [...path, ...own] })
      if (isExcluded) return
    }
  }

  const exclude = (matched: number, time: number): void => {
    const k = source(matched, time)
    if (k === null || k === 0) return
    const attempt = attempts[k]!
    if (attempt.isExcluded || isThere(matched + 1, attempt.start)) return
    attempts[k] = { ...attempt, isExcluded: true }
    if (best.reached === k && time - best.start <= shape.window) best = { ...best, isExcluded: true }
  }

  /** An exclusion of an instant in which something else happened: before and after it the attempt must be between the steps. */
  const excludeAround = (exclusions: number, before: ReadonlyArray<Attempt | null>, time: number): void => {
    const isFromBefore = (k: number): boolean => attempts[k]?.path === before[k]?.path
    for (let k = shape.steps - 1; k >= 1; k--) {
      if (!has(exclusions, k - 1)) continue
      const attempt = attempts[k]
      if (!attempt || isFromBefore(k)) {
        const excluded = source(k, time)
        if (excluded !== null && isFromBefore(excluded)) exclude(k, time)
        continue
      }
      const stood = attempt.path.findLast(([, marker]) => track.times[marker]! < time)
      const between = Array.from({ length: k }, (_, i) => i).slice(stood?.[0] ?? k)
      if (stood === undefined || !between.every((bit) => has(exclusions, bit))) continue
      attempts[k] = { ...attempt, isExcluded: true }
      if (best.path === attempt.path) best = { ...best, isExcluded: true }
    }
  }

  const clear = (marker: number): void => {
    if (!shape.isStrict) return
    for (let step = 0; step < shape.steps; step++) if (!has(track.steps[marker]!, step)) attempts[step + 1] = null
  }

  const times = Array.from({ length: track.length }, (_, i) => track.times[i]!)
  for (const time of new Set(times)) {
    attempts[0] = { start: time, isExcluded: false, path: [] }
    const group = times.flatMap((other, i) => (other === time ? [i] : []))
    const kinds = new Set(group.map((i) => `${track.steps[i]} ${track.exclusions[i]}`))
    const isBoth = group.some((i) => track.steps[i] !== 0 && track.exclusions[i] !== 0)
    if (kinds.size > 1 || isBoth) {
      const before = [...attempts]
      for (const [from, attempt] of before.entries())
        if (attempt && from < shape.steps && time - attempt.start <= shape.window) takeOn(before, from, group)
      for (const i of group) excludeAround(track.exclusions[i]!, before, time)
    } else {
      for (const i of group) {
        for (let k = shape.steps; k >= 1; k--) if (has(track.exclusions[i]!, k - 1)) exclude(k, time)
        for (let step = shape.steps - 1; step >= 0; step--) if (has(track.steps[i]!, step)) match(step, i, time)
        clear(i)
      }
    }
    if (kinds.size === 1 && isBoth) clear(group[0]!)
    if (attempts[shape.steps]) break
  }
  return best.isExcluded ? { ...best, reached: 0, path: [] } : best
}
