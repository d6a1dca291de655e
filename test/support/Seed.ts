import { FastCheck } from "effect"

const seed = process.env["GAMEKEEPER_TEST_SEED"]

/** Properties look at other values in every run, unless a seed is given: a run that is to be judged is the same each time. */
if (seed !== undefined) FastCheck.configureGlobal({ seed: Number(seed) })
