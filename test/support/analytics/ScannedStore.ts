import { assert } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { answerOf } from "../../../src/domain/analytics/question/Answer.ts"
import type { Question } from "../../../src/domain/analytics/question/Question.ts"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import { exposedGroups } from "../../../src/domain/analytics/filter/Memberships.ts"
import { events, exposed } from "../Arbitraries.ts"
import { isCluster } from "../cluster/Chosen.ts"
import { answersOf } from "./ClusterAnswers.ts"
import { idOf, type ScannedEnvironment, ScannedEnvironments } from "./ScannedEnvironment.ts"
import { origin, tick, ticks, types } from "./PlanParts.ts"
import { runCount } from "../Runs.ts"

type World = fc.Arbitrary<ReadonlyArray<StoredEvent>>

const everyday: World = fc.oneof(
  events({ units: 4, types, ticks, tick, origin, most: 40 }),
  events({ units: 4, types, ticks, tick, origin, most: 40 }).map(exposed)
)

/** The markers as received in this order. */
const received = (world: World): World =>
  world.map((all) =>
    all.map((event, index) =>
      Object.assign(event, { sequence: index + 1, markerId: idOf(index + 1), receivedAt: origin })
    )
  )

/** Markers as they were received, changed by `change`. */
export const worldOf = (change: (all: ReadonlyArray<StoredEvent>) => ReadonlyArray<StoredEvent>): World =>
  received(events({ units: 4, types, ticks, tick, origin, most: 40 }).map(change))

/** Who belongs to the cohorts 1 and 2. */
const belonging = fc.tuple(fc.subarray(["u0", "u1", "u2", "nobody"]), fc.subarray(["u1", "u3"]))

type Belonging = readonly [ReadonlyArray<string>, ReadonlyArray<string>]

/** After how many markers the store seals, compacts or forgets what its reader knows. */
const steps = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 15 }), fc.constantFrom("seal", "compact", "ask", "reopen", "members")),
  { maxLength: 8 }
)

type Steps = ReadonlyArray<readonly [count: number, step: string]>

/** Gives an environment the markers in parts, with other work in between. */
const fill = (
  environment: ScannedEnvironment,
  all: ReadonlyArray<StoredEvent>,
  script: Steps,
  cohorts: Belonging,
  asked: Question
): void => {
  let sent = 0
  for (const [count, step] of script) {
    environment.send(all.slice(sent, sent + count))
    sent += count
    if (step === "seal") environment.seal()
    if (step === "compact") environment.compact()
    if (step === "ask") environment.ask(asked)
    if (step === "reopen") environment.reopen()
    if (step === "members") environment.settle(cohorts)
  }
  environment.send(all.slice(sent))
  environment.settle(cohorts)
}

/** What the pure functions say about a world. */
const expected = (all: ReadonlyArray<StoredEvent>, cohorts: Belonging, question: Question): unknown =>
  answerOf(all, question, {
    cohort: (id) => new Set(cohorts[id - 1] ?? []),
    experiment: (id) => exposedGroups(all, id)
  })

/** Four hundred random worlds with up to three questions each: scanned columns say what the pure functions say, byte by byte. */
const scanned = async (question: fc.Arbitrary<Question>, world: World) => {
  const environments = new ScannedEnvironments()
  await fc.assert(
    fc.asyncProperty(
      received(world),
      steps,
      belonging,
      fc.array(question, { minLength: 1, maxLength: 3 }),
      (all, script, cohorts, questions) =>
        environments.use((environment) => {
          fill(environment, all, script, cohorts, questions[0]!)
          for (const one of questions)
            assert.strictEqual(JSON.stringify(environment.ask(one).answer), JSON.stringify(expected(all, cohorts, one)))
        })
    ),
    { numRuns: runCount(400) }
  )
  environments.close()
}

/** The same of the store on two databases, but for the order of names within a value. */
const asked = (question: fc.Arbitrary<Question>, world: World) =>
  fc.assert(
    fc.asyncProperty(
      received(world),
      belonging,
      fc.array(question, { minLength: 1, maxLength: 3 }),
      async (all, cohorts, questions) => {
        const answers = await answersOf(all, cohorts, questions)
        for (const [at, one] of questions.entries())
          assert.deepStrictEqual(answers[at], expected(all, cohorts, one), JSON.stringify(one))
      }
    ),
    { numRuns: runCount(400) }
  )

/** The store says what the pure functions say about random worlds. */
export const agrees = (question: fc.Arbitrary<Question>, world: World = everyday) =>
  (isCluster ? asked : scanned)(question, world)
