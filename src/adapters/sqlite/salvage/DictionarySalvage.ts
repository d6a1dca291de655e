import type { Db } from "../events/file/Db.ts"
import { SegmentDecoder } from "../events/file/SegmentDecoder.ts"
import { Segments } from "../events/file/Segments.ts"

/** Numbers by environment. */
type Used = Map<number, Set<number>>

const gather = (used: Used, environmentId: number, numbers: Iterable<number>): void => {
  const own = used.get(environmentId) ?? new Set<number>()
  used.set(environmentId, own)
  for (const number of numbers) if (number !== 0) own.add(number)
}

/** A name that no game gives: the number stands for one player or session, whose own name is lost. */
const standIn = (table: "unit" | "session", id: number): string => `lost ${table} ${id}`

const fill = (db: Db, table: "unit" | "session", used: Used): ReadonlyMap<number, number> => {
  const lost = new Map<number, number>()
  const known = db.prepare<[number], number>(`select id from ${table} where environment_id = ?`).pluck()
  const put = db.prepare<[number, number, string]>(`insert into ${table} (environment_id, id, name) values (?, ?, ?)`)
  for (const [environmentId, numbers] of used) {
    for (const id of known.iterate(environmentId)) numbers.delete(id)
    if (numbers.size > 0) lost.set(environmentId, numbers.size)
    db.transaction(() => {
      for (const id of numbers) put.run(environmentId, id, standIn(table, id))
    })()
  }
  return lost
}

interface LostNames {
  readonly units: ReadonlyMap<number, number>
  readonly sessions: ReadonlyMap<number, number>
}

/**
 * Gives a name to every number that markers or cohorts use and the dictionaries no longer have, so that their markers stay those of one
 * player or session each. Answers how many there are of each environment.
 */
export const fillDictionaries = (db: Db): LostNames => {
  const segments = new Segments(db)
  const decoder = new SegmentDecoder(segments)
  const [units, sessions]: [Used, Used] = [new Map(), new Map()]
  for (const segment of segments.newerThan(0)) {
    gather(units, segment.environmentId, decoder.units(segment))
    gather(sessions, segment.environmentId, decoder.sessions(segment))
  }
  const members = db.prepare<[], { environment_id: number; unit: number }>(
    "select distinct environment_id, unit from cohort_member"
  )
  for (const { environment_id: environmentId, unit } of members.iterate()) gather(units, environmentId, [unit])
  return { units: fill(db, "unit", units), sessions: fill(db, "session", sessions) }
}
