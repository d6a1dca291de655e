import { Effect, Layer, Option } from "effect"
import { isOpen, type StoredExperiment } from "../../../domain/experiments/StoredExperiment.ts"
import { ExperimentGroupId, ExperimentId } from "../../../domain/Ids.ts"
import { ExperimentRepo } from "../../../ports/experiments/ExperimentRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const sizeOf = (all: ReadonlyArray<StoredExperiment>) => ({
  count: all.length,
  characters: all.reduce((sum, each) => sum + JSON.stringify(each).length, 0)
})

export const ExperimentRepoMemory = Layer.effect(
  ExperimentRepo,
  Effect.map(MemoryDb, ({ access, experiments, experimentGroups }) => {
    const sorted = () => experiments.rows.toSorted((a, b) => a.id - b.id)
    const groupIds = (groups: number) =>
      Array.from({ length: groups }, () => ExperimentGroupId.make(experimentGroups.nextId()))
    return ExperimentRepo.of({
      newIds: (groups) => access(() => ({ id: ExperimentId.make(experiments.nextId()), groupIds: groupIds(groups) })),
      newGroupIds: (groups) => access(() => groupIds(groups)),
      insert: (experiment) => access(() => experiments.insert(experiment)),
      update: (experiment) =>
        access(() => {
          const isRead = ({ id, revision }: typeof experiment) =>
            id === experiment.id && revision === experiment.revision
          if (!experiments.rows.some(isRead)) return Option.none()
          return Option.some(experiments.replace(isRead, { ...experiment, revision: experiment.revision + 1 }))
        }),
      find: (environmentId, id) =>
        access(() =>
          Option.fromNullable(experiments.rows.find((each) => each.id === id && each.environmentId === environmentId))
        ),
      list: (environmentId) => access(() => sorted().filter((each) => each.environmentId === environmentId)),
      open: (environmentId) =>
        access(() => sorted().filter((each) => each.environmentId === environmentId && isOpen(each))),
      openSize: (environmentId) =>
        access(() => sizeOf(experiments.rows.filter((each) => each.environmentId === environmentId && isOpen(each)))),
      size: (environmentId) =>
        access(() => sizeOf(experiments.rows.filter((each) => each.environmentId === environmentId))),
      revisions: (environmentId) =>
        access(
          () =>
            new Map(
              experiments.rows.flatMap((each) =>
                each.environmentId === environmentId && isOpen(each) ? [[each.id, each.revision] as const] : []
              )
            )
        ),
      everyOpen: (look) => access(() => sorted().filter(isOpen).map(look))
    })
  })
)
