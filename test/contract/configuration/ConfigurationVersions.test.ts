import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"
import { addEnvironments } from "../../support/access/Tenants.ts"
import { stores } from "../../support/Stores.ts"
import {
  anyText,
  createdAt,
  author,
  document,
  newConfiguration
} from "../../support/configuration/NewConfigurations.ts"

for (const [label, store] of stores) {
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
  })
}
