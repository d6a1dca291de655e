import { Effect } from "effect"
import type { CohortOutline } from "../../domain/cohorts/Cohort.ts"
import type { CohortId, EnvironmentId } from "../../domain/Ids.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { makeWakeUp } from "../WakeUp.ts"

type Noticed = Pick<CohortOutline, "id" | "environmentId">

type Watchers = ReadonlyMap<string, ReadonlyArray<CohortId>>

const watchersOf = (cohorts: ReadonlyArray<CohortOutline>): Watchers => {
  const watchers = new Map<string, Array<CohortId>>()
  for (const { id, markers } of cohorts) {
    for (const marker of markers) watchers.set(marker, [...(watchers.get(marker) ?? []), id])
  }
  return watchers
}

/** Notices markers that cohorts name as they arrive. What nobody names costs one look-up a marker, and what is noticed no more than one entry a cohort. */
export class CohortWatch extends Effect.Service<CohortWatch>()("services/cohorts/CohortWatch", {
  scoped: Effect.gen(function* () {
    const cohorts = yield* CohortRepo
    const watched = new Map<EnvironmentId, Watchers>()
    const noticed = new Map<CohortId, EnvironmentId>()
    const { wakeUp, requested } = yield* makeWakeUp(1)
    const peers = yield* Peers
    /** Environments in which another process has changed cohorts. */
    const stale = new Set<EnvironmentId>()
    const turn = yield* Effect.makeSemaphore(1)

    const put = (environmentId: EnvironmentId, watchers: Watchers) =>
      watchers.size === 0 ? watched.delete(environmentId) : watched.set(environmentId, watchers)

    /** To be called after every change of the cohorts of an environment. */
    const refresh = (environmentId: EnvironmentId) =>
      turn.withPermits(1)(
        Effect.suspend(() => {
          stale.delete(environmentId)
          return Effect.map(cohorts.outlines(environmentId), (all) => put(environmentId, watchersOf(all)))
        })
      )

    /** Markers of these types have been stored. */
    const arrived = (environmentId: EnvironmentId, types: Iterable<string>): void => {
      const watchers = watched.get(environmentId)
      if (watchers === undefined) return
      for (const type of types) for (const id of watchers.get(type) ?? []) noticed.set(id, environmentId)
      if (noticed.size > 0) wakeUp()
    }

    /** Puts back what was taken but could not be written down, so that the next write has it again. */
    const again = (all: ReadonlyArray<Noticed>): void => {
      for (const { id, environmentId } of all) noticed.set(id, environmentId)
      if (all.length > 0) wakeUp()
    }

    /** The cohorts noticed since it was last asked. */
    const taken = Effect.sync(() => {
      const all = [...noticed].map(([id, environmentId]) => ({ id, environmentId }))
      noticed.clear()
      return all
    })

    const changed = yield* makeWakeUp(1)
    yield* peers.hear((notice) => {
      if (notice.kind !== "cohort") return
      stale.add(notice.environmentId)
      changed.wakeUp()
    })
    const reread = (environmentId: EnvironmentId) =>
      Effect.onError(refresh(environmentId), () => Effect.sync(() => stale.add(environmentId)))
    const readAgain = Effect.catchAllCause(
      Effect.suspend(() => Effect.forEach([...stale], reread, { discard: true })),
      (cause) =>
        Effect.logError(
          "Cohorts that another process has changed could not be read, and are read again in a second",
          cause
        ).pipe(Effect.zipRight(Effect.sleep("1 second")), Effect.zipRight(Effect.sync(changed.wakeUp)))
    )
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(changed.requested, readAgain)))

    const every = yield* cohorts.every
    for (const environmentId of new Set(every.map((cohort) => cohort.environmentId))) {
      put(environmentId, watchersOf(every.filter((cohort) => cohort.environmentId === environmentId)))
    }

    return { refresh, arrived, again, taken, requested } as const
  })
}) {}
