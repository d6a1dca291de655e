import { Effect, Layer } from "effect"
import { HeapNode } from "../adapters/node/Heap.ts"
import { makeObjectsYoung } from "../adapters/node/YoungObjects.ts"
import { DemoEntranceRoute } from "../http/demo/DemoEntrance.ts"
import { DemoJob } from "../jobs/Demo.ts"
import { HeapJob } from "../jobs/Heap.ts"
import { HeapKeeping } from "../services/operations/HeapKeeping.ts"
import { Backups, BackupsByThemselves } from "./Backups.ts"
import { ExportsByThemselves } from "./Exports.ts"
import type { Configuration } from "./Config.ts"
import { announceDemo, announceEntrance, DemoServices } from "./DemoStudio.ts"
import { Http, Jobs } from "./Http.ts"
import { SettingsLive } from "./Layers.ts"
import { LogAs } from "./Logs.ts"
import { ProcessOf } from "./commands/Offline.ts"
import { warnOfPublicAddress } from "./PublicAddress.ts"
import { demandFreePort, Listen, ListenWith, RouterConfig } from "./Server.ts"
import { Services } from "./Services.ts"
import { Stores } from "./Stores.ts"
import { LogsTold, tracedSenders, tracedStores } from "./Telemetry.ts"
import { warnOfUnreadVariables } from "./Variables.ts"

/** Of the process, whatever its stores. */
const MemoryGivenBack = HeapJob.pipe(
  Layer.provide(HeapKeeping.Default.pipe(Layer.provide(HeapNode))),
  Layer.provide(Services)
)

/** Pages answer once the demo studio is there; then it goes on. */
const ListenWithDemo = ({ host, port }: Configuration) =>
  Layer.effectDiscard(announceEntrance(host)).pipe(
    Layer.provide(ListenWith(host, port, DemoEntranceRoute)),
    Layer.merge(DemoJob),
    Layer.provide(Layer.effectDiscard(announceDemo)),
    Layer.provide(DemoServices)
  )

/** What no request needs to be answered, such as threads for questions, begins once requests are: it would take the start's processor time. */
const ServeStores = (configuration: Configuration, demo: boolean, listening: Effect.Latch) =>
  Layer.effectDiscard(listening.open).pipe(
    Layer.provide(demo ? ListenWithDemo(configuration) : Listen(configuration.host, configuration.port)),
    Layer.provide(Http),
    Layer.merge(Layer.effectDiscard(warnOfUnreadVariables)),
    Layer.merge(Layer.effectDiscard(warnOfPublicAddress(configuration.publicUrl))),
    Layer.merge(Jobs),
    Layer.merge(MemoryGivenBack),
    Layer.merge(BackupsByThemselves(configuration)),
    Layer.merge(ExportsByThemselves(configuration)),
    Layer.provide(Backups(configuration)),
    Layer.provide(tracedStores(configuration.otlp, Stores(configuration, listening.await))),
    Layer.provide(SettingsLive(configuration)),
    Layer.provide(tracedSenders(configuration.otlp, ProcessOf(configuration))),
    Layer.provide(RouterConfig),
    Layer.provide(Layer.setTracerEnabled(false)),
    Layer.provide(LogsTold(configuration.otlp)),
    Layer.provide(LogAs(configuration.logFormat))
  )

/** The whole server over its stores, with a demo studio where one is asked for. No file is written where its port is taken. */
export const Serve = (configuration: Configuration, demo: boolean) =>
  Layer.unwrapEffect(
    demandFreePort(configuration.host, configuration.port).pipe(
      Effect.andThen(Effect.sync(makeObjectsYoung)),
      Effect.zipRight(Effect.makeLatch()),
      Effect.map((listening) => ServeStores(configuration, demo, listening))
    )
  )
