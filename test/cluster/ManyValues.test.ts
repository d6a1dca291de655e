import { assert, it } from "@effect/vitest"
import type { Filter } from "../../src/domain/analytics/filter/Filter.ts"
import { answerOf } from "../../src/domain/analytics/question/Answer.ts"
import type { Question } from "../../src/domain/analytics/question/Question.ts"
import { answersOf } from "../support/analytics/ClusterAnswers.ts"
import { planOf } from "../support/analytics/FunnelPlans.ts"
import { planOf as insightOf, time } from "../support/analytics/InsightPlans.ts"
import { marker } from "../support/analytics/Markers.ts"
import { idOf } from "../support/analytics/ScannedEnvironment.ts"

const start = Date.parse("2026-03-01T00:00:00Z")

/** Nearly as many distinct values as are tested one by one: numbers, texts that spell numbers, and long texts. */
const all = Array.from({ length: 5000 }, (_, at) => {
  const trace = `${at % 4990} `.padEnd(1500, "x")
  const own = { score: at % 4990, spelled: `${at % 4990}.5`, again: `${at % 4980}.25`, trace }
  const sent = marker(at + 1, `u${at % 50}`, "play", start + (at % 100) * 1000, { arguments: own })
  return { ...sent, markerId: idOf(at + 1) }
})

const passing = (name: string, operator: "contains" | "notContains", operands: ReadonlyArray<string>): Filter => ({
  match: "all",
  conditions: [{ source: "argument", name, operator, operands }]
})

const hasDigits = passing("score", "contains", ["1", "2", "3", "4"])

/** A funnel whose steps all have the filter. */
const funnel = (filter: Filter): Question => {
  const plan = planOf("play play play", { range: { from: start, to: start + 1e9 } })
  const steps = plan.steps.map((step) => ({ ...step, selector: { ...step.selector, filter } }))
  return { kind: "funnel", plan: { ...plan, steps } }
}

const sums: Question = {
  kind: "insight",
  plan: insightOf(
    time("2026-03-01", "2026-03-02"),
    ["spelled", "again", "score"].map((argument) => ({ type: "sum" as const, argument })),
    { filter: hasDigits }
  )
}

it.each([
  ["numbers are told one by one in every step of a funnel", funnel(hasDigits)],
  ["numbers are told one by one for sums of arguments", sums],
  ["long texts are told one by one in every step of a funnel", funnel(passing("trace", "notContains", ["y"]))]
])("Thousands of %s", async (_, question) => {
  assert.deepStrictEqual(await answersOf(all, [], [question]), [answerOf(all, question)])
})
