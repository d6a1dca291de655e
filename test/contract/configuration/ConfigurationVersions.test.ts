import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import type { VersionPlace } from "../../../src/domain/analytics/note/Note.ts"
import type { ConfigurationId } from "../../../src/domain/Ids.ts"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"
import { addEnvironments } from "../../support/access/Tenants.ts"
import { everyStore } from "../../support/Stores.ts"
import {
  anyText,
  createdAt,
  author,
  document,
  newConfiguration
} from "../../support/configuration/NewConfigurations.ts"

for (const [label, store] of everyStore) {
  layer(store)(`versions of configurations in ${label}`, (it) => {
    it.effect("keeps versions, newest first, page by page", () =>
      Effect.gen(function* () {
        const configurations = yield* ConfigurationRepo
        const [one] = yield* addEnvironments
        const [a, b] = [
          yield* configurations.insert(newConfiguration(one, "a")),
          yield* configurations.insert(newConfiguration(one, "b"))
        ]
        const summaries = [1, 2, 3].map((version) => ({
          configurationId: a.id,
          version,
          hash: `hash ${version}`,
          reason: version === 2 ? anyText : null,
          createdAt,
          createdBy: version === 2 ? author : null
        }))
        const held = { document, privacy: [["z"]] }
        for (const summary of summaries) yield* configurations.insertVersion({ ...summary, ...held })
        const newestFirst = summaries.toReversed()
        assert.deepStrictEqual(yield* configurations.versions(a.id, null, 10), newestFirst)
        assert.deepStrictEqual(yield* configurations.versions(a.id, null, 2), newestFirst.slice(0, 2))
        assert.deepStrictEqual(yield* configurations.versions(a.id, 2, 2), newestFirst.slice(2))
        assert.deepStrictEqual(yield* configurations.versions(b.id, null, 10), [])
        const second = Option.getOrThrow(yield* configurations.version(a.id, 2))
        assert.deepStrictEqual(second, { ...summaries[1]!, ...held })
        assert.strictEqual(JSON.stringify(second.document), JSON.stringify(document))
        assert.deepStrictEqual(yield* configurations.version(a.id, 4), Option.none())
        assert.deepStrictEqual(yield* configurations.version(b.id, 1), Option.none())
        yield* configurations.remove(a.id)
        assert.deepStrictEqual(yield* configurations.versions(a.id, null, 10), [])
      })
    )

    it.effect("finds those of all configurations of an environment within a range of time, page by page", () =>
      Effect.gen(function* () {
        const configurations = yield* ConfigurationRepo
        const [one, other] = yield* addEnvironments
        const made = []
        for (const name of ["a", "b"]) made.push(yield* configurations.insert(newConfiguration(one, name)))
        const foreign = yield* configurations.insert(newConfiguration(other, "a"))
        const start = DateTime.toEpochMillis(createdAt)
        const add = (id: ConfigurationId, version: number, after: number) =>
          configurations.insertVersion({
            configurationId: id,
            version,
            hash: `hash ${version}`,
            reason: version === 2 ? anyText : null,
            createdAt: DateTime.unsafeMake(start + after),
            createdBy: author,
            document,
            privacy: []
          })
        for (const { id } of [...made, foreign]) {
          for (const [index, after] of [0, 1, 1, 1000].entries()) yield* add(id, index + 1, after)
        }
        const [a, b] = made.map(({ id }) => id)
        const within = (from: number, to: number, place: VersionPlace | null, limit: number) =>
          Effect.map(
            configurations.versionsWithin(one.id, { from: start + from, to: start + to }, place, limit),
            (found) => found.map(({ configurationId, version, name }) => [configurationId, version, name])
          )
        const newestFirst = [
          [b, 3, "b"],
          [b, 2, "b"],
          [a, 3, "a"],
          [a, 2, "a"],
          [b, 1, "b"],
          [a, 1, "a"]
        ]
        assert.deepStrictEqual(yield* within(0, 1000, null, 10), newestFirst)
        assert.deepStrictEqual(yield* within(0, 1000, null, 2), newestFirst.slice(0, 2))
        assert.deepStrictEqual(
          yield* within(0, 1000, { at: start + 1, id: b!, version: 2 }, 2),
          newestFirst.slice(2, 4)
        )
        assert.deepStrictEqual(yield* within(0, 1000, { at: start + 1, id: 0, version: 0 }, 9), newestFirst.slice(4))
        assert.deepStrictEqual(yield* within(1, 2, null, 10), newestFirst.slice(0, 4))
        assert.deepStrictEqual(yield* within(2, 1000, null, 10), [])
        const [second] = yield* configurations.versionsWithin(one.id, { from: start, to: start + 2 }, null, 1)
        const { document: _, privacy: __, ...summary } = Option.getOrThrow(yield* configurations.version(b!, 3))
        assert.deepStrictEqual(second, { ...summary, name: "b" })
      })
    )
  })
}
