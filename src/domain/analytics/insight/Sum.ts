/**
 * The double nearest to the exact sum, so that no order or partition of the values can change it (Shewchuk 1997, "Adaptive
 * precision floating-point arithmetic", as in Python's math.fsum). NaN when the sum passes the range of a double.
 */
export const exactSum = (values: Iterable<number>): number => {
  const partials: Array<number> = []
  for (let value of values) {
    let kept = 0
    for (let i = 0; i < partials.length; i++) {
      const partial = partials[i]!
      const high = value + partial
      const low = Math.abs(value) < Math.abs(partial) ? value - (high - partial) : partial - (high - value)
      if (low !== 0) partials[kept++] = low
      value = high
    }
    partials.length = kept
    partials.push(value)
  }
  return round(partials)
}

const round = (partials: ReadonlyArray<number>): number => {
  let at = partials.length - 1
  if (at < 0) return 0
  let high = partials[at]!
  let low = 0
  while (at > 0 && low === 0) {
    const before = high
    const partial = partials[--at]!
    high = before + partial
    low = partial - (high - before)
  }
  const next = at > 0 ? partials[at - 1]! : 0
  // Of tiny numbers the product would be zero.
  if ((low < 0 && next < 0) || (low > 0 && next > 0)) {
    const doubled = low * 2
    const moved = high + doubled
    if (moved - high === doubled) return moved
  }
  return high
}
