import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { obstacleOf } from "../../../src/adapters/sqlite/Obstacle.ts"
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
})
