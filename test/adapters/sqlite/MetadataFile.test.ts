import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Fiber, Option, type Scope } from "effect"
import { copyFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DataFolderUnusable } from "../../../src/adapters/sqlite/DataFolder.ts"
import { frameHeaderBytes, inspectLog, logHeaderBytes } from "../../../src/adapters/sqlite/pages/WriteAheadLog.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { BrowserRepo } from "../../../src/ports/access/BrowserRepo.ts"
import { CredentialRepo } from "../../../src/ports/access/CredentialRepo.ts"
import { Health } from "../../../src/ports/operations/Health.ts"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { UserRepo } from "../../../src/ports/access/UserRepo.ts"
import { addMember, addOrganization, addUser, instant, newKey, newUser } from "../../support/access/Tenants.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "metadata-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const inFolder = <A, E>(
  test: (path: string) => Effect.Effect<A, E, NodeContext.NodeContext | Scope.Scope>
): Effect.Effect<A, E> => Effect.scoped(Effect.flatMap(folder, test)).pipe(Effect.provide(NodeContext.layer))

describe("metadata in a file", () => {
  it.effect("holds what was written after it was closed and opened again", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        const open = SqliteMetadata(join(path, "metadata.sqlite"))
        const written = yield* Effect.gen(function* () {
          const user = yield* addUser()
          const organization = yield* addOrganization
          const member = yield* addMember(organization.id)
          const keys = yield* CredentialRepo
          const key = yield* keys.insert(newKey(organization.id, { lastUsedAt: instant(7) }))
          const account = {
            handle: "ada",
            userId: user.id,
            isActive: true,
            byPasswordAlone: true,
            expiresAt: instant(3),
            lastUsedAt: instant(2),
            createdAt: instant(1),
            browser: "Firefox on Linux",
            address: "203.0.113.7"
          }
          const browsers = yield* BrowserRepo
          const browser = yield* browsers.insert({ tokenHash: "t", createdAt: instant(1), accounts: [account] })
          return { user, organization, member, key, browser }
        }).pipe(Effect.provide(open))
        const { user, organization, member, key, browser } = written
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(yield* (yield* UserRepo).find(user.id), Option.some(user))
          assert.deepStrictEqual(yield* (yield* OrganizationRepo).members(organization.id), [member])
          assert.deepStrictEqual(yield* (yield* CredentialRepo).list(organization.id), [key])
          assert.deepStrictEqual(yield* (yield* BrowserRepo).findByTokenHash("t"), Option.some(browser))
          assert.deepStrictEqual(yield* (yield* Health).metadata, [])
        }).pipe(Effect.provide(open))
      })
    )
  )

  it.effect("gives no id of a removed row to a later one, also after it was opened again", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        const open = SqliteMetadata(join(path, "metadata.sqlite"))
        const removed = yield* Effect.gen(function* () {
          const browsers = yield* BrowserRepo
          const browser = yield* browsers.insert({ tokenHash: "one", createdAt: instant(1), accounts: [] })
          yield* browsers.remove(browser.id)
          return browser.id
        }).pipe(Effect.provide(open))
        const later = yield* Effect.flatMap(BrowserRepo, (browsers) =>
          browsers.insert({ tokenHash: "two", createdAt: instant(1), accounts: [] })
        ).pipe(Effect.provide(open))
        assert.isAbove(later.id, removed)
      })
    )
  )

  it.effect("holds nothing of a transaction that the process did not finish", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        const open = SqliteMetadata(join(path, "metadata.sqlite"))
        const user = newUser()
        yield* Effect.gen(function* () {
          const { run } = yield* Transaction
          const users = yield* UserRepo
          const fiber = yield* Effect.fork(run(Effect.zipRight(users.insert(user), Effect.never)))
          yield* Effect.yieldNow()
          yield* Fiber.interrupt(fiber)
        }).pipe(Effect.provide(open))
        const found = yield* Effect.flatMap(UserRepo, (users) => users.find(user.id)).pipe(Effect.provide(open))
        assert.deepStrictEqual(found, Option.none())
      })
    )
  )

  it.effect("refuses a database of a newer version in one line and leaves it as it is", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        const file = join(path, "metadata.sqlite")
        yield* Effect.provide(addUser(), SqliteMetadata(file))
        const versions = (change: string | null) => {
          const database = new Database(file)
          if (change !== null) database.exec(change)
          const rows = database.prepare("select migration_id, name from effect_sql_migrations order by 1").raw().all()
          database.close()
          rmSync(`${file}-sums`, { force: true })
          return rows
        }
        const newer = versions("insert into effect_sql_migrations (migration_id, name) values (999, 'future')")
        const refused = yield* Effect.flip(
          Effect.provide(
            Effect.flatMap(Health, ({ metadata }) => metadata),
            SqliteMetadata(file)
          )
        )
        assert.instanceOf(refused, DataFolderUnusable)
        assert.match(refused.message, /newer version \(schema 999/)
        assert.notInclude(refused.message, "\n")
        assert.deepStrictEqual(versions(null), newer)
      })
    )
  )

  it.effect("refuses a file that is no database, or cannot be one, in one line", () =>
    inFolder((path) =>
      Effect.gen(function* () {
        const garbage = join(path, "garbage.sqlite")
        writeFileSync(garbage, "This is no database, and was never one. ".repeat(200))
        for (const file of [garbage, join(path, "missing", "metadata.sqlite"), path]) {
          const refused = yield* Effect.flip(
            Effect.provide(
              Effect.flatMap(Health, ({ metadata }) => metadata),
              SqliteMetadata(file)
            )
          )
          assert.instanceOf(refused, DataFolderUnusable)
          assert.notInclude(refused.message, "\n")
          assert.include(refused.message, file)
        }
      })
    )
  )
})

const pageBytes = 4096

describe("I5: the log of the metadata", () => {
  for (const isTransaction of [false, true]) {
    it.effect(`that lost the last ${isTransaction ? "transaction" : "write"} is refused, however soon it lost it`, () =>
      inFolder((path) =>
        Effect.gen(function* () {
          const [file, copy] = [join(path, "metadata.sqlite"), join(path, "copy.sqlite")]
          const copies = Effect.sync(() => {
            for (const suffix of ["", "-wal", "-sums"]) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`)
          })
          const written = Effect.gen(function* () {
            const write = addUser()
            yield* isTransaction ? Effect.flatMap(Transaction, ({ run }) => run(write)) : write
            yield* copies
          })
          yield* Effect.provide(written, SqliteMetadata(file))
          const { frames } = inspectLog(`${copy}-wal`, pageBytes)
          assert.isAbove(frames, 0)
          truncateSync(`${copy}-wal`, logHeaderBytes + (frames - 1) * (frameHeaderBytes + pageBytes))
          const opened = Effect.provide(
            Effect.flatMap(Health, ({ metadata }) => metadata),
            SqliteMetadata(copy)
          )
          const refused = yield* Effect.flip(opened)
          assert.instanceOf(refused, DataFolderUnusable)
          assert.include(refused.message, "Writes that were acknowledged are lost")
        })
      )
    )
  }
})
