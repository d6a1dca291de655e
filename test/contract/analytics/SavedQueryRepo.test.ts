import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { MemoryMetadata } from "../../../src/adapters/memory/Memory.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import type { SavedQueryPlace } from "../../../src/domain/analytics/question/SavedQuery.ts"
import { SavedQueryRepo } from "../../../src/ports/analytics/SavedQueryRepo.ts"
import { aProject, aSavedQuery, at } from "../../support/analytics/SavedQueries.ts"

const stores = [
  ["memory", MemoryMetadata],
  ["sqlite", SqliteMetadata(":memory:")]
] as const

for (const [name, store] of stores) {
  layer(store)(`saved queries in ${name}`, (it) => {
    it.effect("keeps every field, and shows nothing to another project", () =>
      Effect.gen(function* () {
        const queries = yield* SavedQueryRepo
        const [own, foreign] = [yield* aProject, yield* aProject]
        const query = aSavedQuery(own.application.id)
        assert.deepStrictEqual(yield* queries.insert(query), query)
        const changed = { ...query, name: "Renamed", description: null, createdBy: null, updatedAt: at(5) }
        assert.deepStrictEqual(yield* queries.update(changed), changed)
        assert.deepStrictEqual(yield* queries.find(own.application.id, query.id), Option.some(changed))
        assert.deepStrictEqual(yield* queries.find(foreign.application.id, query.id), Option.none())
        assert.deepStrictEqual(yield* queries.list(foreign.application.id, null, 10), [])
        yield* queries.remove(foreign.application.id, query.id)
        assert.deepStrictEqual(yield* queries.list(own.application.id, null, 10), [changed])
      })
    )

    it.effect("lists in pages, oldest first, ties by id", () =>
      Effect.gen(function* () {
        const queries = yield* SavedQueryRepo
        const { application } = yield* aProject
        const made = [3, 1, 1, 2, 1, 3].map((time) => ({ ...aSavedQuery(application.id), createdAt: at(time) }))
        for (const query of made) yield* queries.insert(query)
        const expected = made
          .map(({ createdAt, id }) => `${createdAt.epochMillis} ${id}`)
          .sort()
          .map((place) => place.split(" ")[1])
        const seen: Array<string> = []
        let after: SavedQueryPlace | null = null
        for (let page = 0; page < 4; page++) {
          const rows: ReadonlyArray<SavedQueryPlace & { readonly id: string }> = yield* queries.list(
            application.id,
            after,
            2
          )
          seen.push(...rows.map(({ id }) => id))
          after = rows.at(-1) ?? after
        }
        assert.deepStrictEqual(seen, expected)
      })
    )
  })
}
