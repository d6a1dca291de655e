import type { Scalar } from "../../../../domain/analytics/markers/Event.ts"
import type { NamesByType } from "../../../../domain/ingest/NamesByType.ts"
import {
  Catalogue,
  firstSightsOf,
  keptValuesOf,
  type NameFacts,
  type FieldSource,
  trim
} from "../../../../domain/analytics/markers/Catalogue.ts"
import { type CountedDay, takeFrom } from "../../../../domain/analytics/markers/CatalogueRemoval.ts"
import type { Db } from "./Db.ts"
import type { DataType } from "../../../../domain/analytics/question/Question.ts"
import { trustedJson } from "../bytes/TrustedJson.ts"

interface NameRow {
  readonly source: FieldSource
  readonly name: string
  readonly type: string
  readonly kinds: string
  readonly last_seen_at: number
  /** JSON of a `StoredValue` for each value. */
  readonly counts: string
}

/** A value, its count and, for versions of the game, when it was first seen (epoch ms); null or left out where that is not known. */
export type StoredValue = readonly [value: Scalar, count: number, firstSeenAt?: number | null]

interface TypeRow {
  readonly type: string
  readonly first_seen_at: number
  readonly last_seen_at: number
  readonly day: number
  readonly events: number
}

/** When a type was first and last seen (epoch ms). */
export interface SeenBounds {
  readonly first: number
  readonly last: number
  readonly firstDay: CountedDay
  readonly lastDay: CountedDay
}

const factsOf = (row: NameRow): NameFacts => {
  const kinds = trustedJson<Record<DataType, number>>(row.kinds)
  const stored = trustedJson<ReadonlyArray<StoredValue>>(row.counts)
  const { source, name, type, last_seen_at: lastSeenAt } = row
  const values = new Map(stored.map(([value, count]) => [value, count]))
  const firstSights = firstSightsOf(source, name)
  for (const [value, , at] of stored) firstSights?.set(value, at ?? -Infinity)
  return { source, name, type, kinds, lastSeenAt, values, firstSights }
}

const add = (catalogue: Catalogue, row: NameRow): NameFacts => catalogue.mergeName(factsOf(row))

const storedValues = ({ values, firstSights }: NameFacts): ReadonlyArray<StoredValue> => {
  if (firstSights === null) return [...values]
  return [...values].map(([value, count]) => {
    const at = firstSights.get(value) ?? -Infinity
    return [value, count, Number.isFinite(at) ? at : null]
  })
}

/** The catalogue of types, names and values of everything that has been sealed. */
export class StoredCatalogue {
  private readonly days
  private readonly typeNames
  private readonly names
  private readonly namesAlone
  private readonly valuesOf
  private readonly countNames
  private readonly name
  private readonly saveType
  private readonly saveDay
  private readonly saveName
  private readonly takeDay
  private readonly removals
  private readonly removeName
  private readonly daysOf
  private readonly setBounds

  constructor(db: Db) {
    this.days = db.prepare<[number], TypeRow>(
      `select type, first_seen_at, last_seen_at, day, events
       from seen_type join seen_day using (environment_id, type) where environment_id = ?`
    )
    this.typeNames = db.prepare<[number], { type: string }>("select type from seen_type where environment_id = ?")
    this.names = db.prepare<[number], NameRow>("select * from seen_name where environment_id = ?")
    this.namesAlone = db.prepare<[number], NameRow>(
      "select source, name, type, kinds, last_seen_at, '[]' as counts from seen_name where environment_id = ?"
    )
    this.valuesOf = db.prepare<[number, string, string], NameRow>(
      "select * from seen_name where environment_id = ? and source = ? and name = ?"
    )
    this.countNames = db.prepare<[number], { count: number }>(
      "select count(*) as count from seen_name where environment_id = ?"
    )
    this.name = db.prepare<[number, string, string, string], NameRow>(
      "select * from seen_name where environment_id = ? and source = ? and name = ? and type = ?"
    )
    this.saveType = db.prepare<[number, string, number, number]>(
      `insert into seen_type (environment_id, type, first_seen_at, last_seen_at) values (?, ?, ?, ?)
       on conflict do update set first_seen_at = min(first_seen_at, excluded.first_seen_at),
         last_seen_at = max(last_seen_at, excluded.last_seen_at)`
    )
    this.saveDay = db.prepare<[number, string, number, number]>(
      `insert into seen_day (environment_id, type, day, events) values (?, ?, ?, ?)
       on conflict do update set events = events + excluded.events`
    )
    this.saveName = db.prepare<[number, string, string, string, string, number, string]>(
      `insert or replace into seen_name (environment_id, source, name, type, kinds, last_seen_at, counts)
       values (?, ?, ?, ?, ?, ?, ?)`
    )
    this.takeDay = db.prepare<[number, number, string, number]>(
      "update seen_day set events = events - ? where environment_id = ? and type = ? and day = ?"
    )
    this.removals = [
      db.prepare<[number, string]>("delete from seen_day where environment_id = ? and type = ? and events <= 0"),
      db.prepare<[number, string]>(
        `delete from seen_type where environment_id = ? and type = ?
           and not exists (select 1 from seen_day where environment_id = seen_type.environment_id and type = seen_type.type)`
      )
    ]
    this.removeName = db.prepare<[number, string, string, string]>(
      "delete from seen_name where environment_id = ? and source = ? and name = ? and type = ?"
    )
    this.daysOf = db.prepare<[number, string], TypeRow>(
      `select type, first_seen_at, last_seen_at, day, events
       from seen_type join seen_day using (environment_id, type) where environment_id = ? and type = ? order by day`
    )
    this.setBounds = db.prepare<[number, number, number, string]>(
      "update seen_type set first_seen_at = ?, last_seen_at = ? where environment_id = ? and type = ?"
    )
  }

