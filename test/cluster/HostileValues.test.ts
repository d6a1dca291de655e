import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { answerOf } from "../../src/domain/analytics/question/Answer.ts"
import { answersOf } from "../support/analytics/ClusterAnswers.ts"
import { runCount } from "../support/Runs.ts"
import { world } from "./HostileMarkers.ts"
import { questions } from "./HostilePlans.ts"

it("Of values that two engines could take differently ClickHouse says what the pure functions say", () =>
  fc.assert(
    fc.asyncProperty(world, questions, async (all, asked) => {
      const answers = await answersOf(all, [], asked)
      for (const [at, one] of asked.entries())
        assert.deepStrictEqual(answers[at], answerOf(all, one), JSON.stringify(one))
    }),
    { numRuns: runCount(400) }
  ))
