import { Effect, Layer } from "effect"
import { HeapNode } from "../adapters/node/Heap.ts"
import { HeapJob } from "../jobs/Heap.ts"
import { HeapKeeping } from "../services/operations/HeapKeeping.ts"
import { Backups, BackupsByThemselves } from "./Backups.ts"
import type { Configuration } from "./Config.ts"
import { ExportsByThemselves } from "./Exports.ts"
import { Http, Jobs } from "./Http.ts"
import { warnOfPublicAddress } from "./PublicAddress.ts"
import { Listen, RouterConfig } from "./Server.ts"
import { Services } from "./Services.ts"
import { warnOfUnreadVariables } from "./Variables.ts"

/** Of the process, whatever its stores. */
const MemoryGivenBack = HeapJob.pipe(
  Layer.provide(HeapKeeping.Default.pipe(Layer.provide(HeapNode))),
  Layer.provide(Services)
)

/** The demo studio is loaded only where one is asked for. */
const ListenWithDemo = (configuration: Configuration) =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("./demo/DemoListening.ts")),
      ({ DemoListening }) => DemoListening(configuration)
    )
  )

/**
 * Answers requests over the stores that it is given, and does what the server does by itself. Layers that stand side by side are made in their
 * order: what can be refused comes before the server says that it listens, and what no request needs to be answered after it.
 */
export const Listening = (configuration: Configuration, demo: boolean) =>
  Layer.mergeAll(
    Layer.effectDiscard(warnOfUnreadVariables),
    Layer.effectDiscard(warnOfPublicAddress(configuration)),
    BackupsByThemselves(configuration),
    ExportsByThemselves(configuration),
    (demo ? ListenWithDemo(configuration) : Listen(configuration.host, configuration.port)).pipe(Layer.provide(Http)),
    Jobs,
    MemoryGivenBack
  ).pipe(Layer.provide(Backups(configuration)), Layer.provide(RouterConfig))
