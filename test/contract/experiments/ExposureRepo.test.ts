import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { StoredAssignment } from "../../../src/domain/experiments/StoredAssignment.ts"
import { type EnvironmentId, ExperimentGroupId, ExperimentId } from "../../../src/domain/Ids.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { ExposureRepo } from "../../../src/ports/experiments/ExposureRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { assigned as assignedTo, exposureOf } from "../../support/experiments/Exposed.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { metadataStores } from "../../support/Stores.ts"

const second = ExperimentGroupId.make(2)

const assigned = (id: number, ...more: [distinctId: string, fields?: Partial<StoredAssignment>]) =>
  assignedTo(ExperimentId.make(id), ...more)

const exposedAt = (environmentId: EnvironmentId, { experimentId, distinctId }: StoredAssignment) =>
  Effect.flatMap(AssignmentRepo, (repo) =>
    Effect.map(repo.find(environmentId, experimentId, distinctId), (found) => Option.getOrThrow(found).firstExposedAt)
  )

/** Every other test has marked its own by its end. */
const everUnmarked = Effect.flatMap(ExposureRepo, (repo) => repo.unmarked(Number.MAX_SAFE_INTEGER, 100))

for (const [label, store] of metadataStores) {
  layer(store)(`exposures in ${label}`, (it) => {
    it.effect("are recorded once, and told to those alone who have recorded them, until they are marked", () =>
      Effect.gen(function* () {
        const { production } = yield* aProject
        const [assignments, repo] = [yield* AssignmentRepo, yield* ExposureRepo]
        const [ann, bob] = [assigned(21, "ann"), assigned(21, "bob")]
        yield* assignments.put(production, [ann, bob])
        const exposure = exposureOf(production, ann, 5)
        assert.deepStrictEqual(yield* repo.record([exposure], []), [exposure])
        assert.deepStrictEqual(yield* repo.record([exposure], []), [exposure])
        const later = [exposureOf(production, ann, 7), exposureOf(production, bob, 7)]
        assert.deepStrictEqual(yield* repo.record(later, []), later.slice(1))
        assert.deepStrictEqual([yield* exposedAt(production, ann), yield* exposedAt(production, bob)], [5, 7])
        assert.deepStrictEqual(yield* everUnmarked, [exposure, ...later.slice(1)])
        assert.deepStrictEqual(yield* repo.record([exposure], [exposure]), [])
        assert.deepStrictEqual(yield* repo.record([], later), [])
        assert.deepStrictEqual(yield* everUnmarked, [])
        assert.deepStrictEqual([yield* exposedAt(production, ann), yield* exposedAt(production, bob)], [5, 7])
      })
    )

    it.effect("of units that are in no group, in another one, or elsewhere are not recorded", () =>
      Effect.gen(function* () {
        const { production, development } = yield* aProject
        const [assignments, repo] = [yield* AssignmentRepo, yield* ExposureRepo]
        const moved = assigned(22, "ann", { overrideGroupId: second })
        yield* assignments.put(production, [moved])
        const exposures = [
          exposureOf(production, assigned(22, "nobody"), 1),
          exposureOf(production, assigned(23, "ann"), 1),
          exposureOf(production, assigned(22, "ann"), 1),
          exposureOf(development, moved, 1)
        ]
        assert.deepStrictEqual(yield* repo.record(exposures, []), [])
        assert.isNull(yield* exposedAt(production, moved))
        const exposure = exposureOf(production, moved, 2)
        assert.deepStrictEqual(yield* repo.record([...exposures, exposure], []), [exposure])
        yield* repo.record([], [exposure])
      })
    )

    it.effect(
      "that units were enrolled with are told once they are noted, and a mark of another instant leaves the note",
      () =>
        Effect.gen(function* () {
          const { production } = yield* aProject
          const [assignments, repo] = [yield* AssignmentRepo, yield* ExposureRepo]
          const [ann, bob] = [assigned(29, "ann", { firstExposedAt: 5 }), assigned(29, "bob", { firstExposedAt: 5 })]
          const [first] = yield* assignments.enrol(production, [ann])
          assert.strictEqual(first, ann)
          const [known, stored] = yield* assignments.enrol(production, [{ ...ann, firstExposedAt: 6 }, bob])
          assert.deepStrictEqual([known, stored === bob], [ann, true])
          const noted = [exposureOf(production, ann, 5)]
          yield* repo.note(noted)
          assert.deepStrictEqual(yield* repo.noted(noted), noted)
          assert.deepStrictEqual(yield* repo.record([...noted, exposureOf(production, bob, 5)], []), noted)
          yield* repo.record([], [exposureOf(production, ann, 4)])
          assert.deepStrictEqual(yield* everUnmarked, noted)
          yield* repo.record([], noted)
          assert.deepStrictEqual(yield* everUnmarked, [])
        })
    )

    it.effect("count anew in a group that the unit is moved to", () =>
      Effect.gen(function* () {
        const { production } = yield* aProject
        const [assignments, repo] = [yield* AssignmentRepo, yield* ExposureRepo]
        const [before, after] = [assigned(24, "ann"), assigned(24, "ann", { overrideGroupId: second, version: 2 })]
        yield* assignments.put(production, [before])
        const one = yield* repo.record([exposureOf(production, before, 3)], [])
        yield* assignments.put(production, [after])
        const other = yield* repo.record([exposureOf(production, after, 4)], [])
        assert.deepStrictEqual(yield* everUnmarked, [...one, ...other])
        yield* assignments.put(production, [{ ...before, version: 3 }])
        const again = yield* repo.record([exposureOf(production, before, 5)], other)
        assert.deepStrictEqual(yield* everUnmarked, again)
        yield* repo.record([], again)
      })
    )

    it.effect("without a marker are found by their instants, some at a time, and go with their unit", () =>
      Effect.gen(function* () {
        const { production, development } = yield* aProject
        const [assignments, repo] = [yield* AssignmentRepo, yield* ExposureRepo]
        const [units, elsewhere] = [["ann", "bob", "cid"].map((id) => assigned(25, id)), assigned(26, "ann")]
        yield* assignments.put(production, units)
        yield* assignments.put(development, [elsewhere])
        const own = units.map((unit) => exposureOf(production, unit, unit.distinctId === "cid" ? 9 : 3))
        const other = exposureOf(development, elsewhere, 8)
        yield* repo.record([other, ...own.toReversed()], [])
        const [early, late] = [own.slice(0, 2), own.slice(2)]
        assert.deepStrictEqual(yield* repo.unmarked(9, 10), [...early, other])
        assert.deepStrictEqual(yield* repo.unmarked(10, 2), early)
        yield* repo.eraseUnit(production, "ann")
        assert.deepStrictEqual(yield* everUnmarked, [...early.slice(1), other, ...late])
        yield* repo.record([], [other, ...own])
      })
    )

    it.effect("are not recorded in an environment that was removed, and go with it", () =>
      Effect.gen(function* () {
        const { production } = yield* aProject
        const [assignments, repo] = [yield* AssignmentRepo, yield* ExposureRepo]
        const [ann, bob] = [assigned(27, "ann"), assigned(27, "bob")]
        yield* assignments.put(production, [ann, bob])
        yield* repo.record([exposureOf(production, ann, 1)], [])
        const projects = yield* ProjectRepo
        yield* (yield* Transaction).runRemoval(projects.removeEnvironment(production))
        assert.deepStrictEqual(yield* repo.record([exposureOf(production, bob, 1)], []), [])
        yield* clearRemoved
        assert.deepStrictEqual(yield* everUnmarked, [])
      })
    )

    it.effect("are recorded and marked together or not at all", () =>
      Effect.gen(function* () {
        const { production } = yield* aProject
        const [assignments, repo] = [yield* AssignmentRepo, yield* ExposureRepo]
        const [ann, bob] = [assigned(28, "ann"), assigned(28, "bob")]
        yield* assignments.put(production, [ann, bob])
        const one = [exposureOf(production, ann, 1)]
        yield* repo.record(one, [])
        const undone = Effect.zipRight(repo.record([exposureOf(production, bob, 1)], one), Effect.fail("undone"))
        yield* Effect.flip((yield* Transaction).run(undone))
        assert.deepStrictEqual([yield* exposedAt(production, bob), yield* everUnmarked], [null, one])
        yield* repo.record([], one)
      })
    )
  })
}
