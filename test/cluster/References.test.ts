import { it } from "@effect/vitest"
import { Effect } from "effect"
import { PostgresClient } from "../../src/adapters/postgres/Client.ts"
import { refusesBrokenReferences } from "../support/operations/BrokenReferences.ts"
import { freshDatabase } from "../support/cluster/Database.ts"

it.scoped("PostgreSQL: a broken reference between rows is a defect of its own, and changes nothing", () =>
  Effect.flatMap(freshDatabase, ({ url }) =>
    Effect.provide(refusesBrokenReferences, PostgresClient({ url, connections: 4 }))
  )
)
