import { assert, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { EnrolmentRepo } from "../../../src/ports/experiments/EnrolmentRepo.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { RunningExperiments } from "../../../src/services/experiments/RunningExperiments.ts"
import { Enrolment } from "../../../src/services/game/Enrolment.ts"
import { UnitSights } from "../../../src/services/game/UnitSights.ts"
import { Versions } from "../../../src/services/game/Versions.ts"
import { ErasedUnits } from "../../../src/services/operations/ErasedUnits.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { anExperimentOf } from "../../support/experiments/StoredExperiments.ts"

/** After the experiments have begun (epoch ms). */
const present = 5000

const unitCount = 250
const experimentCount = 10

/** How many assignments each commit was to store. */
const watched = Effect.map(EnrolmentRepo, (repo) => {
  const commits: Array<number> = []
  const layer = Layer.succeed(EnrolmentRepo, {
    ...repo,
    enrolAll: (batches, locks) => {
      commits.push(batches.reduce((sum, { assignments }) => sum + assignments.length, 0))
      return repo.enrolAll(batches, locks)
    }
  })
  return { commits, layer }
})

it.effect(
  "Enrolment: requests for many players that come together are stored in several turns, none with more than one may ask for",
  () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(present)
      const { application, production } = yield* aProject
      const experiments = yield* ExperimentRepo
      for (let at = 0; at < experimentCount; at++) {
        const drawn = yield* anExperimentOf(application.id, production)
        const { rollout } = drawn.progress
        yield* experiments.insert({
          ...drawn,
          exclusionLayer: null,
          holdoutPercent: 0,
          targeting: { cohortIds: [], newUsersOnly: false, conditions: [] },
          progress: {
            ...drawn.progress,
            rollout: { ...rollout, percent: 100, status: "paused", pausedAt: null, steps: [] }
          }
        })
      }
      const { commits, layer } = yield* watched
      yield* Effect.gen(function* () {
        const enrolment = yield* Enrolment
        const place = { environmentId: production, unitType: "user" as const }
        const answers = yield* Effect.forEach(
          [1, 2, 3, 4],
          (request) => {
            const units = Array.from({ length: unitCount }, (_, at) => ({
              distinctId: `${request} ${at}`,
              context: {}
            }))
            return enrolment.of({ place, units, isAsked: () => true, exposes: true })
          },
          { concurrency: "unbounded" }
        )
        for (const answer of answers)
          assert.deepStrictEqual(
            [...answer.values()].map(({ length }) => length),
            Array.from({ length: unitCount }, () => experimentCount)
          )
      }).pipe(
        Effect.provide(
          Enrolment.Default.pipe(
            Layer.provide(Layer.mergeAll(RunningExperiments.Default, UnitSights.Default)),
            Layer.provide(Layer.merge(ErasedUnits.Default.pipe(Layer.provide(SecretsNode)), Versions.Default)),
            Layer.provide(layer)
          )
        )
      )
      assert.deepStrictEqual(
        commits,
        [1, 2, 3, 4].map(() => unitCount * experimentCount)
      )
    }).pipe(Effect.provide(MemoryStores))
)
