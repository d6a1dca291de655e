import { Console, Effect } from "effect"
import type { Finding } from "../domain/operations/Finding.ts"

/** Prints a line for each finding; answers how many of all checks failed in words, null where none did. */
export const printFindings = (findings: ReadonlyArray<Finding>) =>
  Effect.gen(function* () {
    for (const { isGood, text } of findings) yield* Console.log(`${isGood ? "ok " : "BAD"}  ${text}`)
    const wrong = findings.filter(({ isGood }) => !isGood).length
    return wrong === 0 ? null : `${wrong} of ${findings.length} checks failed`
  })
