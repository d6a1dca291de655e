import { Reactivity } from "@effect/experimental"
import { SqlClient } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Stream, String } from "effect"
import { createHash } from "node:crypto"
import { migrations } from "../../../src/adapters/postgres/MetadataDb.ts"

/** The first characters of the SHA-256 of the statements of each migration, which need no database to be told. */
const released: Readonly<Record<string, string>> = {
  "0001_first": "85725f4991fcf5b5",
  "0002_event_log": "6618820d321083a8",
  "0003_cluster_settings": "baeb3d1c9a474d5f",
  "0004_folder_migration": "7b511267f5ca5ae4",
  "0005_audit": "b90bce94cf7cd58b",
  "0006_webhooks": "465667ab19bef20a",
  "0007_accounts": "f202f567fc2fab5d",
  "0008_alerts": "603ce72608323fd0",
  "0009_second_factors": "04e4bf6ed2aec0a6",
  "0010_identities": "7c8a73691e102b13",
  "0011_passkeys": "1517838127f5afa6",
  "0012_demanded_factors": "871825d8d2be1db1",
  "0013_append_markers": "4f3a5c834f7bb7c7",
  "0014_webhook_types": "418a6ff3b17e4b5d",
  "0015_unmarked_units": "93494ba269379683",
  "0016_rows_with_records": "2776f4b6df5fd838",
  "0017_execution_attempts": "1de3f0d64224d759"
}

/** A database that takes every statement, does nothing, and tells what it was asked. */
const listening = Effect.gen(function* () {
  const heard: Array<string> = []
  const hear = (sql: string, params: ReadonlyArray<unknown>) =>
    // How statements are laid out does not matter.
    Effect.sync(() => void heard.push(`${sql.replaceAll(/\s+/g, " ").trim()} ${JSON.stringify(params)}`))
  const connection: Connection = {
    execute: (sql, params) => Effect.as(hear(sql, params), []),
    executeRaw: (sql, params) => Effect.as(hear(sql, params), []),
    executeValues: (sql, params) => Effect.as(hear(sql, params), []),
    executeUnprepared: (sql, params) => Effect.as(hear(sql, params), []),
    executeStream: () => Stream.die("No migration reads a stream")
  }
  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(connection),
    compiler: PgClient.makeCompiler(String.camelToSnake),
    spanAttributes: []
  })
  return { client, heard }
}).pipe(Effect.provide(Reactivity.layer))

it.effect("Migrations of PostgreSQL say what they said when they were released", () =>
  Effect.gen(function* () {
    const found: Record<string, string> = {}
    for (const [name, migration] of Object.entries(migrations)) {
      const { client, heard } = yield* listening
      yield* Effect.provideService(migration, SqlClient.SqlClient, client)
      assert.isNotEmpty(heard, name)
      found[name] = createHash("sha256").update(heard.join("\n")).digest("hex").slice(0, 16)
    }
    assert.deepStrictEqual(
      found,
      released,
      "A migration that has been released is never edited: databases that have it would stay as they are. Make a new one, and add its line here"
    )
  })
)
