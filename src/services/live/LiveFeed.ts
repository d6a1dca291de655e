import { Effect, Predicate } from "effect"
import { firstCharacters } from "../../domain/Characters.ts"
import type { Cohort } from "../../domain/cohorts/Cohort.ts"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import type { Execution, ScanProgress } from "../../domain/analytics/question/Execution.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import type { Rejection } from "../../domain/ingest/Rejection.ts"
import { Feed } from "../../domain/live/Feed.ts"

const maxIdCharacters = 256

const textOf = (value: unknown): string | null =>
  typeof value === "string" ? firstCharacters(value, maxIdCharacters) : typeof value === "number" ? String(value) : null

/** What can be said of a marker that was refused. */
const refusedOf = (sent: unknown, { code, reason, markerId }: Rejection) => {
  const marker = Predicate.isReadonlyRecord(sent) ? sent : {}
  return {
    code,
    reason,
    markerId,
    type: textOf(marker["eventName"] ?? marker["type"]),
    unitId: textOf(marker["distinctId"] ?? marker["userId"])
  }
}

/** Where features say what happens, for those who watch an environment. Where nobody watches, saying it costs one look-up. */
export class LiveFeed extends Effect.Service<LiveFeed>()("services/live/LiveFeed", {
  sync: () => {
    const feeds = new Map<EnvironmentId, Feed>()

    /** The feed of an environment that somebody watches. */
    const of = (environmentId: EnvironmentId): Feed | undefined => feeds.get(environmentId)

    /** The feed, which gathers from now on until `close`. */
    const open = (environmentId: EnvironmentId): Feed => {
      const feed = feeds.get(environmentId) ?? new Feed()
      feeds.set(environmentId, feed)
      return feed
    }

    /** Nobody watches the environment any more. */
    const close = (environmentId: EnvironmentId): void => void feeds.delete(environmentId)

    /** Markers are on disk; `duplicates` holds the indexes of those that were there before. */
    const stored = (
      environmentId: EnvironmentId,
      events: ReadonlyArray<Event>,
      duplicates: ReadonlyArray<number>
    ): void => feeds.get(environmentId)?.stored(events, duplicates)

    /** Markers were refused; `sent` is the whole batch. */
    const refused = (
      environmentId: EnvironmentId,
      sent: ReadonlyArray<unknown>,
      rejections: ReadonlyArray<Rejection>
    ): void => {
      const feed = rejections.length === 0 ? undefined : feeds.get(environmentId)
      if (feed === undefined) return
      for (const rejection of rejections) feed.refused(refusedOf(sent[rejection.index], rejection))
    }

    /** A cohort is in a new state. */
    const cohort = ({ environmentId, id, status, memberCount, startedAt }: Cohort): void =>
      feeds
        .get(environmentId)
        ?.changed("cohort", String(id), { id, status, memberCount, isRunning: startedAt !== null })

    /** A cohort is gone. */
    const cohortRemoved = (environmentId: EnvironmentId, id: Cohort["id"]): void =>
      feeds
        .get(environmentId)
        ?.changed("cohort", String(id), { id, status: "removed", memberCount: 0, isRunning: false })

    /** An execution is in a new state, or further. */
    const execution = (
      { environmentId, queryId, id }: Pick<Execution, "environmentId" | "queryId" | "id">,
      state: Execution["state"],
      { rowsScanned, rowsTotal }: ScanProgress
    ): void => {
      const progress = { rowsScanned, rowsTotal }
      feeds.get(environmentId)?.changed("execution", id, { queryId, executionId: id, state, progress })
    }

    return { of, open, close, stored, refused, cohort, cohortRemoved, execution } as const
  }
}) {}
