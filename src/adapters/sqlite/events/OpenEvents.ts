import { Events } from "./Events.ts"
import { openForReading } from "./file/EventsDb.ts"
import { HeldLog } from "./file/HeldLog.ts"
import { Damages } from "./threads/Damages.ts"
import type { OpenedFile, ReaderOptions } from "./threads/Protocol.ts"
import { Reader } from "./threads/Reader.ts"
import { type PoolLimits, ReaderPool } from "./threads/ReaderPool.ts"
import { inlineReader, type ReaderListener, spawnReader } from "./threads/ReaderThread.ts"
import { type Failed, WriterClient, type WriterLimits } from "./threads/WriterClient.ts"
import { inlineWriter, spawnWriter } from "./threads/WriterThread.ts"
import type { RetiredReport } from "./write/Maintenance.ts"
import type { WriterOptions } from "./write/Writer.ts"

export interface EventsOptions {
  /** `:memory:` is possible only without threads. */
  readonly file: string
  /** The id of the metadata's file, with which this one then belongs together; without it there is no partner. */
  readonly partner?: string | null
  /** Paths of the bundled workers; null runs everything in the calling thread. */
  readonly threads: { readonly writer: string; readonly reader: string; readonly sealer: string } | null
  readonly writer: WriterOptions & WriterLimits
  /** Called with the reason when sealing the tail has failed; appends and questions continue. */
  readonly onUnsealed: (message: string) => void
  /** Called after each maintenance with what it has deleted for its age. */
  readonly onRetired?: (report: RetiredReport) => void
  /** Called with what is damaged in the file, where work can go on. */
  readonly onDamaged: (message: string) => void
  readonly readers: PoolLimits & ReaderOptions
  /** Gets what starts the first reader before anybody has asked a question; without it the first question starts it. */
  readonly firstReader?: (start: () => void) => void
}

/** Opens or creates the event file. `ready` is called exactly once. */
export const openEvents = (options: EventsOptions, ready: (opened: Events | Failed) => void): void => {
  const { file, partner = null, threads } = options
  const start = { file, partner, options: options.writer, ...(threads !== null && { sealer: threads.sealer }) }
  const damages = new Damages(options.onDamaged)
  const onReady = (opened: OpenedFile | Failed) => {
    if ("_tag" in opened) return ready(opened)
    setImmediate(() => {
      const readers = new ReaderPool(options.readers, startReader)
      options.firstReader?.(() => readers.startFirst())
      ready(new Events(client, readers, opened, damages, threads === null ? null : new HeldLog(file)))
    })
  }
  const onDamaged = (message: string) => damages.report(message)
  const client = new WriterClient(options.writer, onReady, options.onUnsealed, onDamaged, options.onRetired)
  const inline = threads === null ? inlineWriter(start, client.receive) : null
  const startReader = (listener: ReaderListener) => {
    if (threads !== null) return spawnReader(threads.reader, { file, options: options.readers }, listener)
    const shared = file === ":memory:" ? inline?.db : undefined
    // The writer closes a connection that both use.
    return inlineReader(new Reader(shared ?? openForReading(file), options.readers), listener, shared === undefined)
  }
  client.attach(inline ?? spawnWriter(threads?.writer ?? "", start, client.receive))
}
