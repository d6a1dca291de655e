import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Cause, Context, Effect, Layer } from "effect"
import { closeSync, openSync, writeSync } from "node:fs"
import { ExperimentId } from "../../../src/domain/Ids.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { MetadataDamaged } from "../../../src/ports/operations/MetadataDamaged.ts"
import { inFile } from "../../support/Stores.ts"

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
