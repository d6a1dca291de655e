import { assert, describe, it } from "@effect/vitest"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import { join } from "node:path"
import { DirectConnection, type StatementWatch } from "../../../src/adapters/sqlite/DirectConnection.ts"
import { LogSync } from "../../../src/adapters/sqlite/LogSync.ts"
import type { StepStatement } from "../../../src/adapters/sql/OneStep.ts"
import { withFolder } from "../../support/Server.ts"

type Statement = (sql: string) => StepStatement

const insert = (id: number) => (statement: Statement) => statement("insert into item values (?)").change([id])

/** A connection, and what its watch was told: how many items there were at each commit. */
const connect = (filename: string, log?: LogSync) => {
  const connection = new DirectConnection(filename, log)
  const told: Array<number> = []
  const read = (sql: string) => Effect.runSync(connection.read(watch, (statement) => statement(sql).all([])))
  const count = () => read("select id from item").length
  const watch: StatementWatch = {
    refusal: () => null,
    failed: (error: SqlError) => Effect.fail(error),
    onCommit: () => {
      const then = count()
      return () => void told.push(then)
    },
    turn: () => null
  }
  const execute = (sql: string) => Effect.asVoid(connection.of(watch).execute(sql, [], undefined))
  const run = (sql: string) => Effect.runPromise(execute(sql))
  return { connection, watch, told, execute, run, count }
}

const opened = async (filename: string) => {
  const store = connect(filename)
  await store.run("create table item (id integer primary key)")
  store.told.length = 0
  return store
}

/** The same for a file that has been made, with another way to the disk. */
const openedWith = async (filename: string, log: LogSync) => {
  const made = await opened(filename)
  made.connection.close()
  return connect(filename, log)
}

describe.each([":memory:", "file"])("a connection to a database in %s", (kind) => {
  const withOpened = (work: (store: Awaited<ReturnType<typeof opened>>) => Promise<void>) =>
    withFolder(async (folder) => {
      const store = await opened(kind === "file" ? join(folder, "a.sqlite") : kind)
      await work(store)
      store.connection.close()
    })

  it("runs a step whole, and tells of it once it is on disk", () =>
    withOpened(async ({ connection, watch, told, count }) => {
      assert.strictEqual(await Effect.runPromise(connection.transact(watch, insert(1))), 1)
      const failed = connection.transact(watch, (statement) => [insert(2)(statement), insert(1)(statement)])
      assert.strictEqual((await Effect.runPromise(Effect.flip(failed)))._tag, "SqlError")
      assert.strictEqual(count(), 1)
      assert.deepStrictEqual(told, [1])
    }))

  it("lets others go on until a step is on disk, and tells of each how far it had come", () =>
    withOpened(async ({ connection, watch, told, count }) => {
      const ids = Array.from({ length: 20 }, (_, id) => id)
      const under = ids.map((id) => Effect.runPromise(connection.transact(watch, insert(id))))
      assert.strictEqual(count(), 20)
      if (kind === "file") assert.deepStrictEqual(told, [])
      await Promise.all(under)
      assert.deepStrictEqual(
        told,
        ids.map((id) => id + 1)
      )
    }))

  it("does the same for a write that stands for itself", () =>
    withOpened(async ({ run, told, count }) => {
      const under = run("insert into item values (1)")
      assert.strictEqual(count(), 1)
      if (kind === "file") assert.deepStrictEqual(told, [])
      await under
      await run("select id from item")
      assert.deepStrictEqual(told, [1])
    }))

  it("does the same at the end of a transaction, and not for one that is rolled back", () =>
    withOpened(async ({ run, told }) => {
      for (const sql of ["begin immediate", "insert into item values (1)", "insert into item values (2)", "rollback"])
        await run(sql)
      assert.deepStrictEqual(told, [])
      for (const sql of ["begin immediate", "insert into item values (1)", "insert into item values (2)"])
        await run(sql)
      assert.deepStrictEqual(told, [])
      await run("commit")
      assert.deepStrictEqual(told, [2])
    }))

  it("has nothing to tell of a commit that has changed nothing", () =>
    withOpened(async ({ connection, watch, run, told }) => {
      for (const sql of ["begin immediate", "select id from item", "commit", "delete from item where id = 1"])
        await run(sql)
      await Effect.runPromise(connection.transact(watch, (statement) => statement("select id from item").all([])))
      assert.deepStrictEqual(told, [])
      await run("create index item_id on item (id)")
      await run("drop index item_id")
      assert.strictEqual(told.length, 2)
    }))

  it("makes a step a part of the transaction around it", () =>
    withOpened(async ({ connection, watch, told, count, run }) => {
      await run("begin immediate")
      await Effect.runPromise(connection.transact(watch, insert(1)))
      assert.deepStrictEqual(told, [])
      await run("rollback")
      assert.strictEqual(count(), 0)
    }))
})

