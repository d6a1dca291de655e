import { Effect, Layer, Option } from "effect"
import type { ExperimentDraft } from "../../../domain/experiments/ExperimentDraft.ts"
import type { EnvironmentId, ExperimentId } from "../../../domain/Ids.ts"
import { ExperimentDraftRepo } from "../../../ports/experiments/ExperimentDraftRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const isThat = (environmentId: EnvironmentId, id: ExperimentId) => (draft: ExperimentDraft) =>
  draft.id === id && draft.environmentId === environmentId

export const ExperimentDraftRepoMemory = Layer.effect(
  ExperimentDraftRepo,
  Effect.map(MemoryDb, ({ access, experimentDrafts: drafts }) =>
    ExperimentDraftRepo.of({
      insert: (draft) => access(() => drafts.insert(draft)),
      update: (draft) =>
        access(() => {
          const isRead = ({ id, revision }: ExperimentDraft) => id === draft.id && revision === draft.revision
          if (!drafts.rows.some(isRead)) return Option.none()
          return Option.some(drafts.replace(isRead, { ...draft, revision: draft.revision + 1 }))
        }),
      remove: (environmentId, id) => access(() => drafts.remove(isThat(environmentId, id))),
      find: (environmentId, id) => access(() => Option.fromNullable(drafts.rows.find(isThat(environmentId, id)))),
      list: (environmentId) =>
        access(() =>
          drafts.rows.filter((each) => each.environmentId === environmentId).toSorted((a, b) => a.id - b.id)
        ),
      size: (environmentId) =>
        access(() => {
          const all = drafts.rows.filter((each) => each.environmentId === environmentId)
          return { count: all.length, characters: all.reduce((sum, { plan }) => sum + plan.length, 0) }
        })
    })
  )
)
