import { Effect } from "effect"
import { freshDatabases } from "./EventStores.ts"
import type { Databases } from "./SharedDatabases.ts"

/** The password in the address of PostgreSQL. */
export const secret = "not-to-be-shown"

/** The variables that name databases of one's own, which are gone after the work. */
export const withAddresses = (test: (env: Record<string, string>, databases: Databases) => Promise<void>) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(freshDatabases(), (databases) => {
        const { postgres, clickHouse } = databases
        const metadata = postgres.replace("postgres@", `postgres:${secret}@`)
        const events = `clickhouse://${new URL(clickHouse.url).host}/${clickHouse.database}`
        return Effect.promise(() => test({ GAMEKEEPER_METADATA: metadata, GAMEKEEPER_EVENTS: events }, databases))
      })
    )
  )
