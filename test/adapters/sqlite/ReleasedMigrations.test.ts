import { assert, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { MemoryClient } from "../../../src/adapters/sqlite/ExclusiveClient.ts"
import { migrations } from "../../../src/adapters/sqlite/MetadataDb.ts"

/** The first characters of the SHA-256 of the tables, indexes and triggers that each migration makes, changes or takes away. */
const released: Readonly<Record<string, string>> = {
  "0001_access": "27c5f9e51c2921e6",
  "0002_markers": "a92951a05fcc242a",
  "0003_queries": "73933f9a43f04126",
  "0004_configurations": "2b4ece8bef923c4d",
  "0005_cohorts": "952cea43944412a9",
  "0006_deeplinks": "0006e97f82154a4c",
  "0007_experiments": "be47685d2119b5fa",
  "0008_assignments": "be7bbb4153fac29a",
  "0009_players": "dd3ec0f5d859edfc",
  "0010_legacy": "121848bdf8b3ab90",
  "0011_retention": "dd330ef0ee7412bf",
  "0012_unit_sights": "0fb3bc5c7d57664e",
  "0013_previous_secrets": "7ce3d70dcb07ab4e",
  "0014_erasures": "61523c9d8104caf5",
  "0015_boards": "84bdf97a96641d45",
  "0016_file_pair": "64d03ea72f8af3e8",
  "0017_page_token": "87c57b4949be6a5c",
  "0018_saved_queries": "77c93a4e4e943b37",
  "0019_row_sums": "b9ef528b59015479",
  "0020_version_times": "b89295ff28158c56",
  "0021_experiment_drafts": "e8200614035ec136",
  "0022_sharing": "6b839e90ccda1865",
  "0023_unmarked_exposures": "03f6c34c9cf7deac",
  "0024_audit": "344452b46eea4b2c",
  "0025_webhooks": "55efbcc6e07dbab0",
  "0026_accounts": "6eb36d5d00c3e763",
  "0027_alerts": "15d9b4fca13b5690",
  "0028_second_factors": "94b3cbdfb58837c3",
  "0029_identities": "42beb1ae441c53fd",
  "0030_passkeys": "6a5c60c238786818",
  "0031_demanded_factors": "58ce10c7a5ff5c4c",
  "0032_assignments_by_unit": "2617d3d9ce01e384",
  "0033_webhook_types": "643d5437104296e2",
  "0034_unmarked_units": "8e52809681409596",
  "0035_totals_by_commit": "4c4ea185b8c6ef2e",
  "0036_read_beside_documents": "0f03940e56d49a8f",
  "0037_execution_attempts": "7d9a04e2e1769dd5"
}

/** What the database is made of, in any spacing: how statements are laid out does not matter. */
const madeOf = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql`select type, name, tbl_name, sql from sqlite_schema`,
    (entries) => new Set(entries.map((entry) => JSON.stringify(entry).replaceAll(/(\\n|\s)+/g, " ")))
  )
)

const digestOf = (before: ReadonlySet<string>, after: ReadonlySet<string>) => {
  const missing = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
    [...one].filter((entry) => !other.has(entry)).sort()
  const change = JSON.stringify([missing(before, after), missing(after, before)])
  return createHash("sha256").update(change).digest("hex").slice(0, 16)
}

it.effect("Migrations make of an empty database what they made of it when they were released", () =>
  Effect.gen(function* () {
    const found: Record<string, string> = {}
    for (const [name, migration] of Object.entries(migrations)) {
      const before = yield* madeOf
      yield* migration
      found[name] = digestOf(before, yield* madeOf)
    }
    assert.deepStrictEqual(
      found,
      released,
      "A migration that has been released is never edited: databases that have it would stay as they are. Make a new one, and add its line here"
    )
  }).pipe(Effect.provide(MemoryClient(new Database(":memory:"))))
)
