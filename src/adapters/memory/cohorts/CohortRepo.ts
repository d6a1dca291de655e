import { DateTime, Effect, Layer, Option } from "effect"
import {
  type Cohort,
  type CohortOutline,
  failedAgain,
  isDue,
  isLeft,
  nameKey,
  started
} from "../../../domain/cohorts/Cohort.ts"
import { CohortId, type EnvironmentId } from "../../../domain/Ids.ts"
import { CohortRepo } from "../../../ports/cohorts/CohortRepo.ts"
import { type Claim, MemoryDb } from "../MemoryDb.ts"
import { servedLast } from "../ServedLast.ts"

const keptRuns = 1000

type Row = Cohort & Claim

const unclaimed: Claim = { claimedBy: null, claimedUntil: null }

const bare = ({ claimedBy: _by, claimedUntil: _until, ...cohort }: Row): Cohort => cohort

const outlineOf = ({ claimedBy: _by, claimedUntil: _until, definition: _definition, ...outline }: Row): CohortOutline =>
  outline

/** Those that nobody computes any more come first. */
const dueFor = ({ dueAt, startedAt }: Cohort): number => {
  if (startedAt !== null) return -Infinity
  return dueAt === null ? Infinity : DateTime.toEpochMillis(dueAt)
}

export const CohortRepoMemory = Layer.effect(
  CohortRepo,
  Effect.map(MemoryDb, ({ access, applications, cohorts, cohortRuns }) => {
    const named = (environmentId: EnvironmentId, name: string) =>
      cohorts.rows.find((each) => each.environmentId === environmentId && nameKey(each.name) === nameKey(name))
    const of = (environmentId: EnvironmentId) => cohorts.rows.filter((each) => each.environmentId === environmentId)
    const found = (row: Row | undefined) => Option.map(Option.fromNullable(row), bare)
    const due = (now: DateTime.Utc) =>
      cohorts.rows
        .filter((each) => isDue(each, now) || isLeft(each, each.claimedUntil, now))
        .toSorted((a, b) => dueFor(a) - dueFor(b))
    const change = (wanted: CohortId, fields: Partial<Row>) => {
      const row = cohorts.rows.find(({ id }) => id === wanted)
      return row === undefined ? undefined : cohorts.replace(({ id }) => id === wanted, { ...row, ...fields })
    }
    const runsOf = (id: CohortId) => cohortRuns.rows.filter(({ cohortId }) => cohortId === id)
    return CohortRepo.of({
      insert: (cohort) =>
        access(() =>
          named(cohort.environmentId, cohort.name) === undefined
            ? found(cohorts.insert({ ...cohort, ...unclaimed, id: CohortId.make(cohorts.nextId()) }))
            : Option.none()
        ),
      update: (cohort) =>
        access(() => {
          const holder = named(cohort.environmentId, cohort.name)
          return holder === undefined || holder.id === cohort.id ? found(change(cohort.id, cohort)) : Option.none()
        }),
      remove: (gone) =>
        access(() => {
          cohorts.remove(({ id }) => id === gone)
          cohortRuns.remove(({ cohortId }) => cohortId === gone)
        }),
      find: (environmentId, id) =>
        access(() => found(cohorts.rows.find((each) => each.id === id && each.environmentId === environmentId))),
      findByName: (environmentId, name) => access(() => found(named(environmentId, name))),
      list: (environmentId) => access(() => of(environmentId).map(bare)),
      outlines: (environmentId) => access(() => of(environmentId).map(outlineOf)),
      every: access(() => cohorts.rows.map(outlineOf)),
      size: (environmentId) =>
        access(() => {
          const all = of(environmentId)
          return {
            count: all.length,
            characters: all.reduce((sum, { definition }) => sum + (definition?.length ?? 0), 0)
          }
        }),
      isAnyDue: (now) => access(() => due(now).length > 0),
      claim: (now, claimedBy, claimedUntil, served, onFailed = () => Effect.void) =>
        Effect.gen(function* () {
          const failed = yield* access(() =>
            due(now).flatMap((each) => {
              const [before, after] = [bare(each), failedAgain(bare(each), now)]
              if (after === null) return []
              change(each.id, after)
              return [{ before, after }]
            })
          )
          yield* Effect.forEach(failed, ({ before, after }) => onFailed(before, after), { discard: true })
          return yield* access(() => {
            const all = due(now)
            const left = all.find(({ startedAt }) => startedAt !== null)
            const first = left ?? all.toSorted(servedLast(applications, served))[0]
            return first === undefined
              ? Option.none()
              : found(change(first.id, { ...started(bare(first), now), claimedBy, claimedUntil }))
          })
        }),
      renew: (owner, claimedUntil, ids) =>
        access(() =>
          ids.filter((wanted) => {
            const row = cohorts.rows.find(({ id }) => id === wanted)
            if (row === undefined || row.startedAt === null || row.claimedBy !== owner) return false
            change(wanted, { claimedUntil })
            return true
          })
        ),
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
