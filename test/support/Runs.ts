const factor = Number(process.env["GAMEKEEPER_TEST_RUNS"] ?? 1)

if (!(factor > 0)) throw new Error(`GAMEKEEPER_TEST_RUNS must be a factor above 0, such as 0.1 or 10`)

/**
 * How many values a property is tried with: `count` times the factor of GAMEKEEPER_TEST_RUNS, at least one. Every property takes its
 * number of runs from here.
 */
export const runCount = (count: number): number => Math.max(1, Math.round(count * factor))

/**
 * What something that comes up by chance, more than `count` times in all runs, is to exceed: fewer runs are given three standard deviations,
 * so that chance fails none of them.
 */
export const expectedCount = (count: number): number => {
  const scaled = count * factor
  return factor >= 1 ? count : Math.max(-1, Math.floor(scaled - 3 * Math.sqrt(scaled)))
}
