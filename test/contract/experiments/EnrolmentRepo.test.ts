// @effect-diagnostics runEffectInsideEffect:off -- fast-check takes promises
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, FastCheck as fc, Option, Runtime } from "effect"
import { exposuresOf } from "../../../src/domain/experiments/EnrolmentExposures.ts"
import type { StoredAssignment } from "../../../src/domain/experiments/StoredAssignment.ts"
import type { StoredExperiment } from "../../../src/domain/experiments/StoredExperiment.ts"
import { ExperimentGroupId } from "../../../src/domain/Ids.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { type EnrolmentBatch, EnrolmentRepo } from "../../../src/ports/experiments/EnrolmentRepo.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { ExposureRepo } from "../../../src/ports/experiments/ExposureRepo.ts"
import { nextTurn } from "../../../src/ports/operations/NextTurn.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { assigned, exposureOf } from "../../support/experiments/Exposed.ts"
import { anExperiment } from "../../support/experiments/StoredExperiments.ts"
import { runCount } from "../../support/Runs.ts"
import { metadataStores } from "../../support/Stores.ts"

const batchOf = (experiment: StoredExperiment, assignments: ReadonlyArray<StoredAssignment>): EnrolmentBatch => ({
  environmentId: experiment.environmentId,
  revisions: new Map([[experiment.id, experiment.revision]]),
  assignments
})

const aRunning = Effect.flatMap(Effect.all([ExperimentRepo, anExperiment]), ([repo, experiment]) =>
  repo.insert(experiment)
)

/** The exposures without a marker in the experiment's environment. */
const unmarkedOf = ({ environmentId }: StoredExperiment) =>
  Effect.flatMap(ExposureRepo, (repo) =>
    Effect.map(repo.unmarked(Number.MAX_SAFE_INTEGER, 10_000), (all) =>
      all.filter((each) => each.environmentId === environmentId)
    )
  )

const held = ({ environmentId }: StoredExperiment, distinctIds: ReadonlyArray<string>) =>
  Effect.flatMap(AssignmentRepo, (repo) => repo.ofUnits(environmentId, "user", distinctIds))

const second = ExperimentGroupId.make(2)

const ids = ["ann", "bob", "cid", "dan"]

const units = fc.array(
  fc.record({ id: fc.constantFrom(...ids), group: fc.integer({ min: 1, max: 2 }), isExposed: fc.boolean() }),
  { maxLength: 12 }
)

