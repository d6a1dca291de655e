import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { SavedQueryPlace, SavedQuerySelection } from "../../../src/domain/analytics/question/SavedQuery.ts"
import { everySavedQuery } from "../../../src/domain/analytics/question/SavedQuery.ts"
import { SavedQueryRepo } from "../../../src/ports/analytics/SavedQueryRepo.ts"
import { addUser } from "../../support/access/Tenants.ts"
import { aProject, aSavedQuery, at } from "../../support/analytics/SavedQueries.ts"
import { everyStore } from "../../support/Stores.ts"

for (const [name, store] of everyStore) {
  layer(store)(`saved queries in ${name}`, (it) => {
    it.effect("keeps every field, and shows nothing to another project", () =>
      Effect.gen(function* () {
        const queries = yield* SavedQueryRepo
        const [own, foreign] = [yield* aProject, yield* aProject]
        const query = aSavedQuery(own.application.id)
        assert.deepStrictEqual(yield* queries.insert(query), query)
        const changed = {
          ...query,
          name: "Renamed",
          description: null,
          createdBy: null,
          updatedAt: at(5),
          lastRunAt: at(6),
          listed: false
        }
        assert.deepStrictEqual(yield* queries.update(changed), changed)
        assert.deepStrictEqual(yield* queries.find(own.application.id, query.id), Option.some(changed))
        assert.deepStrictEqual(yield* queries.find(foreign.application.id, query.id), Option.none())
        assert.deepStrictEqual(yield* queries.list(foreign.application.id, everySavedQuery, null, 10), [])
        yield* queries.remove(foreign.application.id, query.id)
        assert.deepStrictEqual(yield* queries.list(own.application.id, everySavedQuery, null, 10), [changed])
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
            everySavedQuery,
            after,
            2
          )
          seen.push(...rows.map(({ id }) => id))
          after = rows.at(-1) ?? after
        }
        assert.deepStrictEqual(seen, expected)
      })
    )

    it.effect("selects by words in any case, type, author, star and whether they are listed", () =>
      Effect.gen(function* () {
        const queries = yield* SavedQueryRepo
        const { application } = yield* aProject
        const [ada, eve] = [yield* addUser(), yield* addUser()]
        const authorOf = ({ id, email }: typeof ada) => ({ id, email })
        const made = [
          { name: "Käufe 100%", description: null },
          { name: "KÄUFE_2", queryType: "funnel" as const, createdBy: authorOf(ada) },
          { name: "Other", description: "was ka\u0308ufe", createdBy: authorOf(eve) },
          { name: "Hidden", listed: false, createdBy: null }
        ].map((fields, place) => ({ ...aSavedQuery(application.id), createdAt: at(place), ...fields }))
        for (const query of made) yield* queries.insert(query)
        const [first, second] = [made[0]!, made[1]!]
        for (const { id } of [first, second, second]) yield* queries.star(id, ada.id, true)
        yield* queries.star(first.id, eve.id, true)
        yield* queries.star(first.id, eve.id, false)
        const rows: ReadonlyArray<readonly [Partial<SavedQuerySelection>, ReadonlyArray<number>]> = [
          [{}, [0, 1, 2, 3]],
          [{ listed: true }, [0, 1, 2]],
          [{ listed: false }, [3]],
          [{ search: "käufe" }, [0, 1, 2]],
          [{ search: "0%" }, [0]],
          [{ search: "E_2" }, [1]],
          [{ search: "nothing" }, []],
          [{ queryType: "funnel" }, [1]],
          [{ createdBy: eve.id }, [2]],
          [{ star: { userId: ada.id, isSet: true } }, [0, 1]],
          [{ star: { userId: ada.id, isSet: false } }, [2, 3]],
          [{ star: { userId: eve.id, isSet: true } }, []],
          [{ star: { userId: ada.id, isSet: true }, search: "2", queryType: "funnel" }, [1]]
        ]
        for (const [selection, expected] of rows) {
          const found = yield* queries.list(application.id, { ...everySavedQuery, ...selection }, null, 10)
          const places = found.map(({ id }) => made.findIndex((each) => each.id === id))
          assert.deepStrictEqual(places, expected, JSON.stringify(selection))
        }
        const page = yield* queries.list(application.id, { ...everySavedQuery, search: "käufe" }, first, 1)
        assert.deepStrictEqual(page, [second])
        const ids = made.map(({ id }) => id)
        assert.deepStrictEqual(yield* queries.starred(ada.id, ids.slice(1)), new Set([second.id]))
        yield* queries.remove(application.id, second.id)
        assert.deepStrictEqual(yield* queries.starred(ada.id, ids), new Set([first.id]))
      })
    )

    it.effect("tells how much there is of the queries of a project", () =>
      Effect.gen(function* () {
        const queries = yield* SavedQueryRepo
        const [own, foreign] = [yield* aProject, yield* aProject]
        assert.deepStrictEqual(yield* queries.size(own.application.id), { count: 0, characters: 0 })
        const made = [
          { ...aSavedQuery(own.application.id), definition: "{}", description: "four", listed: false },
          { ...aSavedQuery(own.application.id), definition: "{ }", description: null }
        ]
        for (const query of made) yield* queries.insert(query)
        assert.deepStrictEqual(yield* queries.size(own.application.id), { count: 2, characters: 9 })
        assert.deepStrictEqual(yield* queries.size(foreign.application.id), { count: 0, characters: 0 })
      })
    )

    it.effect("notes the last run of one query and changes nothing else of it", () =>
      Effect.gen(function* () {
        const queries = yield* SavedQueryRepo
        const { application } = yield* aProject
        const [one, other] = [aSavedQuery(application.id), aSavedQuery(application.id)]
        for (const query of [one, other]) yield* queries.insert(query)
        yield* queries.ran(one.id, at(9))
        assert.deepStrictEqual(yield* queries.find(application.id, one.id), Option.some({ ...one, lastRunAt: at(9) }))
        assert.deepStrictEqual(yield* queries.find(application.id, other.id), Option.some(other))
      })
    )
  })
}
