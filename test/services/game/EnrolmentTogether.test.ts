// @effect-diagnostics runEffectInsideEffect:off -- fast-check takes promises
import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer, Runtime, TestClock } from "effect"
import { admit, type Running } from "../../../src/domain/experiments/Admission.ts"
import type { StoredExperiment } from "../../../src/domain/experiments/StoredExperiment.ts"
import type { EnvironmentId, ExperimentId } from "../../../src/domain/Ids.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { ExposureRepo } from "../../../src/ports/experiments/ExposureRepo.ts"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { RunningExperiments } from "../../../src/services/experiments/RunningExperiments.ts"
import { Enrolment } from "../../../src/services/game/Enrolment.ts"
import { UnitSights } from "../../../src/services/game/UnitSights.ts"
import { ErasedUnits } from "../../../src/services/operations/ErasedUnits.ts"
import { Versions } from "../../../src/services/game/Versions.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { anExperimentOf } from "../../support/experiments/StoredExperiments.ts"
import { runCount } from "../../support/Runs.ts"
import { everyStore } from "../../support/Stores.ts"

/** After the experiments have begun (epoch ms). */
const present = 5000

const services = Enrolment.Default.pipe(
  Layer.provideMerge(Layer.mergeAll(RunningExperiments.Default, UnitSights.Default)),
  Layer.provide(ErasedUnits.Default.pipe(Layer.provide(SecretsNode))),
  Layer.provideMerge(Versions.Default)
)

const experiment = fc.record({
  percent: fc.constantFrom(0, 10, 50, 100),
  holdoutPercent: fc.constantFrom(0, 20),
  exclusionLayer: fc.constantFrom(null, "shop", "arena"),
  assignmentMode: fc.constantFrom("weightedHash" as const, "weightedHash" as const, "roundRobin" as const),
  weights: fc.constantFrom([5000, 5000], [9000, 1000], [0, 10_000]),
  autoAssignment: fc.boolean(),
  permanentEnrollment: fc.boolean(),
  level: fc.constantFrom(null, 3)
})

type Drawn = typeof experiment extends fc.Arbitrary<infer Value> ? Value : never

const ids = fc.array(fc.constantFrom("ann", "bob", "cid", "dan", "eve", "fay"), { minLength: 1, maxLength: 6 })

/** Requests that come at once, each for some units; some say a level. */
const requests = fc.array(fc.record({ ids, exposes: fc.boolean() }), { minLength: 1, maxLength: 8 })

const insert = (template: StoredExperiment, drawn: Drawn) => {
  const { percent, weights, level, ...fields } = drawn
  const { progress } = template
  const condition = { property: "properties.level", operator: "greaterThan", operands: [3], value: 3 } as const
  return Effect.flatMap(ExperimentRepo, (repo) =>
    repo.insert({
      ...template,
      ...fields,
      targeting: { cohortIds: [], newUsersOnly: false, conditions: level === null ? [] : [condition] },
      progress: {
        ...progress,
        groups: progress.groups.map((group, at) => ({ ...group, weight: weights[at] ?? 0 })),
        rollout: { ...progress.rollout, percent, status: "paused", pausedAt: null, steps: [] }
      }
    })
  )
}

/** The group that a unit of which nothing is known yet enters in each experiment; null where its turn decides. */
const expected = (running: ReadonlyArray<Running>, distinctId: string, now: number) => {
  const unknown = { distinctId, context: {}, held: new Map(), cohorts: new Set<never>(), firstSeenAt: null }
  return new Map<ExperimentId, number | null>(
    admit([], running, unknown, now).wanted.map(
      ({
        running: {
          experiment: { id }
        },
        decision
      }) => [id, decision.type === "enrol" ? decision.groupId : null]
    )
  )
}

const agrees = (environmentId: EnvironmentId, asked: ReadonlyArray<{ ids: ReadonlyArray<string>; exposes: boolean }>) =>
  Effect.gen(function* () {
    const enrolment = yield* Enrolment
    const running = yield* Effect.flatMap(RunningExperiments, (each) => each.of(environmentId))
    const place = { environmentId, unitType: "user" as const }
    const answers = yield* Effect.forEach(
      asked,
      (each) => {
        const units = each.ids.map((distinctId) => ({ distinctId, context: {} }))
        return enrolment.of({ place, units, isAsked: () => true, exposes: each.exposes })
      },
      { concurrency: "unbounded" }
    )
    const everyone = [...new Set(asked.flatMap((each) => each.ids))]
    const stored = yield* Effect.flatMap(AssignmentRepo, (repo) => repo.ofUnits(environmentId, "user", everyone))
    for (const [at, answer] of answers.entries()) {
      assert.sameMembers([...answer.keys()], [...new Set(asked[at]?.ids)])
      for (const [distinctId, all] of answer) {
        const own = stored.filter((each) => each.distinctId === distinctId)
        assert.deepStrictEqual(
          all.map(({ assignment }) => assignment),
          own
        )
        const wanted = expected(running, distinctId, present)
        assert.deepStrictEqual(
          own.map(({ experimentId }) => experimentId),
          [...wanted.keys()]
        )
        for (const { experimentId, automaticGroupId } of own) {
          const groupId = wanted.get(experimentId) ?? automaticGroupId
          assert.strictEqual(automaticGroupId, groupId)
        }
      }
    }
    const noted = yield* Effect.flatMap(ExposureRepo, (repo) => repo.unmarked(Number.MAX_SAFE_INTEGER, 100_000))
    assert.sameMembers(
      noted
        .filter((each) => each.environmentId === environmentId)
        .map(({ experimentId, distinctId, groupId, at }) => `${experimentId} ${distinctId} ${groupId} ${at}`),
      stored
        .filter(({ firstExposedAt }) => firstExposedAt !== null)
        .map((each) => `${each.experimentId} ${each.distinctId} ${each.automaticGroupId} ${each.firstExposedAt}`)
    )
    return stored.length
  })

for (const [label, store] of everyStore) {
  layer(Layer.provideMerge(services, store))(`units that come together, over ${label}`, (it) => {
    it.effect("enter what each of them alone would, once, with their exposures", () =>
      Effect.gen(function* () {
        const runtime = yield* Effect.runtime<
          Layer.Layer.Success<typeof services> | Layer.Layer.Success<typeof store>
        >()
        yield* TestClock.setTime(present)
        let entered = 0
        const property = fc.asyncProperty(
          fc.array(experiment, { minLength: 1, maxLength: 5 }),
          requests,
          (drawn, asked) =>
            Runtime.runPromise(runtime)(
              Effect.gen(function* () {
                const { application, production } = yield* aProject
                for (const each of drawn) yield* insert(yield* anExperimentOf(application.id, production), each)
                entered += yield* agrees(production, asked)
                // Who comes again enters nothing else.
                yield* agrees(production, asked)
              })
            )
        )
        yield* Effect.promise(() => fc.assert(property, { numRuns: runCount(100) }))
        assert.isAbove(entered, 0)
      })
    )
  })
}