  /** Types and names, without values. */
  read(environmentId: number): Catalogue {
    const catalogue = new Catalogue()
    for (const row of this.days.iterate(environmentId))
      catalogue.type(row.type, row.first_seen_at, row.last_seen_at, row.day, row.events)
    for (const row of this.namesAlone.iterate(environmentId)) add(catalogue, row)
    return catalogue
  }

  /** Types, names and values. */
  readAll(environmentId: number): Catalogue {
    const catalogue = new Catalogue()
    for (const row of this.days.iterate(environmentId))
      catalogue.type(row.type, row.first_seen_at, row.last_seen_at, row.day, row.events)
    for (const row of this.names.iterate(environmentId)) add(catalogue, row)
    return catalogue
  }

  /** One name with its values, of every type that has it. */
  readValues(environmentId: number, source: FieldSource, name: string): Catalogue {
    const catalogue = new Catalogue()
    for (const row of this.valuesOf.iterate(environmentId, source, name)) add(catalogue, row)
    return catalogue
  }

  /** Adds the types and their names to others. */
  addNames(environmentId: number, names: NamesByType): void {
    for (const type of this.types(environmentId)) names.add(type, [], [])
    for (const { source, name, type } of this.namesAlone.iterate(environmentId))
      if (source === "argument") names.add(type, [name], [])
      else names.add(type, [], [name])
  }

  /** Every type that was ever sealed. */
  types(environmentId: number): ReadonlyArray<string> {
    return this.typeNames.all(environmentId).map(({ type }) => type)
  }

  /** Adds what was sealed. Call it inside the transaction that seals it. */
  save(environmentId: number, fresh: Catalogue): void {
    for (const [type, { firstSeenAt, lastSeenAt, days }] of fresh.types) {
      this.saveType.run(environmentId, type, firstSeenAt, lastSeenAt)
      for (const [day, events] of days) this.saveDay.run(environmentId, type, day, events)
    }
    const values = keptValuesOf((this.countNames.get(environmentId)?.count ?? 0) + fresh.names.size)
    for (const { source, name, type } of fresh.names.values()) {
      const facts = fresh.name(source, name, type)
      const stored = this.name.get(environmentId, source, name, type)
      if (stored !== undefined) add(fresh, stored)
      trim(facts, values)
      this.put(environmentId, facts)
    }
  }

  /** When a type was first and last seen, and its first and last day that are counted; null where no marker of it is counted. */
  bounds(environmentId: number, type: string): SeenBounds | null {
    const days = this.daysOf.all(environmentId, type)
    const [firstDay, lastDay] = [days[0], days.at(-1)]
    if (firstDay === undefined || lastDay === undefined) return null
    return { first: firstDay.first_seen_at, last: firstDay.last_seen_at, firstDay, lastDay }
  }

  /** Says anew when a type was first and last seen (epoch ms). */
  restate(environmentId: number, type: string, first: number, last: number): void {
    this.setBounds.run(first, last, environmentId, type)
  }

  /** Takes what sealed markers contributed; types, names and values that no marker is left of go. Call it inside the transaction that removes them. */
  take(environmentId: number, gone: Catalogue): void {
    for (const [type, { days }] of gone.types) {
      for (const [day, events] of days) this.takeDay.run(events, environmentId, type, day)
      for (const removal of this.removals) removal.run(environmentId, type)
    }
    for (const facts of gone.names.values()) {
      const { source, name, type } = facts
      const row = this.name.get(environmentId, source, name, type)
      if (row === undefined) continue
      const left = factsOf(row)
      if (takeFrom(left, facts)) this.put(environmentId, left)
      else this.removeName.run(environmentId, source, name, type)
    }
  }

  private put(environmentId: number, facts: NameFacts): void {
    const [kinds, counts] = [JSON.stringify(facts.kinds), JSON.stringify(storedValues(facts))]
    this.saveName.run(environmentId, facts.source, facts.name, facts.type, kinds, facts.lastSeenAt, counts)
  }
}
