/** A share of players that a studio wants to come back in an interval. */
export interface Benchmark {
  /** From 1, as the grid counts its columns. */
  readonly interval: number
  /** Percent, above 0 and up to 100. */
  readonly rate: number
}

export const mostBenchmarks = 6

const benchmarkOf = (text: string): ReadonlyArray<Benchmark> => {
  const [interval = 0, rate = 0] = text.split(":").map(Number)
  return Number.isInteger(interval) && interval >= 1 && interval <= 180 && rate > 0 && rate <= 100
    ? [{ interval, rate }]
    : []
}

/** The benchmarks with another one, by interval; it takes the place of the one that its interval had. */
export const withBenchmark = (all: ReadonlyArray<Benchmark>, added: Benchmark): ReadonlyArray<Benchmark> =>
  [...all.filter(({ interval }) => interval !== added.interval), added]
    .sort((one, other) => one.interval - other.interval)
    .slice(0, mostBenchmarks)

/** `1:40,7:20.5`: what is not a benchmark is left out. */
export const benchmarksOf = (text: string): ReadonlyArray<Benchmark> =>
  text.split(",").flatMap(benchmarkOf).reduce<ReadonlyArray<Benchmark>>(withBenchmark, [])

export const benchmarksText = (all: ReadonlyArray<Benchmark>): string =>
  all.map(({ interval, rate }) => `${interval}:${rate}`).join(",")

/** The benchmark at each of `count` intervals, on straight lines between those that were set; a single one holds everywhere. */
export const benchmarkRates = (all: ReadonlyArray<Benchmark>, count: number): ReadonlyArray<number | null> => {
  const [first] = all
  if (all.length === 1 && first !== undefined) return Array.from({ length: count }, () => first.rate)
  return Array.from({ length: count }, (_, index) => {
    const interval = index + 1
    const after = all.find((each) => each.interval >= interval)
    const before = all.findLast((each) => each.interval <= interval)
    if (before === undefined || after === undefined) return null
    if (before === after) return before.rate
    const part = (interval - before.interval) / (after.interval - before.interval)
    return before.rate + part * (after.rate - before.rate)
  })
}
