import { Effect, Layer } from "effect"
import { ProjectCache } from "../../adapters/cache/ProjectCache.ts"
import { type EventStoreOptions, EventStoreSqlite } from "../../adapters/sqlite/analytics/EventStore.ts"
import { acquireDataFolder, orUnusable } from "../../adapters/sqlite/DataFolder.ts"
import { FolderWatch } from "../../adapters/sqlite/operations/FolderWatch.ts"
import { refuseMismatch } from "../../adapters/sqlite/operations/FoundFiles.ts"
import { MetadataRecords } from "../../adapters/sqlite/operations/MetadataRecords.ts"
import { PairedFiles } from "../../adapters/sqlite/operations/Notes.ts"
import { snapshotBefore, upgraded } from "../../adapters/sqlite/operations/Snapshot.ts"
import { type MetadataWorkers, SqliteMetadata } from "../../adapters/sqlite/Sqlite.ts"
import type { Configuration } from "../Config.ts"
import { organizationOf } from "./OrganizationOf.ts"
import { eventWorkers, metadataWorkers } from "../Workers.ts"

/** The event store of one file, whose questions take turns by organization. */
export const eventStore = (options: Omit<EventStoreOptions, "organizationOf">) =>
  Layer.unwrapEffect(Effect.map(organizationOf, (own) => EventStoreSqlite({ ...options, organizationOf: own })))

/** What the configuration says of the event store. */
export const eventStoreOptions = ({ dedupeDays, analyticsMemoryMb, queryTimeoutSeconds, warmUp }: Configuration) => ({
  dedupeDays,
  cacheBytes: analyticsMemoryMb * 1024 * 1024,
  warmUp,
  budget: queryTimeoutSeconds * 1000
})

/** The bundled workers of the event store and of the metadata, or what does their work in this thread; null reads metadata in it. */
interface FolderWorkers {
  readonly threads: EventStoreOptions["threads"]
  readonly metadata: MetadataWorkers | null
}

/** The event file, which belongs together with the metadata's file from now on. */
const pairedEventStore = (options: EventStoreOptions) =>
  Layer.unwrapEffect(
    Effect.flatMap(MetadataRecords, (records) =>
      Effect.map(records.ids, ({ own }) => eventStore({ ...options, partner: own }))
    )
  )

/** What goes beside the opening of the stores, and what follows if they die; whoever starts none of it waits for nothing. */
export type BesideOpening = Pick<EventStoreOptions, "firstReaderAfter" | "whileOpening" | "whenEnded">

/**
 * Everything in the data folder, which this process holds until the layer's scope closes. Files that do not belong together are refused;
 * those of different times are made to agree first. `workers` are the paths of the bundled ones.
 */
export const FolderStores = (
  configuration: Configuration,
  workers: FolderWorkers = { threads: eventWorkers, metadata: metadataWorkers },
  beside: BesideOpening = {}
) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const files = yield* acquireDataFolder(configuration.data)
      yield* refuseMismatch(files)
      if (configuration.snapshot) yield* snapshotBefore(files)
      const own = { file: files.events, threads: workers.threads }
      return Layer.mergeAll(PairedFiles(files.events), FolderWatch(files), Layer.effectDiscard(upgraded(files))).pipe(
        Layer.provideMerge(pairedEventStore({ ...eventStoreOptions(configuration), ...own, ...beside })),
        Layer.provideMerge(ProjectCache),
        Layer.provideMerge(SqliteMetadata(files.metadata, workers.metadata)),
        orUnusable(files)
      )
    })
  )
