import { Data, Deferred, Effect, Layer } from "effect"
import { makeObjectsYoung } from "../adapters/node/YoungObjects.ts"
import type { Configuration } from "./Config.ts"
import { demandFreePort } from "./FreePort.ts"
import { LogAs } from "./Logs.ts"
import { ProcessOf } from "./ProcessAdapters.ts"
import { SettingsLive } from "./SettingsLive.ts"
import type { BesideOpening } from "./stores/FolderStores.ts"
import { Stores } from "./stores/Stores.ts"
import { LogsTold, tracedSenders, tracedStores } from "./Telemetry.ts"

/** What answers requests, the larger part of the program. Another thread opens the event file while this one loads it. */
const rest = Effect.promise(() => import("./Listening.ts"))

/** What no request needs to be answered, such as threads for questions, begins once requests are: it would take the start's processor time. */
const ServeStores = (
  configuration: Configuration,
  demo: boolean,
  listening: Effect.Latch,
  whenEnded: NonNullable<BesideOpening["whenEnded"]>
) => {
  const beside = { firstReaderAfter: listening.await, whileOpening: Effect.asVoid(rest), whenEnded }
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

/** A part of the server has died that nothing brings back but another start. */
export class ServerDied extends Data.TaggedError("ServerDied")<{ readonly message: string }> {}

/**
 * Runs the whole server over its stores, with a demo studio where one is asked for. No file is written where its port is taken. It fails once
 * the thread that stores markers has died: whoever runs servers starts one that ended again, and nobody one that answers without storing.
 */
export const serving = (given: Configuration, demo: boolean) =>
  Effect.gen(function* () {
    const port = yield* demandFreePort(given.host, given.port)
    const configuration = { ...given, port }
    makeObjectsYoung()
    const listening = yield* Effect.makeLatch()
    const died = yield* Deferred.make<never, ServerDied>()
    const whenEnded = (reason: string) =>
      Deferred.fail(
        died,
        new ServerDied({ message: `The thread that stores markers has died (${reason}): start the server again` })
      )
    const server = Layer.launch(ServeStores(configuration, demo, listening, whenEnded))
    return yield* Effect.raceFirst(server, Deferred.await(died))
  }).pipe(
    // Somebody may take the port that was chosen before the server listens: another one does as well.
    Effect.retry({ times: 3, while: (error) => given.port === 0 && error._tag === "PortUnusable" && error.isTaken })
  )
