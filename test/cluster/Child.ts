// A process that appends markers to an event store, moves what waits in it or removes some, and kills itself when it is told to.
// Arguments: the databases, the task and where it ends, all as JSON.
import { Effect, Layer } from "effect"
import { ClickHouse } from "../../src/adapters/clickhouse/ClickHouse.ts"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { eventsOn } from "../support/cluster/EventStores.ts"
import type { Databases } from "../support/cluster/SharedDatabases.ts"
import type { CrashPoint, Task } from "./Children.ts"
import { environment, receivedAt, sentMarker, everyMarker } from "./Children.ts"

const [databases, task, crashPoint] = process.argv.slice(2).map((text) => JSON.parse(text)) as [
  Databases,
  Task,
  CrashPoint | null
]

const die = Effect.sync(() => process.kill(process.pid, "SIGKILL"))

const crashing = <E>(layer: Layer.Layer<ClickHouse, E>): Layer.Layer<ClickHouse, E> =>
  Layer.map(layer, (context) => {
    const { insert, rows, run } = context.unsafeMap.get(ClickHouse.key) as ClickHouse["Type"]
    const at = (point: CrashPoint) => (crashPoint === point ? die : Effect.void)
    const dying: ClickHouse["Type"] = {
      run: (statement) =>
        statement.startsWith("alter table")
          ? at("before deletion").pipe(Effect.zipRight(run(statement)), Effect.zipLeft(at("after deletion")))
          : run(statement),
      insert: (table, lines, token) => {
        const sent = insert(table, lines, token)
        if (table === "marker")
          return at("before marker").pipe(Effect.zipRight(sent), Effect.zipLeft(at("after marker")))
        return table === "catalogue" ? Effect.zipLeft(sent, at("after catalogue")) : sent
      },
      rows: (query, settings) => {
        const found = rows<never>(query, settings)
        return query.includes("sequence between") ? Effect.zipLeft(found, at("after check")) : found
      }
    }
    context.unsafeMap.set(ClickHouse.key, dying)
    return context
  })

const append = (start: number, count: number) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const markers = Array.from({ length: count }, (_, at) => sentMarker(start + at))
    const duplicates = yield* store.append(environment, receivedAt, markers)
    yield* Effect.sync(() => process.send?.({ start, count, duplicates: duplicates.length }))
  })

const work = Effect.gen(function* () {
  const store = yield* EventStore
  if (task.do === "move") return yield* store.ask(environment, everyMarker)
  if (task.do === "erase") return yield* store.erase(environment, task.unitId)
  if (task.do === "drop") return yield* store.drop([environment])
  return yield* Effect.forEach(task.starts, (start) => append(start, task.count), { concurrency: 4, discard: true })
})

await Effect.runPromise(Effect.provide(work, eventsOn(databases, 7, crashing)))
process.disconnect?.()
process.exit(0)
