import type { Worker } from "node:worker_threads"
import type { MergeableRuns } from "../file/RunMerging.ts"
import type { Segment } from "../file/Segments.ts"
import type { KeyRun } from "../format/KeyRun.ts"
import { OwnPreparation, type Preparation } from "../write/Preparation.ts"
import type { RewrittenSegments, SealedTail } from "../write/SealedTail.ts"
import { ended } from "../../../../domain/Ended.ts"
import { workerOf } from "../../../node/StartedWorker.ts"
import { openForReading } from "../file/EventsDb.ts"
import type { SealerReply, SealerRequest, SealerStart } from "./SealerProtocol.ts"

/** Fewer rows, events or marker ids are not worth the start of a thread. */
const fewRows = 16_384

const rowsIn = (segments: ReadonlyArray<Segment>): number => segments.reduce((sum, { rows }) => sum + rows, 0)

/** Milliseconds without work after which the thread ends and gives its memory back. */
const idleMillis = 20_000

/**
 * Has another thread make ready what sealing and compaction store, so that commits do not wait for it. The thread is started when there is
 * work, and reads with a connection of its own. Where it dies or cannot be started, or after `stop`, the writer's thread does the work itself.
 */
export class SealerThread implements Preparation {
  private readonly script: string
  private readonly start: SealerStart
  private readonly own: OwnPreparation
  private readonly waiting: () => number
  private readonly onAnswer: () => void
  private readonly few: number
  private worker: Worker | null = null
  private idle: NodeJS.Timeout | undefined
  private reply: SealerReply | null = null
  private isWaiting = false
  private isStopped = false
  private keepsNumbers = false
  private isSealedHere = false

  /**
   * `script` is the path of the bundled worker, `waiting` tells how many markers wait to be sealed, and `onAnswer` is called when a generator
   * that waits can go on. What has fewer than `few` rows is done in this thread, unless the other one is there.
   */
  constructor(
    script: string,
    start: SealerStart,
    own: OwnPreparation,
    waiting: () => number,
    onAnswer: () => void,
    few: number = fewRows
  ) {
    this.few = few
    this.waiting = waiting
    this.script = script
    this.start = start
    this.own = own
    this.onAnswer = onAnswer
  }

  get isElsewhere(): boolean {
    return this.isWaiting
  }

  *seal(): Generator<void, SealedTail | null> {
    const { keepsNumbers } = this
    this.keepsNumbers = false
    this.isSealedHere = false
    const reply = this.isLittle(this.waiting) ? undefined : yield* this.ask({ type: "seal", keepsNumbers })
    if (reply?.type === "sealed") return reply.sealed
    this.isSealedHere = true
    return yield* this.own.seal()
  }

  settle(isStored: boolean): void {
    this.keepsNumbers = isStored && !this.isSealedHere
    this.own.settle(isStored && this.isSealedHere)
  }

  reread(): void {
    this.keepsNumbers = false
    this.own.reread()
  }

  *merge(): Generator<void, RewrittenSegments | null> {
    if (this.worker === null) {
      const group = this.own.rewriter.mergeable()
      if (group === null || rowsIn(group) < this.few) return yield* this.own.rewriter.merge(group)
    }
    const reply = yield* this.ask({ type: "merge" })
    return reply?.type === "merged" ? reply.merged : yield* this.own.merge()
  }

  *mergeRuns(runs: MergeableRuns): Generator<void, KeyRun> {
    if (this.isLittle(() => runs.keys)) return yield* this.own.mergeRuns(runs)
    const reply = yield* this.ask({ type: "mergeRuns", runs })
    return reply?.type === "mergedRuns" ? reply.run : yield* this.own.mergeRuns(runs)
  }

  /** Ends the thread; what it was asked for, and all that follows, is done in this one. */
  stop(): void {
    this.isStopped = true
    this.end()
  }

  /** The reply; undefined where there is no thread to give it. */
  private *ask(request: SealerRequest): Generator<void, SealerReply | undefined> {
    if (this.isStopped) return undefined
    clearTimeout(this.idle)
    const worker = this.running()
    if (worker === null) return undefined
    this.isWaiting = true
    worker.postMessage(request)
    while (this.isWaiting) yield
    const reply = this.take()
    if (reply?.type === "failed") throw new Error(reply.message)
    return reply
  }

  private isLittle(rows: () => number): boolean {
    return this.worker === null && rows() < this.few
  }

  private take(): SealerReply | undefined {
    const { reply } = this
    this.reply = null
    return reply ?? undefined
  }

  private running(): Worker | null {
    if (this.worker !== null) return this.worker
    const worker = workerOf(this.script, {
      workerData: this.start,
      resourceLimits: { maxYoungGenerationSizeMb: 16 }
    })
    if (typeof worker === "string") return null
    this.worker = worker
    this.keepsNumbers = false
    const lost = () => {
      if (this.worker === worker) this.end()
    }
    worker.on("message", (reply: SealerReply) => this.receive(reply))
    worker.on("error", lost)
    worker.on("exit", lost)
    return worker
  }

  private receive(reply: SealerReply): void {
    if (reply.type === "damaged") return this.own.rewriter.noteDamaged(reply.id, reply.message)
    this.reply = reply
    this.idle = setTimeout(() => this.end(), idleMillis)
    this.go()
  }

  private end(): void {
    clearTimeout(this.idle)
    const { worker } = this
    this.worker = null
    this.keepsNumbers = false
    void worker?.terminate()
    if (this.isWaiting) this.go()
  }

  private go(): void {
    this.isWaiting = false
    this.onAnswer()
  }
}

/** The other side: answers requests over a connection that only reads. */
export const answering = (
  { file, ownSegmentRows }: SealerStart,
  reply: (reply: SealerReply) => void
): ((request: SealerRequest) => void) => {
  const onDamaged = (id: number, message: string) => reply({ type: "damaged", id, message })
  const own = new OwnPreparation(openForReading(file), ownSegmentRows, onDamaged)
  const replyTo = (request: SealerRequest): SealerReply => {
    if (request.type === "merge") return { type: "merged", merged: ended(own.merge()) }
    if (request.type === "mergeRuns") return { type: "mergedRuns", run: ended(own.mergeRuns(request.runs)) }
    own.settle(request.keepsNumbers)
    return { type: "sealed", sealed: ended(own.seal()) }
  }
  return (request) => {
    try {
      reply(replyTo(request))
    } catch (cause) {
      reply({ type: "failed", message: String(cause) })
    }
  }
}
