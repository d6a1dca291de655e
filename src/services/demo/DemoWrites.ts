import { Clock, Effect, Schedule } from "effect"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Attribution } from "../deeplinks/Attribution.ts"
import { ErasedUnits } from "../operations/ErasedUnits.ts"
import { whole } from "../Whole.ts"
import type { Studio } from "./DemoStudio.ts"

const batchSize = 4000

/** The store takes what waits meanwhile. */
const forSomeSeconds = { schedule: Schedule.spaced("100 millis"), times: 50 }

/** Stores what players of the demo did in the past. */
export class DemoWrites extends Effect.Service<DemoWrites>()("services/demo/DemoWrites", {
  effect: Effect.gen(function* () {
    const attribution = yield* Attribution
    const erased = yield* ErasedUnits
    const store = yield* EventStore

    const write = Effect.fnUntraced(function* ({ environment }: Studio, events: ReadonlyArray<Event>) {
      yield* store.append(environment.id, yield* Clock.currentTimeMillis, events)
      yield* attribution.convert(environment, events)
    }, whole)

    /** Stores the events, which are in order of time, and finds the clicks that they came of; those of erased players are left out. */
    const append = Effect.fnUntraced(function* (studio: Studio, events: ReadonlyArray<Event>) {
      const isErased = yield* erased.testFor(studio.environment.id)
      const kept = events.filter(({ unitId, timestamp }) => unitId === null || isErased?.(unitId, timestamp) !== true)
      for (let from = 0; from < kept.length; from += batchSize) {
        yield* Effect.orDie(Effect.retry(write(studio, kept.slice(from, from + batchSize)), forSomeSeconds))
        yield* nextTurn
      }
    })

    return { append } as const
  })
}) {}
