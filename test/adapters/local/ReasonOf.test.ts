import { SystemError } from "@effect/platform/Error"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { reasonOf } from "../../../src/adapters/local/ReasonOf.ts"

/** What Node throws. */
const thrown = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: what Node says`), { code, ...(path === undefined ? {} : { path }) })

/** The same as the file system of the platform passes it on. */
const passedOn = (cause: Error) =>
  new SystemError({ module: "FileSystem", method: "makeDirectory", reason: "Unknown", pathOrDescriptor: "/b", cause })

describe("the reason of a failure", () => {
  it.each([
    [thrown("EACCES", "/b/.unfinished-gamekeeper-1/snapshot"), "this user has no permission for /b (EACCES)"],
    [passedOn(thrown("EACCES", "/b/.unfinished-gamekeeper-1")), "this user has no permission for /b (EACCES)"],
    [passedOn(thrown("EROFS", "/b/x")), "the file system of /b/x is mounted read-only (EROFS)"],
    [thrown("ENOSPC"), "the disk is full (ENOSPC)"],
    [thrown("ENOSPC", "/b/x"), "the disk of /b/x is full (ENOSPC)"],
    [passedOn(Object.assign(thrown("ENOSPC", "/tmp/x"), { dest: "/b/x" })), "the disk of /b/x is full (ENOSPC)"],
    [
      passedOn(Object.assign(thrown("EACCES", "/tmp/x"), { dest: "/b/x" })),
      "this user has no permission for /tmp/x (EACCES)"
    ],
    [new Database.SqliteError("database or disk is full", "SQLITE_FULL"), "the disk is full (SQLITE_FULL)"],
    [new Database.SqliteError("disk I/O error", "SQLITE_IOERR_SHMSIZE"), "the disk is full (SQLITE_IOERR_SHMSIZE)"],
    [passedOn(thrown("ENOTDIR", "/b/file/x")), "a file is in the place of a folder in /b/file/x (ENOTDIR)"],
    [passedOn(thrown("ENOENT", "/b/x")), "there is no /b/x (ENOENT)"],
    [
      passedOn(thrown("ENAMETOOLONG", "/b/x")),
      "its path, or a name in it, is longer than paths may be here (ENAMETOOLONG)"
    ],
    [passedOn(thrown("ELOOP", "/b/x")), "the links lead round in a circle in /b/x (ELOOP)"],
    [thrown("EBUSY", "/b/x"), "EBUSY: what Node says"],
    [new Error("outer", { cause: new Error("inner") }), "outer: inner"],
    ["a word", "a word"]
  ])("%s", (cause, reason) => {
    assert.strictEqual(reasonOf(cause), reason)
  })
})
