import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { existsSync, mkdirSync, rmdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { snapshotBefore } from "../../../src/adapters/sqlite/operations/Snapshot.ts"
import { withFolder } from "../../support/Server.ts"

const refusal = (folder: string) =>
  snapshotBefore({ metadata: join(folder, "metadata.sqlite"), events: join(folder, "events.sqlite") }).pipe(
    Effect.flip,
    Effect.map(({ message }) => message),
    Effect.provide(NodeContext.layer),
    Effect.runPromise
  )

it("a copy before an upgrade that has no room, or fails, leaves nothing of itself and of one that was killed", () =>
  withFolder(async (folder) => {
    new Database(join(folder, "metadata.sqlite"))
      .exec("create table effect_sql_migrations (migration_id integer); insert into effect_sql_migrations values (3)")
      .close()
    const draft = join(folder, "snapshots", ".unfinished")
    mkdirSync(draft, { recursive: true })
    writeFileSync(join(draft, "events.sqlite"), "")
    const log = join(folder, "events.sqlite-wal")
    writeFileSync(log, "")
    // It takes no room itself, and more than any disk has as a copy.
    truncateSync(log, 8e12)
    assert.match(await refusal(folder), /copies it before, which needs \d+ MB in [^;]+; \d+ MB are free/)
    assert.isFalse(existsSync(draft))

    rmSync(log)
    symlinkSync(join(folder, "nothing"), log)
    assert.match(await refusal(folder), /could not be copied into \S+ before it is changed \(there is no \S+-wal/)

    rmSync(log)
    mkdirSync(log)
    assert.match(await refusal(folder), /could not be copied into \S+ before it is changed/)
    assert.isFalse(existsSync(draft))
    rmdirSync(log)
  }))
