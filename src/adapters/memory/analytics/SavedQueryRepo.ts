import { DateTime, Effect, Layer, Option } from "effect"
import type { SavedQueryPlace } from "../../../domain/analytics/question/SavedQuery.ts"
import { searchedText, searchText } from "../../../domain/analytics/question/SavedQuery.ts"
import { charactersOf } from "../../../domain/analytics/question/SavedQueryRoom.ts"
import { SavedQueryRepo } from "../../../ports/analytics/SavedQueryRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const isBefore = (a: SavedQueryPlace, b: SavedQueryPlace): boolean =>
  DateTime.lessThan(a.createdAt, b.createdAt) || (DateTime.Equivalence(a.createdAt, b.createdAt) && a.id < b.id)

const byPlace = (a: SavedQueryPlace, b: SavedQueryPlace): number => (isBefore(a, b) ? -1 : 1)

export const SavedQueryRepoMemory = Layer.effect(
  SavedQueryRepo,
  Effect.map(MemoryDb, ({ access, savedQueries, savedQueryStars: stars, executions }) =>
    SavedQueryRepo.of({
      insert: (query) => access(() => savedQueries.insert(query)),
      update: (query) => access(() => savedQueries.replace(({ id }) => id === query.id, query)),
      remove: (applicationId, id) =>
        access(() => {
          const isIt = (each: { readonly applicationId: typeof applicationId; readonly id: typeof id }) =>
            each.applicationId === applicationId && each.id === id
          if (!savedQueries.rows.some(isIt)) return
          savedQueries.remove(isIt)
          executions.remove(({ queryId }) => queryId === id)
          stars.remove(({ queryId }) => queryId === id)
        }),
      find: (applicationId, id) =>
        access(() =>
          Option.fromNullable(savedQueries.rows.find((each) => each.applicationId === applicationId && each.id === id))
        ),
      list: (applicationId, { listed, search, queryType, createdBy, star }, after, limit) =>
        access(() =>
          savedQueries.rows
            .filter(
              (each) =>
                each.applicationId === applicationId &&
                (listed === null || each.listed === listed) &&
                (after === null || isBefore(after, each)) &&
                (search === null || searchedText(each).includes(searchText(search))) &&
                (queryType === null || each.queryType === queryType) &&
                (createdBy === null || each.createdBy?.id === createdBy) &&
                (star === null ||
                  stars.rows.some(({ queryId, userId }) => queryId === each.id && userId === star.userId) ===
                    star.isSet)
            )
            .toSorted(byPlace)
            .slice(0, limit)
        ),
      size: (applicationId) =>
        access(() => {
          const all = savedQueries.rows.filter((each) => each.applicationId === applicationId)
          return { count: all.length, characters: all.reduce((sum, query) => sum + charactersOf(query), 0) }
        }),
      ran: (id, at) =>
        access(() => {
          for (const query of savedQueries.rows) {
            if (query.id === id) savedQueries.replace((each) => each.id === id, { ...query, lastRunAt: at })
          }
        }),
      star: (id, userId, isSet) =>
        access(() => {
          stars.remove((each) => each.queryId === id && each.userId === userId)
          if (isSet) stars.insert({ queryId: id, userId })
        }),
      starred: (userId, ids) =>
        access(
          () =>
            new Set(
              stars.rows.flatMap((each) => (each.userId === userId && ids.includes(each.queryId) ? [each.queryId] : []))
            )
        )
    })
  )
)
