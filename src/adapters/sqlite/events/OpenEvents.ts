import { Events } from "./Events.ts"
import { HeldLog } from "./file/HeldLog.ts"
import { Damages } from "./threads/Damages.ts"
import { LogRelief } from "./threads/LogRelief.ts"
import type { InlineThreads } from "./threads/InlineThreads.ts"
import type { OpenedFile, ReaderOptions, ReaderStart, WriterStart } from "./threads/Protocol.ts"
import type { PoolLimits } from "./threads/PoolTerms.ts"
import { ReaderPool } from "./threads/ReaderPool.ts"
import { type ReaderListener, type ReaderThread, spawnReader } from "./threads/ReaderThread.ts"
import { type Failed, WriterClient, type WriterLimits } from "./threads/WriterClient.ts"
import { type OnWriterReply, spawnWriter, type WriterThread } from "./threads/WriterThread.ts"
import type { RetiredReport } from "./write/Maintenance.ts"
import type { WriterOptions } from "./write/WriterOptions.ts"

interface BundledWorkers {
  readonly writer: string
  readonly reader: string
  readonly sealer: string
}

/** The threads of an event file, or what does their work. */
interface Started {
  readonly writer: WriterThread
  readonly startReader: (listener: ReaderListener) => ReaderThread
  /** Keeps the log while the writer has a thread of its own. */
  readonly held: () => HeldLog | null
}

export interface EventsOptions {
  /** `:memory:` is possible only inline. */
  readonly file: string
  /** The id of the metadata's file, with which this one then belongs together; without it there is no partner. */
  readonly partner?: string | null
  /** Paths of the bundled workers, or what does their work in the calling thread. */
  readonly threads: BundledWorkers | InlineThreads
  readonly writer: WriterOptions & WriterLimits
  /** Called with the reason when sealing the tail has failed; appends and questions continue. */
  readonly onUnsealed: (message: string) => void
  /** Called after each maintenance with what it has deleted for its age. */
  readonly onRetired?: (report: RetiredReport) => void
  /** Called with what is damaged in the file, where work can go on. */
  readonly onDamaged: (message: string) => void
  /** Called with the reason when the writer has died after the file was opened: nothing is stored from then on. */
  readonly onEnded?: (message: string) => void
  readonly readers: PoolLimits & ReaderOptions
  /** Gets what starts the first reader before anybody has asked a question; without it the first question starts it. */
  readonly firstReader?: (start: () => void) => void
}

const startBundled = (
  workers: BundledWorkers,
  start: WriterStart,
  readerStart: ReaderStart,
  onReply: OnWriterReply
): Started => ({
  writer: spawnWriter(workers.writer, { ...start, sealer: workers.sealer }, onReply),
  startReader: (listener) => spawnReader(workers.reader, readerStart, listener),
  held: () => new HeldLog(start.file)
})

const startInline = (
  threads: InlineThreads,
  start: WriterStart,
  readerStart: ReaderStart,
  onReply: OnWriterReply
): Started => {
  const writer = threads.writer(start, onReply)
  const shared = start.file === ":memory:" ? writer.db : undefined
  return { writer, startReader: (listener) => threads.reader(readerStart, listener, shared), held: () => null }
}

/** Opens or creates the event file. `ready` is called exactly once. */
export const openEvents = (options: EventsOptions, ready: (opened: Events | Failed) => void): void => {
  const { file, partner = null, threads } = options
  const damages = new Damages(options.onDamaged)
  const readers = new ReaderPool(options.readers, (listener) => started.startReader(listener))
  const relief = new LogRelief(readers, (done) => client.run({ type: "emptyLog" }, done))
  const onReady = (opened: OpenedFile | Failed) => {
    if ("_tag" in opened) return ready(opened)
    setImmediate(() => {
      options.firstReader?.(() => readers.startFirst())
      ready(new Events(client, readers, opened, damages, started.held()))
    })
  }
  const onDamaged = (message: string) => damages.report(message)
  const { onUnsealed, onRetired, onEnded } = options
  const onLogHeld = (isUrgent: boolean) => relief.request(isUrgent)
  const client = new WriterClient(options.writer, onReady, onUnsealed, onDamaged, onRetired, onEnded, onLogHeld)
  const start = { file, partner, options: options.writer }
  const readerStart = { file, options: options.readers }
  const started =
    "sealer" in threads
      ? startBundled(threads, start, readerStart, client.receive)
      : startInline(threads, start, readerStart, client.receive)
  client.attach(started.writer)
}
