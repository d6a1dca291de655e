import { SqlClient } from "@effect/sql"
import { Data, Effect, Layer, Schema } from "effect"
import { Peers } from "../../../ports/operations/Peers.ts"
import { unavailableOr } from "../Failures.ts"

/** This process's settings are not those of the other processes; the message names each that differs. */
export class SettingsDiffer extends Data.TaggedError("SettingsDiffer")<{ readonly message: string }> {}

const Stored = Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String }))
const Others = Schema.Array(Schema.Struct({ others: Schema.Number }))

const shown = (value: string | undefined): string => (value === undefined || value === "" ? "not set" : value)

const agree = Effect.fnUntraced(function* (settings: Readonly<Record<string, string>>) {
  const sql = yield* SqlClient.SqlClient
  const { name: own } = yield* Peers
  yield* sql`lock table cluster_setting in exclusive mode`
  const rows = yield* Effect.orDie(
    Effect.flatMap(sql`select name, value from cluster_setting order by name`, Schema.decodeUnknown(Stored))
  )
  const stored = new Map(rows.map(({ name, value }) => [name, value]))
  const differing = [...new Set([...Object.keys(settings), ...stored.keys()])].filter(
    (name) => settings[name] !== stored.get(name)
  )
  if (differing.length === 0) return
  const [found] = yield* Effect.orDie(
    Effect.flatMap(
      sql`select count(*)::int as others from peers where name <> ${own} and until > clock_timestamp()`,
      Schema.decodeUnknown(Others)
    )
  )
  if (stored.size > 0 && found?.others !== 0) {
    const list = differing.map((name) => `${name}: ${shown(settings[name])} here, ${shown(stored.get(name))} there`)
    return yield* new SettingsDiffer({
      message: `Processes over the same stores need the same settings, and these differ from those of the processes that run: ${list.join("; ")}. Start this process with their settings, or stop all of them first`
    })
  }
  yield* sql`delete from cluster_setting`
  const written = Object.entries(settings).map(([name, value]) => ({ name, value }))
  yield* sql`insert into cluster_setting ${sql.insert(written)}`
})

/**
 * Compares settings, by their flags, with those of the processes that run, and refuses where they differ. Where no other process runs, the
 * settings are this process's from now on.
 */
export const AgreedSettings = (settings: Readonly<Record<string, string>>) =>
  Layer.effectDiscard(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(agree(settings))).pipe(
      Effect.catchTag("SqlError", unavailableOr)
    )
  )
