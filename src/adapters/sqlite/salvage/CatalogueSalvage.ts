import { dayMillis } from "../../../domain/Durations.ts"
import type { DayCounts } from "../../../domain/operations/Salvage.ts"
import { ColumnCatalogue } from "../events/file/ColumnCatalogue.ts"
import type { Db } from "../events/file/Db.ts"
import { SegmentDecoder } from "../events/file/SegmentDecoder.ts"
import { type Segment, Segments } from "../events/file/Segments.ts"
import { StoredActivity } from "../events/file/StoredActivity.ts"
import { StoredCatalogue } from "../events/file/StoredCatalogue.ts"
import { rowsByType } from "../events/file/StoredSegments.ts"
import { ActiveHours } from "../events/format/ActiveDay.ts"

interface DayRow {
  readonly type: string
  readonly day: number
  readonly events: number
}

/** How many sealed markers of an environment the catalogue counts, by type and UTC day. */
export const sealedByDay = (db: Db, environmentId: number): DayCounts => {
  const counts = new Map<string, Map<number, number>>()
  for (const { type, day, events } of db
    .prepare<[number], DayRow>("select type, day, events from seen_day where environment_id = ?")
    .iterate(environmentId)) {
    const days = counts.get(type) ?? new Map<number, number>()
    counts.set(type, days.set(day, events))
  }
  return counts
}

const addSegment = (db: Db, decoder: SegmentDecoder, segment: Segment): void => {
  const builders = rowsByType(decoder, segment)
  const catalogue = new ColumnCatalogue()
  const hours = new ActiveHours()
  for (const [type, builder] of builders) {
    catalogue.addRows(type, builder)
    const { times, units } = builder
    for (const [row, unit] of units.entries()) hours.add(unit, times[row] ?? 0)
  }
  db.transaction(() => {
    new StoredCatalogue(db).save(segment.environmentId, catalogue)
    new StoredActivity(db).save(segment.environmentId, hours)
  })()
}

/** Keeps what the catalogue knew of markers that retention has removed, before the environment's `complete_from`. */
const keepRetired = `
insert into seen_type (environment_id, type, first_seen_at, last_seen_at)
  select environment_id, type, first_seen_at, last_seen_at from old_type
  where environment_id in (select id from environment where complete_from is not null)
  on conflict do update set first_seen_at = min(first_seen_at, excluded.first_seen_at),
    last_seen_at = max(last_seen_at, excluded.last_seen_at);
insert into seen_day (environment_id, type, day, events)
  select environment_id, type, day, events from old_day join environment on id = environment_id
  where day < complete_from / ${dayMillis}
  on conflict do update set events = max(events, excluded.events);
insert or ignore into seen_name (environment_id, source, name, type, kinds, last_seen_at, counts)
  select environment_id, source, name, type, kinds, last_seen_at, counts from old_name
  where environment_id in (select id from environment where complete_from is not null);
`

const names = ["type", "day", "name"] as const

/**
 * Makes the catalogue and the active hours anew from the segments that are left. What retention has removed before stays in the catalogue.
 */
export const rebuildCatalogue = (db: Db): void => {
  for (const name of names)
    db.exec(`create temp table old_${name} as select * from seen_${name}; delete from seen_${name}`)
  db.exec("delete from activity")
  const segments = new Segments(db)
  const decoder = new SegmentDecoder(segments)
  for (const id of segments.ids()) {
    const segment = segments.among([id]).get(id)
    if (segment !== undefined) addSegment(db, decoder, segment)
  }
  db.transaction(() => db.exec(keepRetired))()
  for (const name of names) db.exec(`drop table temp.old_${name}`)
}
