import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import type { MarkerMetadata } from "../../../src/domain/analytics/markers/MarkerMetadata.ts"
import { UserId } from "../../../src/domain/Ids.ts"
import { MarkerRepo } from "../../../src/ports/analytics/MarkerRepo.ts"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { stores } from "../../support/Stores.ts"

const anyText = "Zoë 'O\"Neil' \n%_ 東京 🎮 e\u0301"
const createdAt = DateTime.unsafeMake(0)

const addEnvironments = Effect.gen(function* () {
  const projects = yield* ProjectRepo
  const organization = { name: anyText, color: null, iconTag: null, createdAt }
  const { id: organizationId } = yield* (yield* OrganizationRepo).insert(organization)
  const { id: applicationId } = yield* projects.insert({
    organizationId,
    name: anyText,
    sdkId: 1,
    color: null,
    thumbnailUrl: null,
    timezone: "UTC",
    createdAt,
    createdBy: UserId.make("00000000-0000-4000-8000-000000000001")
  })
  const add = (alias: string) => projects.insertEnvironment({ applicationId, name: alias, alias, createdAt })
  const [one, other] = [yield* add("one"), yield* add("two")]
  return { applicationId, one: Option.getOrThrow(one).id, other: Option.getOrThrow(other).id }
})

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

for (const [label, store] of stores) {
  layer(store)(`what is said of markers in ${label}`, (it) => {
    const metadataOf = (environmentId: Parameters<(typeof MarkerRepo)["Service"]["metadata"]>[0]) =>
      Effect.flatMap(MarkerRepo, (repo) => Effect.map(repo.metadata(environmentId), sorted))

    it.effect("gives back what was put in, in its own environment", () =>
      Effect.gen(function* () {
        const { put } = yield* MarkerRepo
        const { one, other } = yield* addEnvironments
        assert.deepStrictEqual(yield* metadataOf(one), nothing)
        yield* put(one, all)
        assert.deepStrictEqual(yield* metadataOf(one), all)
        assert.deepStrictEqual(yield* metadataOf(other), nothing)
      })
    )

    it.effect("replaces what it is given and leaves the rest", () =>
      Effect.gen(function* () {
        const { put } = yield* MarkerRepo
        const { one, other } = yield* addEnvironments
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
        const { one } = yield* addEnvironments
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
        const { one } = yield* addEnvironments
        yield* Effect.flip(transaction.run(Effect.zipRight(put(one, all), Effect.fail("no"))))
        assert.deepStrictEqual(yield* metadataOf(one), nothing)
      })
    )

    it.effect("goes with its environment, and with its project", () =>
      Effect.gen(function* () {
        const { put } = yield* MarkerRepo
        const projects = yield* ProjectRepo
        const { applicationId, one, other } = yield* addEnvironments
        const elsewhere = yield* addEnvironments
        for (const id of [one, other, elsewhere.one]) yield* put(id, all)
        yield* projects.removeEnvironment(one)
        assert.deepStrictEqual(yield* metadataOf(one), nothing)
        assert.deepStrictEqual(yield* metadataOf(other), all)
        yield* projects.remove(applicationId)
        assert.deepStrictEqual(yield* metadataOf(other), nothing)
        assert.deepStrictEqual(yield* metadataOf(elsewhere.one), all)
      })
    )
  })
}
