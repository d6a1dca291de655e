import Database from "better-sqlite3"
import { Effect, Option, Stream } from "effect"
import type { StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import { unfiltered } from "../../../domain/analytics/filter/Filter.ts"
import { limitAt } from "../../../domain/analytics/markers/RetentionRule.ts"
import type { QuestionKind, QuestionOf } from "../../../domain/analytics/question/Question.ts"
import { dayMillis } from "../../../domain/Durations.ts"
import type { DataFiles } from "../DataFolder.ts"
import { openForReading } from "../events/file/EventsDb.ts"
import { Reader } from "../events/threads/Reader.ts"
import { BackupFailed, orUnreadable } from "./BackupFailed.ts"
import { installationOf } from "./FileCounts.ts"
import { rulesIn } from "./RetentionCheck.ts"

/** Markers that are asked for at once. */
const pageSize = 1000

/** Days that are counted by one question. */
const daysAtOnce = 366

const cacheBytes = 64_000_000

/** An environment of the folder. */
export interface FolderEnvironment {
  readonly id: number
  readonly alias: string
  readonly projectId: number
  readonly project: string
}

/** A UTC day with markers. */
export interface MarkerDay {
  /** As YYYY-MM-DD. */
  readonly day: string
  /** Epoch milliseconds of its beginning. */
  readonly from: number
  readonly markers: number
  /** Whether retention has reached into the day, so that a file that was written before may hold more. */
  readonly isCut: boolean
}

const contentOf = (metadata: string) => {
  const database = new Database(metadata, { readonly: true, fileMustExist: true })
  const environments = database
    .prepare<[], FolderEnvironment>(
      `select environments.id, environments.alias, applications.id as projectId, applications.name as project
       from environments join applications on applications.id = environments.application_id order by environments.id`
    )
    .all()
  const installation = installationOf(database)
  database.close()
  return { environments, installation }
}

const startOf = (instant: number): number => Math.floor(instant / dayMillis) * dayMillis

const inDays = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / dayMillis)) }, (_, at) => from + at * dayMillis)

/**
 * Reads the markers of a data folder, which a server may use meanwhile, for as long as the scope lasts. What is past retention at `now` is
 * left out.
 */
export const openFolderMarkers = Effect.fnUntraced(function* (
  { metadata, events }: DataFiles,
  retentionDays: number,
  now: number
) {
  const { environments, installation, rules } = yield* Effect.try(() => ({
    ...contentOf(metadata),
    rules: rulesIn(metadata, retentionDays)
  })).pipe(orUnreadable(metadata))
  const reader = yield* Effect.acquireRelease(
    Effect.try(() => new Reader(openForReading(events), { cacheBytes })).pipe(orUnreadable(events)),
    (opened) => Effect.sync(() => opened.close())
  )
  const limitOf = (id: number) => limitAt(rules.get(id) ?? { days: retentionDays, types: {} }, now)

  const ask = <Kind extends QuestionKind>(environmentId: number, question: QuestionOf<Kind>) =>
    Effect.suspend(() => {
      const reply = reader.answerTo<Kind>(environmentId, question, limitOf(environmentId))
      if (reply.type !== "answer")
        return new BackupFailed({ message: reply.type === "failed" ? reply.message : "The reading was cut off" })
      // A day without the markers of a damaged segment would look like a whole one.
      return reply.meta.incomplete === null
        ? Effect.succeed(reply)
        : new BackupFailed({
            message: `Markers of environment ${environmentId} are damaged: ${reply.meta.damaged.join(", ")}`
          })
    })

  /** The days with markers, and the highest sequence that they count. */
  const days = Effect.fnUntraced(function* (environmentId: number) {
    const { answer: types, meta } = yield* ask<"types">(environmentId, { kind: "types", plan: { now } })
    let asOf = meta.highestSequence
    const found: Array<MarkerDay> = []
    const { before } = limitOf(environmentId)
    if (types.length === 0) return { asOf, days: found }
    const first = startOf(Math.min(...types.map(({ firstSeenAt }) => firstSeenAt)))
    const end = startOf(Math.max(...types.map(({ lastSeenAt }) => lastSeenAt))) + dayMillis
    const starts = inDays(first, end)
    for (let begin = 0; begin < starts.length; begin += daysAtOnce) {
      const boundaries = [...starts.slice(begin, begin + daysAtOnce), starts[begin + daysAtOnce] ?? end]
      const counted = yield* ask<"typeCounts">(environmentId, { kind: "typeCounts", plan: { boundaries } })
      asOf = counted.meta.highestSequence
      for (const [at, from] of boundaries.slice(0, -1).entries()) {
        const markers = counted.answer.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0)
        const day = new Date(from).toISOString().slice(0, 10)
        if (markers > 0) found.push({ day, from, markers, isCut: from < before })
      }
    }
    return { asOf, days: found }
  })

  /** The markers of a day, newest first, without what came after the sequence. */
  const markers = (
    environmentId: number,
    from: number,
    asOf: number
  ): Stream.Stream<ReadonlyArray<StoredEvent>, BackupFailed> => {
    const to = from + dayMillis
    const plan = { range: { from, to }, types: null, unitId: null, filter: unfiltered, limit: pageSize }
    return Stream.paginateEffect({ timestamp: to, sequence: 0, asOf }, (after) =>
      Effect.map(
        ask<"listing">(environmentId, { kind: "listing", plan: { ...plan, after } }),
        ({ answer: { items, next } }) => [items, Option.fromNullable(next)] as const
      )
    )
  }

  return { environments, installation, days, markers } as const
})
