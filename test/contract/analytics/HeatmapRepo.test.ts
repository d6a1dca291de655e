import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import type { ApplicationId } from "../../../src/domain/Ids.ts"
import { HeatmapId } from "../../../src/domain/Ids.ts"
import { HeatmapRepo } from "../../../src/ports/analytics/HeatmapRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { addProject } from "../../support/access/Tenants.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { everyStore } from "../../support/Stores.ts"

const anyText = "Zoë 'O\"Neil' \n%_ 東京 🎮 e\u0301"
const createdAt = DateTime.unsafeMake(1_772_323_199_007)
const nowhere = HeatmapId.make("00000000-0000-4000-8000-000000000000")

const addApplication = Effect.map(addProject, ({ id }) => id)

let count = 0

/** Each one's id is less than that of the one before. */
const newHeatmap = (applicationId: ApplicationId) => ({
  id: HeatmapId.make(`00000000-0000-4000-8000-${String(999_999_999_999 - ++count)}`),
  applicationId,
  name: anyText,
  description: null,
  bounds: { pointA: { x: -1.5, y: 0, z: 1e12 }, pointB: { x: 0.1, y: -0.2, z: 3 } },
  resolutionFactor: 0.3,
  imageTag: null,
  createdAt
})

const picture = { contentType: "image/png", bytes: Uint8Array.from([0, 255, 10, 0]) }

for (const [label, store] of everyStore) {
  layer(store)(`heatmap definitions in ${label}`, (it) => {
    it.effect("gives back what was put in, in order of creation, in its own project", () =>
      Effect.gen(function* () {
        const heatmaps = yield* HeatmapRepo
        const [one, other] = [yield* addApplication, yield* addApplication]
        const full = { ...newHeatmap(one), description: anyText, imageTag: "tag" }
        const first = yield* heatmaps.insert(full)
        const elsewhere = yield* heatmaps.insert(newHeatmap(other))
        const second = yield* heatmaps.insert(newHeatmap(one))
        assert.deepStrictEqual(first, { ...full, ordinal: first.ordinal })
        assert.deepStrictEqual(yield* heatmaps.list(one), [first, second])
        assert.deepStrictEqual(yield* heatmaps.list(other), [elsewhere])
        assert.deepStrictEqual(yield* heatmaps.find(one, first.id), Option.some(first))
        assert.deepStrictEqual(yield* heatmaps.find(other, first.id), Option.none())
        assert.deepStrictEqual(yield* heatmaps.find(one, nowhere), Option.none())
      })
    )

    it.effect("changes the one definition and no other", () =>
      Effect.gen(function* () {
        const heatmaps = yield* HeatmapRepo
        const application = yield* addApplication
        const first = yield* heatmaps.insert(newHeatmap(application))
        const second = yield* heatmaps.insert(newHeatmap(application))
        const bounds = { pointA: first.bounds.pointB, pointB: first.bounds.pointA }
        const changed = { ...first, name: "New", description: "text", bounds, resolutionFactor: 2, imageTag: "tag" }
        assert.deepStrictEqual(yield* heatmaps.update(changed), changed)
        assert.deepStrictEqual(yield* heatmaps.list(application), [changed, second])
      })
    )

    it.effect("keeps one image for each, whose bytes are those that were put", () =>
      Effect.gen(function* () {
        const heatmaps = yield* HeatmapRepo
        const application = yield* addApplication
        const [one, other] = [
          yield* heatmaps.insert(newHeatmap(application)),
          yield* heatmaps.insert(newHeatmap(application))
        ]
        assert.deepStrictEqual(yield* heatmaps.image(one.id), Option.none())
        yield* heatmaps.putImage(one.id, { contentType: "image/webp", bytes: Uint8Array.from([1]) })
        yield* heatmaps.putImage(one.id, picture)
        const { contentType, bytes } = Option.getOrThrow(yield* heatmaps.image(one.id))
        assert.deepStrictEqual([contentType, ...bytes], [picture.contentType, ...picture.bytes])
        assert.deepStrictEqual(yield* heatmaps.image(other.id), Option.none())
      })
    )

    it.effect("removes the one definition with its image", () =>
      Effect.gen(function* () {
        const heatmaps = yield* HeatmapRepo
        const application = yield* addApplication
        const [gone, kept] = [
          yield* heatmaps.insert(newHeatmap(application)),
          yield* heatmaps.insert(newHeatmap(application))
        ]
        for (const { id } of [gone, kept]) yield* heatmaps.putImage(id, picture)
        yield* heatmaps.remove(gone.id)
        yield* heatmaps.remove(gone.id)
        assert.deepStrictEqual(yield* heatmaps.list(application), [kept])
        assert.deepStrictEqual(yield* heatmaps.image(gone.id), Option.none())
        assert.isTrue(Option.isSome(yield* heatmaps.image(kept.id)))
        assert.isAbove((yield* heatmaps.insert(newHeatmap(application))).ordinal, kept.ordinal)
      })
    )

    it.effect("goes with its project, image and all", () =>
      Effect.gen(function* () {
        const heatmaps = yield* HeatmapRepo
        const [lost, left] = [yield* addApplication, yield* addApplication]
        const [gone, kept] = [yield* heatmaps.insert(newHeatmap(lost)), yield* heatmaps.insert(newHeatmap(left))]
        for (const { id } of [gone, kept]) yield* heatmaps.putImage(id, picture)
        yield* (yield* ProjectRepo).remove(lost)
        yield* clearRemoved
        assert.deepStrictEqual(yield* heatmaps.list(lost), [])
        assert.deepStrictEqual(yield* heatmaps.list(left), [kept])
        assert.deepStrictEqual(yield* heatmaps.image(gone.id), Option.none())
        assert.isTrue(Option.isSome(yield* heatmaps.image(kept.id)))
      })
    )

    it.effect("forgets what a failed transaction wrote", () =>
      Effect.gen(function* () {
        const heatmaps = yield* HeatmapRepo
        const transaction = yield* Transaction
        const application = yield* addApplication
        const definition = yield* heatmaps.insert(newHeatmap(application))
        const write = Effect.zipRight(
          heatmaps.putImage(definition.id, picture),
          heatmaps.update({ ...definition, imageTag: "tag" })
        )
        yield* Effect.flip(transaction.run(Effect.zipRight(write, Effect.fail("no"))))
        assert.deepStrictEqual(yield* heatmaps.list(application), [definition])
        assert.deepStrictEqual(yield* heatmaps.image(definition.id), Option.none())
      })
    )
  })
}
