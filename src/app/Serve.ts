import { Effect, Layer } from "effect"
import { makeObjectsYoung } from "../adapters/node/YoungObjects.ts"
import type { Configuration } from "./Config.ts"
import { demandFreePort } from "./FreePort.ts"
import { LogAs } from "./Logs.ts"
import { ProcessOf } from "./ProcessAdapters.ts"
import { SettingsLive } from "./SettingsLive.ts"
import { Stores } from "./stores/Stores.ts"
import { LogsTold, tracedSenders, tracedStores } from "./Telemetry.ts"

/** What answers requests, the larger part of the program. Another thread opens the event file while this one loads it. */
const rest = Effect.promise(() => import("./Listening.ts"))

/** What no request needs to be answered, such as threads for questions, begins once requests are: it would take the start's processor time. */
const ServeStores = (configuration: Configuration, demo: boolean, listening: Effect.Latch) => {
  const beside = { firstReaderAfter: listening.await, whileOpening: Effect.asVoid(rest) }
  return Layer.effectDiscard(listening.open).pipe(
    Layer.provide(Layer.unwrapEffect(Effect.map(rest, ({ Listening }) => Listening(configuration, demo)))),
    Layer.provide(tracedStores(configuration.otlp, Stores(configuration, beside))),
    Layer.provide(SettingsLive(configuration)),
    Layer.provide(tracedSenders(configuration.otlp, ProcessOf(configuration))),
    Layer.provide(Layer.setTracerEnabled(false)),
    Layer.provide(LogsTold(configuration.otlp)),
    Layer.provide(LogAs(configuration.logFormat))
  )
}

/** The whole server over its stores, with a demo studio where one is asked for. No file is written where its port is taken. */
export const Serve = (configuration: Configuration, demo: boolean) =>
  Layer.unwrapEffect(
    demandFreePort(configuration.host, configuration.port).pipe(
      Effect.andThen(Effect.sync(makeObjectsYoung)),
      Effect.zipRight(Effect.makeLatch()),
      Effect.map((listening) => ServeStores(configuration, demo, listening))
    )
  )
