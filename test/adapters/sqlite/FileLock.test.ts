import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Either } from "effect"
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { vi } from "vitest"
import { acquireDataFolder, isFolderInUse } from "../../../src/adapters/sqlite/DataFolder.ts"
import { heldFolder, removeIfAbandoned } from "../../../src/adapters/sqlite/HeldFolder.ts"
import { heldFile, isBusy, locked } from "../../../src/adapters/sqlite/FileLock.ts"
import { scratchFolder } from "../../../src/adapters/sqlite/ScratchFolder.ts"
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

const lockName = `.in-use-${encodeURIComponent(hostname())}`

const lockIn = (folder: string) => join(folder, lockName)

/** A folder that a process works in, and how often it was made. */
const madeBy = (folder: string) => {
  let made = 0
  const make = Effect.sync(() => {
    mkdirSync(folder)
    made++
    return folder
  })
  return { made: () => made, works: heldFolder(make) }
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
        const { made, works } = madeBy(folder)
        await run(Effect.scoped(works))
        assert.strictEqual(made(), 1)
        mkdirSync(folder)
        writeFileSync(lockIn(folder), "")
        await staysForADay(folder)
      })
    ))
})

describe("a file that somebody has", () => {
  it("is there, also where its last holder has removed the one that was just being locked", () =>
    withFolder(async (folder) => {
      const file = join(folder, "held")
      const { exec } = Database.prototype
      const locking = vi.spyOn(Database.prototype, "exec").mockImplementationOnce(function (
        this: Database.Database,
        sql
      ) {
        exec.call(this, sql)
        rmSync(file)
        return this
      })
      const held = Effect.tap(heldFile(file), ({ lock }) =>
        Effect.gen(function* () {
          locking.mockRestore()
          assert.isTrue(Either.isRight(lock))
          assert.isTrue(existsSync(file))
          assert.isTrue(isBusy((yield* Effect.flip(locked(file))).error))
        })
      )
      await run(Effect.scoped(held))
    }))
})

describe("a folder on its way", () => {
  it("stays as long as its process holds it, however old it is, and goes once that has ended", () =>
    withFolder(async (parent) => {
      const folder = join(parent, "way")
      const held = Effect.gen(function* () {
        yield* madeBy(folder).works
        const before = readdirSync(folder)
        makeOld(folder)
        yield* removeIfAbandoned(folder)
        assert.deepStrictEqual(readdirSync(folder), before)
      })
      await run(Effect.scoped(held))
      assert.isFalse(existsSync(folder))
      mkdirSync(folder)
      writeFileSync(lockIn(folder), "")
      await run(removeIfAbandoned(folder))
      assert.isFalse(existsSync(folder))
    }))

  it("is made anew where another process has removed it, or has its lock, before its own process could lock it", () =>
    withFolder(async (parent) => {
      const taken = [
        (folder: string) => rmSync(folder, { recursive: true }),
        (folder: string) => locked(lockIn(folder)).pipe(Effect.asVoid, Effect.runSync)
      ]
      let made = 0
      const make = Effect.sync(() => {
        const folder = join(parent, `way${made}`)
        mkdirSync(folder)
        taken[made++]?.(folder)
        return folder
      })
      const held = Effect.tap(heldFolder(make), ({ folder }) => {
        assert.deepStrictEqual([made, folder], [3, join(parent, "way2")])
        assert.isTrue(existsSync(folder))
      })
      await run(Effect.scoped(held))
      assert.deepStrictEqual(readdirSync(parent), [])
    }))

  it("is made, looked at and removed by many at once, none of whom notices another", () =>
    withFolder(async (parent) => {
      const once = Effect.gen(function* () {
        const folder = yield* scratchFolder(parent, "export")
        writeFileSync(join(folder, "day"), "")
        yield* Effect.sleep("1 millis")
        assert.deepStrictEqual(readdirSync(folder).toSorted(), [lockName, `${lockName}-journal`, "day"])
      }).pipe(Effect.scoped)
      await run(Effect.replicateEffect(Effect.repeatN(once, 9), 8, { concurrency: "unbounded", discard: true }))
      assert.deepStrictEqual(readdirSync(parent), [])
    }))

  it("cannot be made where there is no place for it, which is said of the place", () =>
    withFolder(async (folder) => {
      const place = join(folder, "nowhere")
      const { message } = await run(Effect.flip(Effect.scoped(scratchFolder(place, "drill"))))
      assert.include(message, place)
      assert.notInclude(message, "gamekeeper-drill")
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
      const [way, kept] = [join(folder, "way"), join(folder, "kept")]
      const held = Effect.tap(madeBy(way).works, ({ letGo }) =>
        Effect.zipRight(
          letGo,
          Effect.sync(() => renameSync(way, kept))
        )
      )
      await run(Effect.scoped(held))
      assert.deepStrictEqual([readdirSync(folder), readdirSync(kept)], [["kept"], []])
    }))
})
