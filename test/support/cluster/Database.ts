import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { Client } from "pg"

/** The migrated database from which others are made. */
export const template = "gamekeeper_template"

/** The address of the engine's own database, where `npm run test:cluster` has started one. */
const engineUrl = process.env["GAMEKEEPER_TEST_POSTGRES"] ?? ""

/** The address of another database of the same engine. */
export const urlOf = (engine: string, database: string): string => {
  const url = new URL(engine)
  url.pathname = `/${database}`
  return url.href
}

/** Runs a statement beside all processes that are tested. */
export const byOperator = (statement: string, database = "postgres") =>
  Effect.acquireUseRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: urlOf(engineUrl, database) })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.query(statement)),
    (client) => Effect.promise(() => client.end())
  )

/** A migrated database of one's own, until the scope closes. */
export const freshDatabase = Effect.map(
  Effect.acquireRelease(
    Effect.suspend(() => {
      const name = `test_${randomUUID().replaceAll("-", "")}`
      return Effect.as(byOperator(`create database ${name} template ${template}`), name)
    }),
    (name) => byOperator(`drop database ${name} with (force)`)
  ),
  (name) => ({ name, url: Redacted.make(urlOf(engineUrl, name)) })
)
