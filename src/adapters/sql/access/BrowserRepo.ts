import type { Statement } from "@effect/sql"
import { SqlClient, SqlSchema } from "@effect/sql"
import { Array, Effect, Layer, Option, Schema } from "effect"
import type { Browser, BrowserAccount } from "../../../domain/access/Browser.ts"
import { inOrder } from "../../../domain/access/Browser.ts"
import { UserId } from "../../../domain/Ids.ts"
import { BrowserRepo } from "../../../ports/access/BrowserRepo.ts"
import { dialectOf } from "../Dialect.ts"
import { Flag, Instant, JsonText, tableOf } from "../Rows.ts"

const NewRow = Schema.Struct({ tokenHash: Schema.String, createdAt: Instant })
const Row = Schema.Struct({ id: Schema.Int, ...NewRow.fields })

const Account = Schema.Struct({
  handle: Schema.String,
  userId: UserId,
  isActive: Flag,
  byPasswordAlone: Flag,
  expiresAt: Instant,
  lastUsedAt: Instant,
  createdAt: Instant,
  browser: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String)
})
const encodeAccounts = Schema.encode(Schema.Array(Account))
const Found = Schema.Struct({ ...Row.fields, accounts: JsonText(Schema.Array(Account)) })

/** Reads browsers with their accounts in one statement: in two, a sign-in could change the accounts in between. */
const select = (sql: SqlClient.SqlClient, where: Statement.Fragment) => {
  const { named } = dialectOf(sql)
  const list = named("json_group_array", "json_agg")
  const object = named("json_object", "json_build_object")
  return sql`
    select id, token_hash, created_at, (
      select coalesce(cast(${list}(${object}('handle', handle, 'userId', user_id, 'isActive', is_active, 'byPasswordAlone', by_password_alone,
        'expiresAt', expires_at, 'lastUsedAt', last_used_at, 'createdAt', created_at,
        'browser', browser, 'address', address)) as text), '[]')
      from browser_accounts where browser_id = browsers.id
    ) as accounts
    from browsers where ${where} order by id`
}

const writing = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const browsers = yield* tableOf("browsers", Row, NewRow)

  const writeAccounts = Effect.fnUntraced(function* (browserId: number, accounts: ReadonlyArray<BrowserAccount>) {
    yield* sql`delete from browser_accounts where browser_id = ${browserId}`
    const rows = (yield* encodeAccounts(accounts)).map((row) => ({ browserId, ...row }))
    if (rows.length > 0) yield* sql`insert into browser_accounts ${sql.insert(rows)}`
  })

  const atomically = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.orDie(sql.withTransaction(effect))

  return {
    insert: Effect.fnUntraced(function* ({ accounts, ...browser }: Omit<Browser, "id">) {
      const row = yield* browsers.insert(browser)
      yield* writeAccounts(row.id, accounts)
      return { ...row, accounts: inOrder(accounts) }
    }, atomically),
    update: Effect.fnUntraced(function* ({ accounts, ...browser }: Browser) {
      const row = yield* browsers.update(browser)
      yield* writeAccounts(row.id, accounts)
      return { ...row, accounts: inOrder(accounts) }
    }, atomically),
    remove: (id: number) => browsers.removeWhere(sql`id = ${id}`)
  }
})

export const BrowserRepoSql = Layer.effect(
  BrowserRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const findByTokenHash = SqlSchema.findOne({
      Request: Schema.String,
      Result: Found,
      execute: (hash) => select(sql, sql`token_hash = ${hash}`)
    })
    const listOfUser = SqlSchema.findAll({
      Request: UserId,
      Result: Found,
      execute: (id) => select(sql, sql`id in (select browser_id from browser_accounts where user_id = ${id})`)
    })
    const ordered = (browser: typeof Found.Type): Browser => ({ ...browser, accounts: inOrder(browser.accounts) })
    return BrowserRepo.of({
      ...(yield* writing),
      findByTokenHash: (hash) => Effect.map(Effect.orDie(findByTokenHash(hash)), Option.map(ordered)),
      listOfUser: (userId) => Effect.map(Effect.orDie(listOfUser(userId)), Array.map(ordered))
    })
  })
)
