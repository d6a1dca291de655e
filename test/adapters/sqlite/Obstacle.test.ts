import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { mkdirSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { DataFiles } from "../../../src/adapters/sqlite/DataFolder.ts"
import { obstacleOf, obstacleToRead, obstacleToWrite } from "../../../src/adapters/sqlite/Obstacle.ts"
import { refuseMismatch } from "../../../src/adapters/sqlite/operations/FoundFiles.ts"
import { withFolder } from "../../support/Server.ts"

describe("what keeps SQLite from a file", () => {
  it("is the disk where it says so, and nothing else than the content where that is damaged", () =>
    withFolder(async (folder) => {
      const file = join(folder, "metadata.sqlite")
      writeFileSync(file, "")
      const obstacle = (code: string) => obstacleOf(file, new Database.SqliteError("", code))
      for (const code of ["SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"])
        assert.strictEqual(obstacle(code), `there is no room on the disk of ${folder}`)
      for (const code of ["SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_BUSY", "SQLITE_IOERR_READ"])
        assert.isNull(obstacle(code))
    }))

  it("is what else is in its place, or in that of a file beside it, and no defect of what it holds", () =>
    withFolder(async (folder) => {
      const file = join(folder, "metadata.sqlite")
      const start = (files: DataFiles) =>
        Effect.runPromise(Effect.provide(Effect.flip(refuseMismatch(files)), NodeContext.layer))
      for (const path of [file, `${file}-wal`, `${file}-shm`]) {
        mkdirSync(path)
        const obstacle = `${path} is a folder, where a file of the server belongs: move it away`
        assert.strictEqual(obstacleOf(file, new Database.SqliteError("", "SQLITE_CANTOPEN")), obstacle)
        const { message } = await start({ metadata: file, events: join(folder, "events.sqlite") })
        assert.strictEqual(message, `The data folder cannot be used: ${obstacle}`)
        rmdirSync(path)
      }
      symlinkSync(join(folder, "nowhere"), file)
      assert.strictEqual(obstacleToRead(file), `${file} is a link to what is not there`)
      rmSync(file)
      symlinkSync(file, file)
      assert.strictEqual(obstacleToRead(file), `the links at ${file} lead round in a circle`)
      rmSync(file)
      assert.isNull(obstacleToWrite(file))
    }))
})
