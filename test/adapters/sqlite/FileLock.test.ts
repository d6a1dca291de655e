import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { vi } from "vitest"
import { acquireDataFolder, isFolderInUse } from "../../../src/adapters/sqlite/DataFolder.ts"
import { holdFolder, removeIfAbandoned } from "../../../src/adapters/sqlite/HeldFolder.ts"
import { withFolder } from "../../support/Server.ts"

const run = <A, E>(work: Effect.Effect<A, E, NodeContext.NodeContext>) =>
  Effect.runPromise(Effect.provide(work, NodeContext.layer))

/** Runs work while SQLite says of each lock what it says of one that the system refuses. */
const withoutLocks = async (code: string, work: () => Promise<void>) => {
  const exec = vi.spyOn(Database.prototype, "exec").mockImplementation(() => {
    throw new Database.SqliteError("as the system says", code)
  })
  await work().finally(() => exec.mockRestore())
}

const makeOld = (folder: string) => {
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400
  utimesSync(folder, twoDaysAgo, twoDaysAgo)
}

const staysForADay = async (folder: string) => {
  await run(removeIfAbandoned(folder))
  assert.isTrue(existsSync(folder))
  makeOld(folder)
  await run(removeIfAbandoned(folder))
  assert.isFalse(existsSync(folder))
}

describe("a file system that keeps no locks", () => {
  it.each(["SQLITE_BUSY", "SQLITE_IOERR_LOCK"])("is not taken for another server (%s)", (code) =>
    withFolder(async (folder) => {
      await run(Effect.scoped(acquireDataFolder(folder)))
      const before = readdirSync(folder)
      await withoutLocks(code, async () => {
        const { message } = await run(Effect.flip(Effect.scoped(acquireDataFolder(folder))))
        assert.match(message, new RegExp(`^The data folder ${folder} is on a file system that keeps no locks, `))
      })
      assert.deepStrictEqual(readdirSync(folder), before)
      assert.isFalse(await run(isFolderInUse(folder)))
    })
  )

  it("leaves it to time whether a folder on its way is one of a killed process", () =>
    withFolder((parent) =>
      withoutLocks("SQLITE_BUSY", async () => {
        const folder = join(parent, "way")
        mkdirSync(folder)
        await run(Effect.scoped(holdFolder(folder)))
        await staysForADay(folder)
      })
    ))
})

describe("a folder on its way", () => {
  it("stays as long as its process holds it, however old it is, and goes once that has ended", () =>
    withFolder(async (parent) => {
      const folder = join(parent, "way")
      mkdirSync(folder)
      const held = Effect.gen(function* () {
        yield* holdFolder(folder)
        makeOld(folder)
        yield* removeIfAbandoned(folder)
        assert.isTrue(existsSync(folder))
      })
      await run(Effect.scoped(held))
      await run(removeIfAbandoned(folder))
      assert.isFalse(existsSync(folder))
    }))

  it("stays where another machine holds it, whose locks a share may not show, until a day has passed", () =>
    withFolder(async (parent) => {
      const folder = join(parent, "way")
      mkdirSync(folder)
      writeFileSync(join(folder, ".in-use-elsewhere"), "")
      await staysForADay(folder)
    }))

  it("is nothing to remove where another process has removed or renamed it meanwhile", () =>
    withFolder((parent) => run(removeIfAbandoned(join(parent, "gone")))))

  it("holds nothing of this once it is let go", () =>
    withFolder(async (folder) => {
      await run(Effect.scoped(Effect.flatMap(holdFolder(folder), ({ letGo }) => letGo)))
      assert.deepStrictEqual(readdirSync(folder), [])
    }))
})
