import { DateTime, Effect, Layer, Option } from "effect"
import type { SavedQueryPlace } from "../../../domain/analytics/question/SavedQuery.ts"
import { SavedQueryRepo } from "../../../ports/analytics/SavedQueryRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const isBefore = (a: SavedQueryPlace, b: SavedQueryPlace): boolean =>
  DateTime.lessThan(a.createdAt, b.createdAt) || (DateTime.Equivalence(a.createdAt, b.createdAt) && a.id < b.id)

const byPlace = (a: SavedQueryPlace, b: SavedQueryPlace): number => (isBefore(a, b) ? -1 : 1)

export const SavedQueryRepoMemory = Layer.effect(
  SavedQueryRepo,
  Effect.map(MemoryDb, ({ access, savedQueries, executions }) =>
    SavedQueryRepo.of({
      insert: (query) => access(() => savedQueries.insert(query)),
      update: (query) => access(() => savedQueries.replace(({ id }) => id === query.id, query)),
      remove: (applicationId, id) =>
        access(() => {
          savedQueries.remove((each) => each.applicationId === applicationId && each.id === id)
          executions.remove((each) => each.applicationId === applicationId && each.queryId === id)
        }),
      find: (applicationId, id) =>
        access(() =>
          Option.fromNullable(savedQueries.rows.find((each) => each.applicationId === applicationId && each.id === id))
        ),
      list: (applicationId, after, limit) =>
        access(() =>
          savedQueries.rows
            .filter((each) => each.applicationId === applicationId && (after === null || isBefore(after, each)))
            .toSorted(byPlace)
            .slice(0, limit)
        )
    })
  )
)
