const factor = Number(process.env["GAMEKEEPER_TEST_RUNS"] ?? 1)

if (!(factor > 0)) throw new Error(`GAMEKEEPER_TEST_RUNS must be a factor above 0, such as 0.1 or 10`)

/**
 * How many values a property is tried with: `count` times the factor of GAMEKEEPER_TEST_RUNS, at least one. Every property takes its
 * number of runs from here.
 */
export const runCount = (count: number): number => Math.max(1, Math.round(count * factor))