for (const [label, store] of metadataStores) {
  layer(store)(`enrolments in ${label}`, (it) => {
    it.effect("stores those of other environments where one has just been removed", () =>
      Effect.gen(function* () {
        const [gone, kept] = [yield* aRunning, yield* aRunning]
        const repo = yield* EnrolmentRepo
        yield* (yield* ProjectRepo).removeEnvironment(gone.environmentId)
        const [ann, bob] = [assigned(gone.id, "ann"), assigned(kept.id, "bob")]
        assert.deepStrictEqual(yield* repo.enrolAll([batchOf(gone, [ann]), batchOf(kept, [bob])]), [null, [bob]])
        assert.deepStrictEqual(yield* held(kept, ["ann", "bob"]), [bob])
      })
    )

    it.effect("stores new assignments with their exposures, and tells which there were", () =>
      Effect.gen(function* () {
        const experiment = yield* aRunning
        const repo = yield* EnrolmentRepo
        const of = (distinctId: string, more: Partial<StoredAssignment> = {}) =>
          assigned(experiment.id, distinctId, { firstExposedAt: 1000, ...more })
        const [ann, bob, cid] = [of("ann"), of("bob", { firstExposedAt: null }), of("cid")]
        const [first] = yield* repo.enrolAll([batchOf(experiment, [ann, bob])])
        assert.deepStrictEqual(
          first?.map((each) => [each === ann, each === bob]),
          [
            [true, false],
            [false, true]
          ]
        )
        const { environmentId } = experiment
        assert.deepStrictEqual(yield* unmarkedOf(experiment), [exposureOf(environmentId, ann, 1000)])
        const later = { automaticGroupId: second, assignedAt: 2000, firstExposedAt: 2000 }
        const [again] = yield* repo.enrolAll([batchOf(experiment, [of("ann", later), cid, of("cid", later)])])
        assert.deepStrictEqual(again, [ann, cid, cid])
        assert.isTrue(again?.[1] === cid)
        assert.deepStrictEqual(yield* held(experiment, ids), [ann, bob, cid])
        assert.deepStrictEqual(yield* unmarkedOf(experiment), [
          exposureOf(environmentId, ann, 1000),
          exposureOf(environmentId, cid, 1000)
        ])
        const totals = yield* Effect.flatMap(AssignmentRepo, (assignments) => assignments.totals(experiment.id))
        assert.deepStrictEqual(totals, [{ groupId: ExperimentGroupId.make(1), status: "active", count: 3 }])
        assert.deepStrictEqual(yield* repo.enrolAll([]), [])
        assert.deepStrictEqual(yield* repo.enrolAll([batchOf(experiment, [])]), [[]])
      })
    )

    it.effect(
      "stores nothing of a batch one of whose experiments was written or has ended, and all of the others",
      () =>
        Effect.gen(function* () {
          const [one, other] = [yield* aRunning, yield* aRunning]
          const experiments = yield* ExperimentRepo
          const repo = yield* EnrolmentRepo
          const written = Option.getOrThrow(yield* experiments.update({ ...one, name: "Written" }))
          const [ann, bob] = [assigned(one.id, "ann", { firstExposedAt: 1000 }), assigned(other.id, "bob")]
          const both = (first: StoredExperiment) => [batchOf(first, [ann]), batchOf(other, [bob])]
          assert.deepStrictEqual(yield* repo.enrolAll(both(one)), [null, [bob]])
          assert.deepStrictEqual([yield* held(one, ids), yield* unmarkedOf(one)], [[], []])
          assert.deepStrictEqual(yield* held(other, ids), [bob])
          assert.deepStrictEqual(yield* repo.enrolAll(both(written)), [[ann], [bob]])
          const { progress } = written
          const terminated = { ...progress, status: "terminated", terminatedAt: 3, terminationReason: "" } as const
          const ended = Option.getOrThrow(yield* experiments.update({ ...written, progress: terminated }))
          assert.deepStrictEqual(yield* repo.enrolAll([batchOf(ended, [assigned(one.id, "cid")])]), [null])
        })
    )

    it.effect("notes what a unit is exposed to in all experiments, of which any may be marked before the others", () =>
      Effect.gen(function* () {
        const [first, ...others] = [yield* aRunning, yield* aRunning, yield* aRunning]
        const { environmentId } = first
        const [repo, exposures] = [yield* EnrolmentRepo, yield* ExposureRepo]
        // One environment has all of them, as far as notes go.
        const batch = (all: ReadonlyArray<StoredAssignment>) => batchOf(first, all)
        const of = (experiment: StoredExperiment, distinctId: string, at: number) =>
          assigned(experiment.id, distinctId, { automaticGroupId: second, assignedAt: at, firstExposedAt: at })
        const noted = (distinctId: string, at: number) =>
          [first, ...others].map((each) => exposureOf(environmentId, of(each, distinctId, at), at))
        const everUnmarked = unmarkedOf(first)
        const units = ["ann", "bob", "cid"].flatMap((id) => [first, ...others].map((each) => of(each, id, 5)))
        yield* repo.enrolAll([batch(units.slice(0, 7)), batch(units.slice(7))])
        const [ann, bob, cid] = [noted("ann", 5), noted("bob", 5), noted("cid", 5)]
        assert.sameDeepMembers([...(yield* everUnmarked)], [...ann, ...bob, ...cid])
        assert.deepStrictEqual(
          (yield* exposures.unmarked(6, 1000))
            .filter((each) => each.environmentId === environmentId)
            .map(({ experimentId, distinctId }) => [experimentId, distinctId]),
          [first, ...others].flatMap(({ id }) => ["ann", "bob", "cid"].map((unit) => [id, unit]))
        )
        assert.deepStrictEqual(yield* exposures.noted(bob), bob)
        assert.deepStrictEqual(
          yield* exposures.record([...bob, exposureOf(environmentId, of(first, "bob", 6), 6)], []),
          bob
        )
        yield* exposures.record([], [...ann, ...noted("bob", 4), ...bob.slice(0, 1), ...cid.slice(2), ...bob.slice(2)])
        assert.sameDeepMembers([...(yield* everUnmarked)], [...bob.slice(1, 2), ...cid.slice(0, 2)])
        yield* exposures.eraseUnit(environmentId, "bob")
        assert.sameDeepMembers([...(yield* everUnmarked)], cid.slice(0, 2))
        yield* exposures.record([], cid.slice(0, 2).toReversed())
        assert.deepStrictEqual(yield* everUnmarked, [])
      })
    )

    it.effect("waits until a transaction has ended, and sees what it has written", () =>
      Effect.gen(function* () {
        const experiment = yield* aRunning
        const [assignments, repo, transaction] = [yield* AssignmentRepo, yield* EnrolmentRepo, yield* Transaction]
        const begun = yield* Deferred.make<void>()
        const ann = assigned(experiment.id, "ann")
        const late = { ...ann, automaticGroupId: second }
        const within = Effect.gen(function* () {
          yield* Deferred.succeed(begun, undefined)
          for (let turn = 0; turn < 5; turn++) yield* nextTurn
          yield* assignments.put(experiment.environmentId, [ann])
          for (let turn = 0; turn < 5; turn++) yield* nextTurn
        })
        const enrolled = Effect.zipRight(Deferred.await(begun), repo.enrolAll([batchOf(experiment, [late])]))
        const [, [kept]] = yield* Effect.all([transaction.run(within), enrolled], { concurrency: 2 })
        assert.deepStrictEqual(kept, [ann])
        assert.deepStrictEqual(yield* held(experiment, ids), [ann])
      })
    )

    it.effect("keeps the first of each unit of any batches, and notes its exposure alone", () =>
      Effect.gen(function* () {
        const experiment = yield* aRunning
        const runtime = yield* Effect.runtime<AssignmentRepo | EnrolmentRepo | ExposureRepo>()
        let run = 0
        const property = fc.asyncProperty(fc.array(units, { maxLength: 4 }), (batches) =>
          Runtime.runPromise(runtime)(
            Effect.gen(function* () {
              run++
              const repo = yield* EnrolmentRepo
              const first = new Map<string, StoredAssignment>()
              for (const [at, batch] of batches.entries()) {
                const assignments = batch.map(({ id, group, isExposed }) =>
                  assigned(experiment.id, `${id}${run}`, {
                    automaticGroupId: ExperimentGroupId.make(group),
                    assignedAt: run * 10 + at,
                    firstExposedAt: isExposed ? run * 10 + at : null
                  })
                )
                for (const each of assignments) if (!first.has(each.distinctId)) first.set(each.distinctId, each)
                const [kept] = yield* repo.enrolAll([batchOf(experiment, assignments)])
                assert.deepStrictEqual(
                  kept,
                  assignments.flatMap((each) => first.get(each.distinctId) ?? [])
                )
              }
              const stored = [...first.values()].toSorted((a, b) => (a.distinctId < b.distinctId ? -1 : 1))
              assert.deepStrictEqual(yield* held(experiment, [...first.keys()]), stored)
              const noted = (yield* unmarkedOf(experiment)).filter(({ at }) => at >= run * 10)
              assert.sameDeepMembers([...noted], [...exposuresOf(experiment.environmentId, stored)])
            })
          )
        )
        yield* Effect.promise(() => fc.assert(property, { numRuns: runCount(100) }))
      })
    )
  })
}