/** A disk that takes the log when it is told to. */
class HeldLog extends LogSync {
  readonly release: Array<() => void> = []

  override get isBehind(): boolean {
    return this.release.length > 0
  }

  override begin(done: (failure: Error | null) => void): void {
    this.release.push(() => done(null))
  }
}

it("acknowledges nothing before the disk has it", () =>
  withFolder(async (folder) => {
    const log = new HeldLog("")
    const { connection, watch, execute } = await openedWith(join(folder, "a.sqlite"), log)
    const writes: ReadonlyArray<Effect.Effect<void, SqlError>> = [
      execute("insert into item values (1)"),
      Effect.asVoid(connection.transact(watch, insert(2))),
      ...["begin immediate", "insert into item values (3)", "commit"].map(execute)
    ]
    const acknowledged: Array<number> = []
    for (const [at, write] of writes.entries()) {
      const done = Effect.runPromise(write).then(() => acknowledged.push(at))
      await new Promise(setImmediate)
      const isWithinTransaction = at === 2 || at === 3
      assert.strictEqual(acknowledged.includes(at), isWithinTransaction, `write ${at}`)
      assert.strictEqual(log.release.length, isWithinTransaction ? 0 : 1, `write ${at}`)
      log.release.shift()?.()
      await done
    }
    connection.close()
  }))

it("acknowledges no write that changed nothing because of another one that is not on disk yet", () =>
  withFolder(async (folder) => {
    const log = new HeldLog("")
    const { connection, run, count } = await openedWith(join(folder, "a.sqlite"), log)
    const acknowledged: Array<string> = []
    const insertOnce = async (name: string) => {
      await run("insert into item values (1) on conflict do nothing")
      acknowledged.push(name)
    }
    const both = [insertOnce("first"), insertOnce("second")]
    await new Promise(setImmediate)
    assert.deepStrictEqual([count(), acknowledged], [1, []])
    for (const release of log.release.splice(0)) release()
    await Promise.all(both)
    await insertOnce("third")
    assert.deepStrictEqual(acknowledged, ["first", "second", "third"])
    connection.close()
  }))

it("refuses every write after its log could not be brought to the disk: what it had not kept would leave a gap", () =>
  withFolder(async (folder) => {
    const log = new LogSync("/dev/null")
    const { connection, watch, told, execute, count } = await openedWith(join(folder, "a.sqlite"), log)
    const failing = async (write: Effect.Effect<void, SqlError>) =>
      String((await Effect.runPromise(Effect.flip(write))).cause)
    const expected = /the disk has failed to keep its log \(EINVAL.*start the server again/
    assert.match(await failing(execute("insert into item values (1)")), expected)
    assert.match(await failing(execute("insert into item values (2)")), expected)
    assert.match(await failing(Effect.asVoid(connection.transact(watch, insert(3)))), expected)
    // The first one is in the log, and nobody was told so.
    assert.deepStrictEqual([count(), told], [1, []])
    connection.close()
  }))
