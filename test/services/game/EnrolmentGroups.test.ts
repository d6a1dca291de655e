import { assert, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { EnrolmentRepo } from "../../../src/ports/experiments/EnrolmentRepo.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { RunningExperiments } from "../../../src/services/experiments/RunningExperiments.ts"
import { Enrolment } from "../../../src/services/game/Enrolment.ts"
import { ContextProperties } from "../../../src/services/game/ContextProperties.ts"
import { Evaluation } from "../../../src/services/game/Evaluation.ts"
import { Exposures } from "../../../src/services/game/Exposures.ts"
import { UnitSights } from "../../../src/services/game/UnitSights.ts"
import { Versions } from "../../../src/services/game/Versions.ts"
import { WrittenAssignments } from "../../../src/services/game/WrittenAssignments.ts"
import { LiveFeed } from "../../../src/services/live/LiveFeed.ts"
import { ErasedUnits } from "../../../src/services/operations/ErasedUnits.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { anExperimentOf } from "../../support/experiments/StoredExperiments.ts"

/** After the experiments have begun (epoch ms). */
const present = 5000

const unitCount = 250
const experimentCount = 10
/** The most assignments that are stored in one turn. */
const most = 2500

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

/** An environment with so many experiments, of which each takes everybody. */
const aBusyEnvironment = Effect.fnUntraced(function* (count: number) {
  yield* TestClock.setTime(present)
  const { application, production } = yield* aProject
  const experiments = yield* ExperimentRepo
  for (let at = 0; at < count; at++) {
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
  return production
})

const shared = Layer.mergeAll(RunningExperiments.Default, UnitSights.Default).pipe(
  Layer.provideMerge(ErasedUnits.Default.pipe(Layer.provide(SecretsNode))),
  Layer.provideMerge(Versions.Default)
)

it.effect(
  "Enrolment: requests for many players that come together are stored in several turns, none with more than one may ask for",
  () =>
    Effect.gen(function* () {
      const production = yield* aBusyEnvironment(experimentCount)
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
      }).pipe(Effect.provide(Enrolment.Default.pipe(Layer.provide(shared), Layer.provide(layer))))
      assert.deepStrictEqual(
        commits,
        [1, 2, 3, 4].map(() => unitCount * experimentCount)
      )
    }).pipe(Effect.provide(MemoryStores))
)

it.effect(
  "Enrolment: one request for many players in many experiments is stored in several turns, and answered whole",
  () =>
    Effect.gen(function* () {
      const many = 40
      const environmentId = yield* aBusyEnvironment(many)
      const { commits, layer } = yield* watched
      const units = Array.from({ length: unitCount }, (_, at) => ({ distinctId: `player ${at}`, context: {} }))
      // A unit that is named twice is answered once, wherever its names stand.
      const asked = [...units, ...units.slice(0, 2)]
      const answers = yield* Effect.flatMap(WrittenAssignments, (written) =>
        written.of(environmentId, "user", asked)
      ).pipe(
        Effect.provide(
          WrittenAssignments.Default.pipe(
            Layer.provide(Evaluation.Default),
            Layer.provide(Layer.mergeAll(Enrolment.Default, Exposures.Default, ContextProperties.Default)),
            Layer.provide(Layer.mergeAll(shared, SecretsNode, LiveFeed.Default)),
            Layer.provide(layer)
          )
        )
      )
      assert.deepStrictEqual(
        [...answers.keys()],
        units.map(({ distinctId }) => distinctId)
      )
      for (const list of answers.values()) assert.lengthOf(JSON.parse(new TextDecoder().decode(list)), many)
      assert.strictEqual(
        commits.reduce((sum, count) => sum + count, 0),
        unitCount * many
      )
      for (const count of commits) assert.isAtMost(count, most)
      const stored = yield* Effect.flatMap(AssignmentRepo, (repo) =>
        repo.ofUnits(
          environmentId,
          "user",
          units.map(({ distinctId }) => distinctId)
        )
      )
      assert.lengthOf(stored, unitCount * many)
    }).pipe(Effect.provide(MemoryStores))
)
