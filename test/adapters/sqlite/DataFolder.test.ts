import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Exit, Fiber, Scope, TestClock } from "effect"
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { acquireDataFolder, DataFolderUnusable, isFolderInUse } from "../../../src/adapters/sqlite/DataFolder.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { addUser } from "../../support/access/Tenants.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "folder-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const inFolder = <A, E>(
  test: (path: string) => Effect.Effect<A, E, NodeContext.NodeContext | Scope.Scope>
): Effect.Effect<A, E> => Effect.scoped(Effect.flatMap(folder, test)).pipe(Effect.provide(NodeContext.layer))

/** Lets the time pass that the effect waits for, also where it looks at files in between. */
const inTime = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.fork(effect)
  const passing = Effect.forever(
    Effect.zipRight(
      TestClock.adjust("50 millis"),
      Effect.promise(() => new Promise(setImmediate))
    )
  )
  return yield* Effect.raceFirst(Fiber.join(fiber), passing)
})

describe("a data folder", () => {
  it.effect("is made where it is missing, with the folders above it", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        const data = join(path, "some", "where", "deep")
        const { metadata, events } = yield* acquireDataFolder(data)
        assert.isTrue(existsSync(data))
        assert.notStrictEqual(metadata, events)
        yield* Effect.provide(addUser(), SqliteMetadata(metadata))
      })
    )
  )

  it.effect("has one holder at a time, and the second is told in one line", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        const first = yield* Scope.make()
        yield* Scope.extend(acquireDataFolder(path), first)
        const refused = yield* inTime(Effect.flip(acquireDataFolder(path)))
        assert.instanceOf(refused, DataFolderUnusable)
        assert.strictEqual(refused.message, `Another gamekeeper uses the data folder ${path}: stop it first`)
        yield* Scope.close(first, Exit.void)
        yield* acquireDataFolder(path)
      })
    )
  )

  it.effect("is waited for while a command has it for a moment, and somebody who looks at it does not have it", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        const first = yield* Scope.make()
        yield* Scope.extend(acquireDataFolder(path), first)
        assert.isTrue(yield* isFolderInUse(path))
        const letGo = Effect.gen(function* () {
          yield* Effect.sleep("500 millis")
          yield* Scope.close(first, Exit.void)
          const looking = new Database(join(path, "lock"))
          looking.exec("begin; select * from sqlite_schema")
          assert.isFalse(yield* isFolderInUse(path))
          yield* Effect.sleep("500 millis")
          looking.close()
        })
        yield* inTime(Effect.all([letGo, acquireDataFolder(path)], { concurrency: 2 }))
        assert.isTrue(yield* isFolderInUse(path))
      })
    )
  )

  it.effect("cannot lie under a file", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        const file = join(path, "file")
        writeFileSync(file, "")
        for (const data of [file, join(file, "data")]) {
          const refused = yield* Effect.flip(acquireDataFolder(data))
          assert.instanceOf(refused, DataFolderUnusable)
          const reason = "a file is in its place, or in that of a folder above it"
          assert.strictEqual(refused.message, `The data folder ${data} cannot be written: ${reason}`)
        }
      })
    )
  )

  it.effect("cannot be a link to what is not there, nor lie under one", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        const link = join(path, "link")
        symlinkSync(join(path, "nowhere"), link)
        for (const data of [link, join(link, "data")]) {
          const { message } = yield* Effect.flip(acquireDataFolder(data))
          const reason = "no folder can be made there, or a link in its path leads to what is not there"
          assert.strictEqual(message, `The data folder ${data} cannot be written: ${reason}`)
        }
      })
    )
  )

  it.effect("cannot be used where its lock is no file", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        writeFileSync(join(path, "lock"), "no database ".repeat(1000))
        const refused = yield* Effect.flip(acquireDataFolder(path))
        assert.instanceOf(refused, DataFolderUnusable)
        assert.notInclude(refused.message, "\n")
      })
    )
  )
})
