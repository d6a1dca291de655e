import { FileSystem } from "@effect/platform"
import { Effect, Layer } from "effect"
import { HeapNode } from "../adapters/node/Heap.ts"
import { accept } from "../adapters/sqlite/operations/Accept.ts"
import { dataFilesIn } from "../adapters/sqlite/DataFolder.ts"
import { examine } from "../adapters/sqlite/operations/Doctor.ts"
import { obstaclesIn } from "../adapters/sqlite/operations/FolderChecks.ts"
import { orFailed } from "../adapters/sqlite/operations/BackupFailed.ts"
import { eventFileId } from "../adapters/sqlite/operations/FoundFiles.ts"
import { linesOf, repair } from "../adapters/sqlite/salvage/Repair.ts"
import { restore } from "../adapters/sqlite/operations/Restore.ts"
import { DemoEntranceRoute } from "../http/demo/DemoEntrance.ts"
import { DemoJob } from "../jobs/Demo.ts"
import { HeapJob } from "../jobs/Heap.ts"
import { HeapKeeping } from "../services/operations/HeapKeeping.ts"
import { SetAsideData } from "../services/operations/SetAsideData.ts"
import { Backups, BackupsByThemselves, broughtHere, type BucketSettings } from "./Backups.ts"
import { ExportsByThemselves } from "./Exports.ts"
import { isOnCluster } from "./Addresses.ts"
import { type Configuration, defaults } from "./Config.ts"
import { announceDemo, announceEntrance, DemoServices } from "./DemoStudio.ts"
import { Http, Jobs, Operations, SettingsLive } from "./Layers.ts"
import { Node } from "./ProcessAdapters.ts"
import { LogAs } from "./Logs.ts"
import { Mailing } from "./Mailing.ts"
import { SigningOn } from "./SingleSignOn.ts"
import { demandFreePort, Listen, ListenWith, RouterConfig } from "./Server.ts"
import type { Pace } from "./migration/Pace.ts"
import { Services } from "./Services.ts"
import { Stores } from "./Stores.ts"
import { LogsTold, tracedSenders, tracedStores } from "./Telemetry.ts"
import { warnOfUnreadVariables } from "./Variables.ts"

export type { Brought } from "./migration/Migration.ts"

/** What the process brings along, and the other servers that it speaks to. */
const ProcessOf = (configuration: Configuration) =>
  Layer.mergeAll(Node, Mailing(configuration), SigningOn(configuration))

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

const ServeStores = (configuration: Configuration, demo: boolean) =>
  (demo ? ListenWithDemo(configuration) : Listen(configuration.host, configuration.port)).pipe(
    Layer.provide(Http),
    Layer.merge(Layer.effectDiscard(warnOfUnreadVariables)),
    Layer.merge(Jobs),
    Layer.merge(MemoryGivenBack),
    Layer.merge(BackupsByThemselves(configuration)),
    Layer.merge(ExportsByThemselves(configuration)),
    Layer.provide(Backups(configuration)),
    Layer.provide(tracedStores(configuration.otlp, Stores(configuration))),
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
    Effect.as(demandFreePort(configuration.host, configuration.port), ServeStores(configuration, demo))
  )

/** What commands use over the stores: over the data folder while no server runs. */
export const Offline = (configuration: Configuration) =>
  Operations.pipe(
    Layer.provideMerge(Stores({ ...configuration, warmUp: false })),
    Layer.provideMerge(SettingsLive(configuration)),
    Layer.provide(ProcessOf(configuration))
  )

/** Deletes what starts have set aside, while no server runs; answers what was done, in plain words. */
export const deleteSetAside = (data: string) =>
  Effect.flatMap(SetAsideData, ({ remove }) => remove()).pipe(
    Effect.provide(SetAsideData.Default.pipe(Layer.provide(Offline({ ...defaults, data })))),
    Effect.map((removed) => {
      const names = removed.map(({ kind, id }) => `${kind} ${id}`)
      return names.length === 0 ? "Nothing is set aside" : `Deleted for ever: ${names.join(", ")}`
    })
  )

/** Tells the event file of a data folder from others; null where there is none. */
export const eventFileIn = (data: string) => Effect.flatMap(dataFilesIn(data), ({ events }) => eventFileId(events))

/** The demo studio, played over the data folder while no server runs. */
export const OfflineDemo = (configuration: Configuration) =>
  DemoServices.pipe(
    Layer.provide(Backups(configuration)),
    Layer.provide(Stores({ ...configuration, warmUp: false })),
    Layer.provide(SettingsLive(configuration)),
    Layer.provide(ProcessOf(configuration))
  )

type Addresses = Pick<Configuration, "metadata" | "events">

const examineDatabases = (addresses: Addresses, deep: boolean) =>
  Effect.flatMap(
    Effect.promise(() => import("./ClusterDoctor.ts")),
    ({ examineCluster }) => examineCluster(addresses, deep)
  )

/** What is wrong and right with the stores, which are not changed; `deep` also checks every stored marker. */
export const diagnose = (configuration: Addresses & Pick<Configuration, "data" | "retentionDays">, deep: boolean) =>
  Effect.if(isOnCluster(configuration), {
    onTrue: () => examineDatabases(configuration, deep),
    onFalse: () => examine(configuration.data, deep, configuration.retentionDays)
  })

/** Brings a data folder into the databases of PostgreSQL and ClickHouse, while no server uses any of them. */
export const bringInto = (configuration: Configuration, pace: Pace) =>
  Effect.flatMap(
    Effect.promise(() => import("./migration/Migration.ts")),
    ({ bringFolder }) => bringFolder(configuration, pace)
  )

/** What keeps anybody from working on the data folder, such as that it is another one. */
export const obstacles = obstaclesIn

/** Goes on with the data folder as it is, where a start or the doctor asks a human first. */
export const acceptFiles = accept

/** Makes a new data folder of what can be read of a damaged one, which no server uses. */
export const repairFolder = repair

/** What a repair has lost, a line each. */
export const repairLines = linesOf

/**
 * Restores a backup into a folder of its own below `within`, starts the stores over it as a server would, and looks at what a start has
 * found. The folder is gone afterwards.
 */
export const drillFrom = Effect.fnUntraced(function* (from: string, within: string, settings: BucketSettings) {
  const files = yield* FileSystem.FileSystem
  const data = yield* files
    .makeTempDirectoryScoped({ directory: within, prefix: "gamekeeper-drill-" })
    .pipe(orFailed(`${within} cannot take the restored files`))
  const { backup, manifest } = yield* restore({ from: yield* broughtHere(from, settings), data, force: false })
  yield* Effect.scoped(Layer.build(Offline({ ...defaults, data, snapshot: false })))
  return { backup, manifest, findings: yield* examine(data, false, defaults.retentionDays) }
}, Effect.scoped)
