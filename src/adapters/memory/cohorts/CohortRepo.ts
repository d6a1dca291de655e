import { DateTime, Effect, Layer, Option } from "effect"
import { type Cohort, isDue, nameKey } from "../../../domain/cohorts/Cohort.ts"
import { CohortId, type EnvironmentId } from "../../../domain/Ids.ts"
import { CohortRepo } from "../../../ports/cohorts/CohortRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const keptRuns = 1000

const dueFor = ({ dueAt }: Cohort): number => (dueAt === null ? Infinity : DateTime.toEpochMillis(dueAt))

export const CohortRepoMemory = Layer.effect(
  CohortRepo,
  Effect.map(MemoryDb, ({ access, cohorts, cohortRuns }) => {
    const named = (environmentId: EnvironmentId, name: string) =>
      cohorts.rows.find((each) => each.environmentId === environmentId && nameKey(each.name) === nameKey(name))
    const runsOf = (id: CohortId) => cohortRuns.rows.filter(({ cohortId }) => cohortId === id)
    return CohortRepo.of({
      insert: (cohort) =>
        access(() =>
          named(cohort.environmentId, cohort.name) === undefined
            ? Option.some(cohorts.insert({ ...cohort, id: CohortId.make(cohorts.nextId()) }))
            : Option.none()
        ),
      update: (cohort) =>
        access(() => {
          const holder = named(cohort.environmentId, cohort.name)
          return holder === undefined || holder.id === cohort.id
            ? Option.some(cohorts.replace(({ id }) => id === cohort.id, cohort))
            : Option.none()
        }),
      remove: (gone) =>
        access(() => {
          cohorts.remove(({ id }) => id === gone)
          cohortRuns.remove(({ cohortId }) => cohortId === gone)
        }),
      find: (environmentId, id) =>
        access(() =>
          Option.fromNullable(cohorts.rows.find((each) => each.id === id && each.environmentId === environmentId))
        ),
      findByName: (environmentId, name) => access(() => Option.fromNullable(named(environmentId, name))),
      list: (environmentId) => access(() => cohorts.rows.filter((each) => each.environmentId === environmentId)),
      every: access(() => cohorts.rows),
      nextDue: (now) =>
        access(() => {
          const due = cohorts.rows.filter((each) => isDue(each, now))
          return Option.fromNullable(due.toSorted((a, b) => dueFor(a) - dueFor(b))[0])
        }),
      addRun: (cohortId, run) =>
        access(() => {
          cohortRuns.insert({ ...run, cohortId })
          const past = new Set(runsOf(cohortId).slice(0, -keptRuns))
          if (past.size > 0) cohortRuns.remove((each) => past.has(each))
        }),
      runs: (id) => access(() => runsOf(id).map(({ cohortId: _, ...run }) => run))
    })
  })
)
