import { dayMillis } from "../../../domain/Durations.ts"
import Database from "better-sqlite3"
import { Effect, Schema } from "effect"
import { limitAt, limitEarlier, type RetentionRule } from "../../../domain/analytics/markers/RetentionRule.ts"
import { openForReading } from "../events/file/EventsDb.ts"
import { oldestMarkers } from "../events/file/RetentionProof.ts"
import { bad, good } from "../../../domain/operations/Finding.ts"

interface Row {
  readonly id: number
  readonly retention_days: number | null
  readonly marker_retention_days: string
}

const typesOf = Schema.decodeSync(Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Int })))

/** What the records of the environments say; nothing of a file whose records cannot say it yet. */
export const rulesIn = (metadata: string, retentionDays: number): ReadonlyMap<number, RetentionRule> => {
  const database = new Database(metadata, { readonly: true, fileMustExist: true })
  const columns = database.prepare<[], { name: string }>("select name from pragma_table_info('environments')").all()
  const rows = columns.some(({ name }) => name === "retention_days")
    ? database.prepare<[], Row>("select id, retention_days, marker_retention_days from environments").all()
    : []
  database.close()
  return new Map(
    rows.map(({ id, retention_days: days, marker_retention_days: types }) => [
      id,
      { days: days ?? retentionDays, types: typesOf(types) }
    ])
  )
}

const dayOf = (instant: number): string => new Date(instant).toISOString()

const daysOf = ({ days, types }: RetentionRule): string => {
  const own = Object.entries(types).map(([type, each]) => `${type}: ${each}`)
  return own.length === 0 ? `${days} days` : `${days} days (${own.join(", ")})`
}

/**
 * Whether every marker on disk is within the days of retention and the one more that deleting may take, at `now` (epoch milliseconds): one
 * finding for each environment with markers.
 */
export const checkRetention = (
  { metadata, events }: { readonly metadata: string; readonly events: string },
  retentionDays: number,
  now: number
) =>
  Effect.try(() => {
    const rules = rulesIn(metadata, retentionDays)
    const ruleOf = (id: number) => rules.get(id) ?? { days: retentionDays, types: {} }
    const database = openForReading(events)
    const limits = new Map<number, ReturnType<typeof limitAt>>()
    const limitOf = (id: number) => {
      const limit = limits.get(id) ?? limitEarlier(limitAt(ruleOf(id), now), dayMillis)
      limits.set(id, limit)
      return limit
    }
    const found = oldestMarkers(database, limitOf)
    database.close()
    return found.map(({ environmentId, oldest, past, unread }) => {
      const kept = `environment ${environmentId} keeps markers for ${daysOf(ruleOf(environmentId))}`
      if (unread > 0)
        return bad(`Whether ${unread} markers of damaged segments are past retention is not known: ${kept}`)
      return past === 0
        ? good(`Nothing older is on disk: ${kept}, the oldest is of ${dayOf(oldest)}`)
        : bad(
            `${past} markers are past retention by more than a day: ${kept}, the oldest is of ${dayOf(oldest)}; a running server deletes them within the hour`
          )
    })
  }).pipe(Effect.orElseSucceed(() => [bad("Whether markers past retention are gone cannot be read")]))
