import { Effect, Layer } from "effect"
import { EventStoreMemory } from "../adapters/memory/analytics/EventStore.ts"
import { MemoryMetadata } from "../adapters/memory/Memory.ts"
import { ProjectCache } from "../adapters/cache/ProjectCache.ts"
import { acquireDataFolder } from "../adapters/sqlite/DataFolder.ts"
import { type EventStoreOptions, EventStoreSqlite } from "../adapters/sqlite/analytics/EventStore.ts"
import { FolderWatch } from "../adapters/sqlite/operations/FolderWatch.ts"
import { refuseMismatch } from "../adapters/sqlite/operations/FoundFiles.ts"
import { snapshotBefore } from "../adapters/sqlite/operations/Snapshot.ts"
import { MetadataRecords } from "../adapters/sqlite/operations/MetadataRecords.ts"
import { PairedFiles } from "../adapters/sqlite/operations/Notes.ts"
import { type MetadataWorkers, SqliteMetadata } from "../adapters/sqlite/Sqlite.ts"
import { Settings } from "../ports/operations/Settings.ts"
import { Imports } from "../services/ingest/Imports.ts"
import { OrganizationSetup } from "../services/access/OrganizationSetup.ts"
import { AuditTrail } from "../services/operations/AuditTrail.ts"
import { WebhookQueue } from "../services/operations/WebhookQueue.ts"
import { NewPasswords } from "../services/access/NewPasswords.ts"
import { Sessions } from "../services/access/Sessions.ts"
import { PasswordResetLinks } from "../services/access/PasswordResetLinks.ts"
import { Operators } from "../services/operations/Operators.ts"
import type { Configuration } from "./Config.ts"
import { defaults, settingsOf } from "./Config.ts"
import { eventWorkers, metadataWorkers } from "./Workers.ts"
import { organizationOf } from "./OrganizationOf.ts"
import { Shared } from "./SharedServices.ts"

export const SettingsLive = (configuration: Configuration) => Layer.succeed(Settings, settingsOf(configuration))

/** Everything in memory: for tests, gone with the process. */
export const MemoryStores = Layer.merge(MemoryMetadata, EventStoreMemory(defaults))

const eventStore = (options: Omit<EventStoreOptions, "organizationOf">) =>
  Layer.unwrapEffect(Effect.map(organizationOf, (own) => EventStoreSqlite({ ...options, organizationOf: own })))

const eventStoreOptions = ({ dedupeDays, analyticsMemoryMb, queryTimeoutSeconds, warmUp }: Configuration) => ({
  dedupeDays,
  cacheBytes: analyticsMemoryMb * 1024 * 1024,
  warmUp,
  budget: queryTimeoutSeconds * 1000
})

/** Paths of the bundled workers of the event store and of the metadata; null runs everything in this thread. */
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

/**
 * Everything in the data folder, which this process holds until the layer's scope closes. Files that do not belong together are refused;
 * those of different times are made to agree first. `workers` are the paths of the bundled ones. Once the process serves, which
 * `listening` waits for, a thread gets ready for questions; without it the first question starts one.
 */
export const FolderStores = (
  configuration: Configuration,
  workers: FolderWorkers = { threads: eventWorkers, metadata: metadataWorkers },
  listening?: Effect.Effect<void>
) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const files = yield* acquireDataFolder(configuration.data)
      yield* refuseMismatch(files)
      if (configuration.snapshot) yield* snapshotBefore(files)
      const own = { file: files.events, threads: workers.threads }
      const options = { ...eventStoreOptions(configuration), ...own, ...(listening && { firstReaderAfter: listening }) }
      return Layer.merge(PairedFiles(files.events), FolderWatch(files)).pipe(
        Layer.provideMerge(pairedEventStore(options)),
        Layer.provideMerge(ProjectCache),
        Layer.provideMerge(SqliteMetadata(files.metadata, workers.metadata))
      )
    })
  )

/** Everything in SQLite without a folder: for tests. */
export const SqliteStores = eventStore({ ...eventStoreOptions(defaults), file: ":memory:", threads: null }).pipe(
  Layer.provideMerge(ProjectCache),
  Layer.provideMerge(SqliteMetadata(":memory:"))
)

/** What the operator does to people, over their tables alone. */
export const OperatorsLive = Layer.merge(Operators.Default, NewPasswords.Default).pipe(
  Layer.provide(Sessions.Default),
  Layer.provide(PasswordResetLinks.Default),
  Layer.provide(OrganizationSetup.Default),
  Layer.provide(AuditTrail.Default.pipe(Layer.provide(WebhookQueue.Default)))
)

/** What the operator's commands use. */
export const Operations = Imports.Default.pipe(
  Layer.provideMerge(Operators.Default),
  Layer.provideMerge(NewPasswords.Default),
  Layer.provide(Shared)
)
