import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, TestClock } from "effect"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { decide, type LifecycleCommand } from "../../../src/domain/experiments/Lifecycle.ts"
import { advance, type StoredExperiment } from "../../../src/domain/experiments/StoredExperiment.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { RunningExperiments } from "../../../src/services/experiments/RunningExperiments.ts"
import { Enrolment } from "../../../src/services/game/Enrolment.ts"
import { UnitSights } from "../../../src/services/game/UnitSights.ts"
import { Versions } from "../../../src/services/game/Versions.ts"
import { ErasedUnits } from "../../../src/services/operations/ErasedUnits.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { anExperimentOf } from "../../support/experiments/StoredExperiments.ts"
import { units } from "../../support/experiments/Laboratory.ts"
import { everyStore } from "../../support/Stores.ts"

/** After the experiments have begun (epoch ms). */
const present = 5000

const services = Enrolment.Default.pipe(
  Layer.provideMerge(Layer.mergeAll(RunningExperiments.Default, UnitSights.Default)),
  Layer.provide(ErasedUnits.Default.pipe(Layer.provide(SecretsNode))),
  Layer.provideMerge(Versions.Default)
)

const open = (experiment: StoredExperiment): StoredExperiment => ({
  ...experiment,
  targeting: { cohortIds: [], conditions: [], newUsersOnly: false },
  exclusionLayer: null,
  holdoutPercent: 0,
  assignedBefore: [],
  progress: {
    ...experiment.progress,
    rollout: { ...experiment.progress.rollout, percent: 100, status: "idle", steps: [] }
  }
})

type Change = (experiment: StoredExperiment) => LifecycleCommand

const changes: ReadonlyArray<[name: string, change: Change, entered: ReadonlyArray<number>]> = [
  ["weights", () => ({ type: "changeWeights", weights: [10_000, 0] }), [40, 0]],
  ["a group that is dropped", ({ groups }) => ({ type: "dropGroup", groupId: groups[0]!.id }), [0, 40]],
  ["the percent", () => ({ type: "rollout", command: { action: "set", percent: 0 } }), [0, 0]],
  ["a pause", () => ({ type: "rollout", command: { action: "pause" } }), [0, 0]]
]

for (const [label, store] of everyStore) {
  layer(Layer.provideMerge(services, store))(`a change that others have not heard of yet, over ${label}`, (it) => {
    for (const assignmentMode of ["weightedHash", "roundRobin"] as const)
      it.effect.each(changes)(`is followed by units that come after it, ${assignmentMode}: %s`, ([, change, entered]) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(present)
          const { application, production: environmentId } = yield* aProject
          const repo = yield* ExperimentRepo
          const enrolment = yield* Enrolment
          const plan = open(yield* anExperimentOf(application.id, environmentId))
          const experiment = yield* repo.insert({ ...plan, assignmentMode })
          yield* Effect.flatMap(RunningExperiments, (running) => running.of(environmentId))
          const settled = yield* decide(experiment.progress, change(experiment), present)
          assert.isTrue(Option.isSome(yield* repo.update(advance(experiment, settled))))
          const place = { environmentId, unitType: "user" as const }
          const asking = units(40).map((distinctId) => ({ distinctId, context: {} }))
          const told = yield* enrolment.of({ place, units: asking, isAsked: () => true, exposes: true })
          const totals = yield* Effect.flatMap(AssignmentRepo, (each) => each.totals(experiment.id))
          const sizes = experiment.groups.map(({ id }) => totals.find(({ groupId }) => groupId === id)?.count ?? 0)
          assert.deepStrictEqual(sizes, entered)
          assert.lengthOf([...told.values()].flat(), entered[0]! + entered[1]!)
        })
      )
  })
}
