import { inlineThreads } from "../adapters/sqlite/events/threads/InlineThreads.ts"
import { Layer } from "effect"
import { ProjectCache } from "../adapters/cache/ProjectCache.ts"
import { EventStoreMemory } from "../adapters/memory/analytics/EventStore.ts"
import { MemoryMetadata } from "../adapters/memory/Memory.ts"
import { SqliteMetadata } from "../adapters/sqlite/Sqlite.ts"
import { defaults } from "./Config.ts"
import { eventStore, eventStoreOptions } from "./stores/FolderStores.ts"

/** Everything in memory: for tests, gone with the process. */
export const MemoryStores = Layer.merge(MemoryMetadata, EventStoreMemory(defaults))

/** Everything in SQLite without a folder: for tests. */
export const SqliteStores = eventStore({
  ...eventStoreOptions(defaults),
  file: ":memory:",
  threads: inlineThreads
}).pipe(Layer.provideMerge(ProjectCache), Layer.provideMerge(SqliteMetadata(":memory:")))
