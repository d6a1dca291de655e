import { assert, describe, it } from "@effect/vitest"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import { join } from "node:path"
import { DirectConnection, type Watch } from "../../../src/adapters/sqlite/DirectConnection.ts"
import type { StepStatement } from "../../../src/adapters/sql/OneStep.ts"
import { withFolder } from "../../support/Server.ts"

type Statement = (sql: string) => StepStatement

const insert = (id: number) => (statement: Statement) => statement("insert into item values (?)").change([id])

const opened = async (filename: string) => {
  const connection = new DirectConnection(filename)
  const told: Array<number> = []
  const watch: Watch = {
    refusal: () => null,
    failed: (error: SqlError) => Effect.fail(error),
    onCommit: () => told.push(count()),
    turn: () => null
  }
  const read = (sql: string) => Effect.runSync(connection.read(watch, (statement) => statement(sql).all([])))
  const count = () => read("select id from item").length
  await Effect.runPromise(
    connection.transact(watch, (statement) => statement("create table item (id integer primary key)").change([]))
  )
  told.length = 0
  return { connection, watch, told, read, count }
}

describe.each([":memory:", "file"])("a transaction in one step, in %s", (kind) => {
  const withOpened = (work: (store: Awaited<ReturnType<typeof opened>>) => Promise<void>) =>
    withFolder(async (folder) => {
      const store = await opened(kind === "file" ? join(folder, "a.sqlite") : kind)
      await work(store)
      store.connection.close()
    })

  it("is whole, and told of once it is on disk", () =>
    withOpened(async ({ connection, watch, told, count }) => {
      assert.strictEqual(await Effect.runPromise(connection.transact(watch, insert(1))), 1)
      const failed = connection.transact(watch, (statement) => [insert(2)(statement), insert(1)(statement)])
      assert.strictEqual((await Effect.runPromise(Effect.flip(failed)))._tag, "SqlError")
      assert.strictEqual(count(), 1)
      assert.deepStrictEqual(told, [1])
    }))

  it("lets others go on until it is on disk; whoever watches is told when all of them are", () =>
    withOpened(async ({ connection, watch, told, count }) => {
      const ids = Array.from({ length: 20 }, (_, id) => id)
      const under = ids.map((id) => Effect.runPromise(connection.transact(watch, insert(id))))
      assert.strictEqual(count(), 20)
      if (kind === "file") assert.deepStrictEqual(told, [])
      await Promise.all(under)
      assert.strictEqual(told.at(-1), 20)
    }))

  it("leaves every other write on disk when it returns", () =>
    withOpened(async ({ connection, watch, read }) => {
      const synchronous = () => read("pragma synchronous")
      await Effect.runPromise(connection.transact(watch, insert(1)))
      assert.deepStrictEqual(synchronous(), [{ synchronous: 2 }])
      await Effect.runPromise(Effect.flip(connection.transact(watch, insert(1))))
      assert.deepStrictEqual(synchronous(), [{ synchronous: 2 }])
    }))

  it("is a part of the transaction around it", () =>
    withOpened(async ({ connection, watch, told, count }) => {
      const run = (sql: string) => Effect.runPromise(connection.of(watch).execute(sql, [], undefined))
      await run("begin immediate")
      await Effect.runPromise(connection.transact(watch, insert(1)))
      assert.deepStrictEqual(told, [])
      await run("rollback")
      assert.strictEqual(count(), 0)
    }))
})
