import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import { type MetadataFacts, setAsideKey, type Stranger } from "../../../domain/operations/Reconciliation.ts"
import { lostAssignmentsNote } from "./LostAssignments.ts"
import type { PairIds } from "../../../domain/operations/FilePair.ts"

const Ids = Schema.Tuple(Schema.Struct({ own: Schema.String, partner: Schema.NullOr(Schema.String) }))
const Numbers = Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.Number }))
const Sequences = Schema.Array(Schema.Struct({ environmentId: Schema.Number, sequence: Schema.Number }))
const Environments = Schema.Array(Schema.Struct({ id: Schema.Number }))
const Cohorts = Schema.Array(
  Schema.Struct({
    id: Schema.Number,
    environmentId: Schema.Number,
    kind: Schema.Literal("dynamic", "static"),
    memberCount: Schema.Number
  })
)
const Erasures = Schema.Array(
  Schema.Struct({ environmentId: Schema.Number, fingerprint: Schema.String, erasedAt: Schema.Number })
)
const Strangers = Schema.Array(
  Schema.Struct({ kind: Schema.Literal("environment", "cohort"), id: Schema.Number, environmentId: Schema.Number })
)
const Changes = Schema.Tuple(Schema.Struct({ count: Schema.Number }))

const counterPrefix = "number of "

/** What a note writes down in the metadata's file. Instants are epoch milliseconds. */
export interface SequenceNote {
  readonly round: number
  readonly notedAt: number
  readonly sequences: ReadonlyMap<number, number>
}

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const rows = <A, I>(schema: Schema.Schema<A, I>, statement: Effect.Effect<unknown, unknown>) =>
    Effect.orDie(Effect.flatMap(statement, Schema.decodeUnknown(schema)))

  const counters = Effect.map(
    rows(
      Numbers,
      sql`select name, seq as value from sqlite_sequence
        union all select ${counterPrefix} || kind, last from experiment_numbers order by 1`
    ),
    (all) => new Map(all.map(({ name, value }) => [name, value] as const))
  )

  /** Grows with every row that this process has written. */
  const changes = Effect.map(rows(Changes, sql`select total_changes() as count`), ([{ count }]) => count)

  const ids: Effect.Effect<PairIds> = Effect.map(rows(Ids, sql`select own, partner from file_pair`), ([pair]) => pair)

  const join = (partner: string) =>
    Effect.asVoid(Effect.orDie(sql`update file_pair set partner = ${partner} where partner is not ${partner}`))

  const putNote = (name: string, value: number) =>
    sql`insert into file_notes ${sql.insert({ name, value })} on conflict do update set value = excluded.value`

  const facts: Effect.Effect<MetadataFacts> = Effect.gen(function* () {
    const notes = new Map(
      (yield* rows(Numbers, sql`select name, value from file_notes`)).map(({ name, value }) => [name, value])
    )
    const sequences = yield* rows(Sequences, sql`select environment_id, sequence from noted_sequences`)
    const strangers = yield* rows(Strangers, sql`select kind, id, environment_id from set_aside`)
    return {
      round: notes.get("round") ?? 0,
      notedAt: notes.get("noted_at") ?? 0,
      areAssignmentsLost: notes.has(lostAssignmentsNote),
      environments: new Set((yield* rows(Environments, sql`select id from environments`)).map(({ id }) => id)),
      cohorts: yield* rows(
        Cohorts,
        sql`select id, environment_id, kind, member_count from cohorts
        where environment_id in (select id from environments) order by id`
      ),
      erasures: yield* rows(
        Erasures,
        sql`select environment_id, fingerprint, erased_at from erased_units
          where environment_id in (select id from environments) order by 1, 2`
      ),
      sequences: new Map(sequences.map(({ environmentId, sequence }) => [environmentId, sequence])),
      counters: yield* counters,
      setAside: new Set(strangers.map(setAsideKey))
    }
  })

  /** Writes the sequences down, and answers the counters and the number of changed rows as they then are. */
  const note = Effect.fnUntraced(
    function* ({ round, notedAt, sequences }: SequenceNote) {
      const all = JSON.stringify([...sequences])
      yield* sql`delete from noted_sequences where environment_id not in (select value ->> 0 from json_each(${all}))`
      yield* sql`insert into noted_sequences (environment_id, sequence)
        select value ->> 0, value ->> 1 from json_each(${all}) where true
        on conflict do update set sequence = excluded.sequence where sequence <> excluded.sequence`
      yield* putNote("round", round)
      yield* putNote("noted_at", notedAt)
      return { counters: yield* counters, changes: yield* changes }
    },
    sql.withTransaction,
    Effect.orDie
  )

  const liftCounters = (lifted: ReadonlyArray<readonly [name: string, id: number]>) =>
    Effect.forEach(
      lifted,
      ([name, id]) =>
        name.startsWith(counterPrefix)
          ? sql`insert into experiment_numbers ${sql.insert({ kind: name.slice(counterPrefix.length), last: id })}
              on conflict do update set last = max(last, excluded.last)`
          : Effect.zipRight(
              sql`insert into sqlite_sequence (name, seq) select ${name}, 0
                  where not exists (select 1 from sqlite_sequence where name = ${name})`,
              sql`update sqlite_sequence set seq = max(seq, ${id}) where name = ${name}`
            ),
      { discard: true }
    ).pipe(sql.withTransaction, Effect.orDie)

  const setAside = (strangers: ReadonlyArray<Stranger>, foundAt: number) =>
    Effect.forEach(
      strangers,
      (stranger) => sql`insert into set_aside ${sql.insert({ ...stranger, foundAt })} on conflict do nothing`,
      { discard: true }
    ).pipe(sql.withTransaction, Effect.orDie)

  const forgetLostAssignments = Effect.asVoid(
    Effect.orDie(sql`delete from file_notes where name = ${lostAssignmentsNote}`)
  )

  return { ids, join, facts, forgetLostAssignments, note, changes, counters, liftCounters, setAside }
})

/** What the metadata's file keeps of its partner, the event file. */
export class MetadataRecords extends Context.Tag("adapters/sqlite/MetadataRecords")<
  MetadataRecords,
  Effect.Effect.Success<typeof make>
>() {}

export const MetadataRecordsSqlite = Layer.effect(MetadataRecords, make)
