import { SqlClient } from "@effect/sql"
import { Effect, Layer, Option, Schema } from "effect"
import type { Browser, BrowserAccount } from "../../domain/access/Browser.ts"
import { inOrder } from "../../domain/access/Browser.ts"
import { UserId } from "../../domain/Ids.ts"
import { BrowserRepo } from "../../ports/BrowserRepo.ts"
import { Flag, Instant, tableOf } from "./Rows.ts"

const NewRow = Schema.Struct({ tokenHash: Schema.String, createdAt: Instant })
const Row = Schema.Struct({ id: Schema.Int, ...NewRow.fields })

const AccountRow = Schema.Struct({
  handle: Schema.String,
  userId: UserId,
  isActive: Flag,
  expiresAt: Instant,
  lastUsedAt: Instant,
  createdAt: Instant
})

const decodeAccounts = Schema.decodeUnknown(Schema.Array(AccountRow))
const encodeAccounts = Schema.encode(Schema.Array(AccountRow))

export const BrowserRepoSqlite = Layer.effect(
  BrowserRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const browsers = yield* tableOf("browsers", Row, NewRow)

    const withAccounts = Effect.fnUntraced(function* (row: typeof Row.Type) {
      const rows = yield* sql`select * from browser_accounts where browser_id = ${row.id}`
      return { ...row, accounts: inOrder(yield* decodeAccounts(rows)) }
    }, Effect.orDie)

    const writeAccounts = Effect.fnUntraced(function* (browserId: number, accounts: ReadonlyArray<BrowserAccount>) {
      yield* sql`delete from browser_accounts where browser_id = ${browserId}`
      const rows = yield* encodeAccounts(accounts)
      if (rows.length > 0) {
        yield* sql`insert into browser_accounts ${sql.insert(rows.map((row) => ({ browserId, ...row })))}`
      }
    })

    const insert = Effect.fn("BrowserRepo.insert")(function* ({ accounts, ...browser }: Omit<Browser, "id">) {
      const row = yield* browsers.insert(browser)
      yield* writeAccounts(row.id, accounts)
      return { ...row, accounts: inOrder(accounts) }
    })

    const update = Effect.fn("BrowserRepo.update")(function* ({ accounts, ...browser }: Browser) {
      const row = yield* browsers.update(browser)
      yield* writeAccounts(row.id, accounts)
      return { ...row, accounts: inOrder(accounts) }
    })

    return BrowserRepo.of({
      insert: (browser) => Effect.orDie(sql.withTransaction(insert(browser))),
      update: (browser) => Effect.orDie(sql.withTransaction(update(browser))),
      remove: Effect.fn("BrowserRepo.remove")((id) => browsers.removeWhere(sql`id = ${id}`)),
      findByTokenHash: Effect.fn("BrowserRepo.findByTokenHash")(function* (hash) {
        const row = yield* browsers.findWhere(sql`token_hash = ${hash}`)
        return Option.isNone(row) ? Option.none() : Option.some(yield* withAccounts(row.value))
      }),
      listOfUser: Effect.fn("BrowserRepo.listOfUser")(function* (userId) {
        const rows = yield* browsers.listWhere(
          sql`id in (select browser_id from browser_accounts where user_id = ${userId})`
        )
        return yield* Effect.forEach(rows, withAccounts)
      })
    })
  })
)
