import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Cause, Context, Effect, Layer } from "effect"
import { closeSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import { LongReads } from "../../../src/adapters/sql/LongReads.ts"
import { LongReadsThread } from "../../../src/adapters/sqlite/LongReads.ts"
import { ExperimentId, OrganizationId } from "../../../src/domain/Ids.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { askingOrganization } from "../../../src/ports/operations/AskingOrganization.ts"
import { MetadataDamaged } from "../../../src/ports/operations/MetadataDamaged.ts"
import { withFolder } from "../../support/Server.ts"
import { inFile } from "../../support/Stores.ts"
import { metadataWorkers } from "../../support/Workers.ts"

it.scoped("what a thread cannot read of a damaged file is refused as what is read here", () =>
  Effect.gen(function* () {
    const { file, layer } = yield* inFile
    const repo = Context.get(yield* Layer.build(layer), AssignmentRepo)
    const database = new Database(file)
    const index = database.prepare<[], number>("select rootpage from sqlite_schema where name = 'assignments_latest'")
    const [page, size] = [index.pluck().get() ?? 0, Number(database.pragma("page_size", { simple: true }))]
    database.pragma("wal_checkpoint(truncate)")
    database.close()
    const open = openSync(file, "r+")
    writeSync(open, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size)
    closeSync(open)
    const anyone = { search: "a", source: null, status: null, groupId: null }
    const cause = yield* Effect.flip(Effect.sandbox(repo.page(ExperimentId.make(1), anyone, 0, 10)))
    assert.instanceOf(Cause.squash(cause), MetadataDamaged)
  })
)

it("reads of one organization keep another one's waiting for one of them at most", () =>
  withFolder((folder) => {
    const file = join(folder, "metadata.sqlite")
    new Database(file).close()
    const asked = Effect.gen(function* () {
      const sql = yield* LongReads
      const ended: Array<number> = []
      const read = (organization: number, rows: number) =>
        sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select count(*) from n`.pipe(
          Effect.tap(() => Effect.sync(() => ended.push(organization))),
          Effect.locally(askingOrganization, OrganizationId.make(organization))
        )
      const long = Array.from({ length: 5 }, () => read(1, 300_000))
      yield* Effect.all([...long, read(2, 1)], { concurrency: "unbounded" })
      return ended
    })
    const told = Effect.provide(asked, LongReadsThread(file, metadataWorkers.reader))
    return Effect.runPromise(told).then((ended) => assert.deepStrictEqual(ended, [1, 2, 1, 1, 1, 1]))
  }))
