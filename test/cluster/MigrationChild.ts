// A process that brings a data folder into databases in small portions, and kills itself after some of them.
// Arguments: what to bring and where, and when to die (null: never), as JSON.
import { NodeContext } from "@effect/platform-node"
import { Effect, Redacted } from "effect"
import { defaults } from "../../src/app/Config.ts"
import { bringFolder } from "../../src/app/migration/Migration.ts"
import type { Bringing } from "./Migrations.ts"

const [{ data, metadata, events }, deathAfter] = process.argv.slice(2).map((text) => JSON.parse(text)) as [
  Bringing,
  number | null
]

let steps = 0
const dies = Effect.sync(() => {
  steps++
  // Then a statement is under way, or about to be.
  if (steps === deathAfter) setTimeout(() => process.kill(process.pid, "SIGKILL"), Math.random() * 30)
})

const begins = (part: string) => Effect.sync(() => void process.send?.(part))

const brought = await Effect.runPromise(
  Effect.either(
    bringFolder(
      { ...defaults, data, metadata: Redacted.make(metadata), events: Redacted.make(events) },
      { begins, reached: () => dies },
      { markers: 2000, bytes: 1_000_000, ids: 1000 }
    )
  ).pipe(Effect.provide(NodeContext.layer))
)
process.send?.(JSON.stringify(brought))
process.disconnect?.()
process.exit(brought._tag === "Right" ? 0 : 1)
