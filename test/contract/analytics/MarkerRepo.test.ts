import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { MarkerMetadata } from "../../../src/domain/analytics/markers/MarkerMetadata.ts"
import { MarkerRepo } from "../../../src/ports/analytics/MarkerRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { addEnvironments } from "../../support/access/Tenants.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { everyStore } from "../../support/Stores.ts"

const anyText = "Zoë 'O\"Neil' \n%_ 東京 🎮 e\u0301"

const addTwo = Effect.map(addEnvironments, ([one, other]) => ({
  applicationId: one.applicationId,
  one: one.id,
  other: other.id
}))

const sorted = ({ types, arguments: described }: MarkerMetadata) => ({
  types: [...types].sort((a, b) => (a.name < b.name ? -1 : 1)),
  arguments: [...described].sort((a, b) => (a.type + a.name < b.type + b.name ? -1 : 1))
})

const nothing: MarkerMetadata = { types: [], arguments: [] }
const level = { name: "Level", displayName: null, description: null, hidden: false }
const login = { name: "Login", displayName: anyText, description: anyText, hidden: true }
const duration = { type: "Level", name: "duration", description: anyText, unit: "s", decimals: 0 }
const score = { type: "Level", name: "score", description: null, unit: null, decimals: null }
const all: MarkerMetadata = { types: [level, login], arguments: [duration, score] }

for (const [label, store] of everyStore) {
  layer(store)(`what is said of markers in ${label}`, (it) => {
    const metadataOf = (environmentId: Parameters<(typeof MarkerRepo)["Service"]["metadata"]>[0]) =>
      Effect.flatMap(MarkerRepo, (repo) => Effect.map(repo.metadata(environmentId), sorted))

    it.effect("gives back what was put in, in its own environment", () =>
      Effect.gen(function* () {
        const { put } = yield* MarkerRepo
        const { one, other } = yield* addTwo
        assert.deepStrictEqual(yield* metadataOf(one), nothing)
        yield* put(one, all)
        assert.deepStrictEqual(yield* metadataOf(one), all)
        assert.deepStrictEqual(yield* metadataOf(other), nothing)
      })
    )

    it.effect("replaces what it is given and leaves the rest", () =>
      Effect.gen(function* () {
        const { put } = yield* MarkerRepo
        const { one, other } = yield* addTwo
        yield* put(one, all)
        yield* put(other, all)
        const [shown, precise] = [
          { ...login, hidden: false, displayName: null },
          { ...score, decimals: 20 }
        ]
        yield* put(one, { types: [shown], arguments: [precise] })
        yield* put(one, nothing)
        const renamed = { ...duration, type: "Login" }
        yield* put(one, { types: [], arguments: [renamed] })
        assert.deepStrictEqual(yield* metadataOf(one), {
          types: [level, shown],
          arguments: [duration, precise, renamed]
        })
        assert.deepStrictEqual(yield* metadataOf(other), all)
      })
    )

    it.effect("takes a thousand at once", () =>
      Effect.gen(function* () {
        const { put } = yield* MarkerRepo
        const { one } = yield* addTwo
        const names = Array.from({ length: 1000 }, (_, index) => `type ${1000 + index}`)
        const many = {
          types: names.map((name) => ({ ...level, name })),
          arguments: names.map((type) => ({ ...score, type }))
        }
        yield* put(one, many)
        assert.deepStrictEqual(yield* metadataOf(one), many)
      })
    )

    it.effect("forgets what a failed transaction put in", () =>
      Effect.gen(function* () {
        const { put } = yield* MarkerRepo
        const transaction = yield* Transaction
        const { one } = yield* addTwo
        yield* Effect.flip(transaction.run(Effect.zipRight(put(one, all), Effect.fail("no"))))
        assert.deepStrictEqual(yield* metadataOf(one), nothing)
      })
    )

    it.effect("goes with its environment, and with its project", () =>
      Effect.gen(function* () {
        const { put } = yield* MarkerRepo
        const projects = yield* ProjectRepo
        const { applicationId, one, other } = yield* addTwo
        const elsewhere = yield* addTwo
        for (const id of [one, other, elsewhere.one]) yield* put(id, all)
        yield* projects.removeEnvironment(one)
        yield* clearRemoved
        assert.deepStrictEqual(yield* metadataOf(one), nothing)
        assert.deepStrictEqual(yield* metadataOf(other), all)
        yield* projects.remove(applicationId)
        yield* clearRemoved
        assert.deepStrictEqual(yield* metadataOf(other), nothing)
        assert.deepStrictEqual(yield* metadataOf(elsewhere.one), all)
      })
    )
  })
}
