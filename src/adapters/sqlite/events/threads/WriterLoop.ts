import type { WriterMessage, WriterReply } from "./Protocol.ts"
import { type Ended, jobOf, JointErasure, type Running, sealAll, sealAndCompact } from "./WriterJobs.ts"
import { type OutcomeOf, repliesTo, takeFrom, type Waiting } from "./CommitReplies.ts"
import { LogEmptying } from "./LogEmptying.ts"
import { LongLog } from "./LongLog.ts"
import { unheard } from "./Unheard.ts"
import { BodyReader } from "../write/BodyReader.ts"
import type { Writer } from "../write/Writer.ts"

/**
 * Milliseconds of jobs between two commits: as many as the commit before has taken, so that small ones wait for little and jobs go on beside
 * large ones. Once the tail grows faster than it is sealed, `urgentSliceMillis` applies, also where another thread seals: that is the time
 * between two commits then.
 */
const leastSliceMillis = 2
const mostSliceMillis = 10
const urgentSliceMillis = 200

/**
 * Group commit: requests that arrive while a transaction is being written share the next one. Jobs such as sealing run
 * in slices in between.
 */
export class WriterLoop {
  private readonly writer: Writer
  private readonly reply: (reply: WriterReply) => void
  private readonly onClosed: () => void
  private readonly sealAt: number
  private readonly jobs: Array<Running> = []
  private readonly bodies: BodyReader
  private readonly emptying: LogEmptying
  private readonly longLog: LongLog
  private queue: Array<Waiting> = []
  private probes: Array<number> = []
  private isScheduled = false
  private isClosed = false
  private nextCommit = 0
  private later: NodeJS.Timeout | undefined
  private isSealing = false
  /**
   * Number of events in the tail at which sealing begins. Raised after a failure, so that a full disk is not retried at
   * once.
   */
  private sealFrom: number

  /** `onClosed` is called after everything else. */
  constructor(
    writer: Writer,
    sealAt: number,
    reply: (reply: WriterReply) => void,
    partner: string | null = null,
    onClosed: () => void = () => undefined
  ) {
    this.onClosed = onClosed
    this.sealAt = sealAt
    this.sealFrom = sealAt
    this.writer = writer
    this.reply = reply
    const tellHeld = (isUrgent: boolean) => reply({ type: "logHeld", isUrgent })
    this.emptying = new LogEmptying(() => writer.log.empty(), tellHeld)
    this.longLog = new LongLog(tellHeld, writer.options.longLogFrames)
    this.bodies = new BodyReader((environmentId) => writer.names(environmentId))
    const id = partner === null ? null : writer.records.join(partner)
    reply({ type: "ready", opened: { highestSequences: writer.highestSequences(), id } })
  }

  receive(message: WriterMessage): void {
    if (message.type === "append") this.take(message)
    else if (message.type === "receive") this.read(message)
    else if (message.type === "probe") this.probes.push(message.id)
    else if (message.type === "close") this.close(message.id)
    else if (message.type === "names") return this.tellNames(message.id, message.environmentId)
    else if (message.type === "emptyLog") return this.emptyLog(message.id)
    else if (message.type === "erase") this.erase(message)
    else {
      const settle = (ended: Ended) => this.settle(message.id, ended)
      this.jobs.push({ job: jobOf(this.writer, message, this.reply), settle })
    }
    this.schedule()
  }

  private settle(id: number, ended: Ended): void {
    if (typeof ended !== "string") this.reply({ type: "failed", id, message: ended.failure })
    else this.reply({ type: "done", id, outcome: this.writer.probe.isLost() ? "StorageLost" : ended })
  }

  /** Erases together with those that are next and wait, unless something else was asked for in between, such as members of a cohort. */
  private erase(message: Extract<WriterMessage, { type: "erase" }>): void {
    if (this.jobs.at(-1)?.erasing?.join(message) === true) return
    const erasing = new JointErasure(message)
    const settleAll = (ended: Ended) => erasing.messages.forEach(({ id }) => this.settle(id, ended))
    const settle = (ended: Ended) => (typeof ended === "string" ? this.emptying.request(settleAll) : settleAll(ended))
    this.jobs.push({ job: erasing.job(this.writer, message.environmentId, this.reply), settle, erasing })
  }

  private take({ id, environmentId, frame }: Extract<WriterMessage, { type: "append" }>): void {
    this.bodies.note(environmentId, frame)
    this.queue.push({ id, environmentId, frame, body: null })
  }

  private read({ id, environmentId, unread }: Extract<WriterMessage, { type: "receive" }>): void {
    try {
      const read = this.bodies.read(environmentId, unread)
      const body = read && { read, bytes: unread.bytes }
      if (body !== null) return void this.queue.push({ id, environmentId, frame: body.read.frame, body })
    } catch {
      // The main thread gets the body back, reads it again, and then tells what is wrong with it.
    }
    this.reply({ type: "received", bodies: [{ id, received: null, left: unread.bytes }] })
  }

  /** Answers at once instead of by a job: the first append of an environment waits for it. */
  private tellNames(id: number, environmentId: number): void {
    try {
      this.reply({ type: "names", id, names: this.writer.names(environmentId) })
    } catch (cause) {
      this.reply({ type: "failed", id, message: String(cause) })
    }
  }

  /** Tries it beside all other work: nobody reads until it is answered. */
  private emptyLog(id: number): void {
    this.emptying.attemptInRest(() => this.reply({ type: "done", id, outcome: "Done" }))
  }

  /** Call it when there is something to do, also when what the jobs wait for has been made ready elsewhere. */
  schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => {
      this.isScheduled = false
      if (this.isClosed) return
      const isHeldBack = this.isHeldBack()
      const begun = performance.now()
      if (this.queue.length > 0 && !isHeldBack) {
        this.commit()
        unheard(() => this.writer.summarize())
      }
      this.probe()
      if (this.writer.tailEvents >= this.sealFrom && !this.isSealing) this.startSealing()
      const now = performance.now()
      this.work(now + this.sliceAfter(now - begun))
      if (this.isClosed) return
      unheard(() => this.writer.log.note())
      this.longLog.look(this.writer.log.mark?.frames ?? 0)
      if ((this.queue.length > 0 && !isHeldBack) || (this.jobs.length > 0 && !this.isElsewhere)) this.schedule()
    })
  }

  private get isUrgent(): boolean {
    return this.writer.tailEvents > 4 * this.sealAt
  }

  /** For how many milliseconds jobs may work, where the commit has taken so many. */
  private sliceAfter(commitMillis: number): number {
    return this.isUrgent ? urgentSliceMillis : Math.min(mostSliceMillis, Math.max(leastSliceMillis, commitMillis))
  }

  private get isElsewhere(): boolean {
    return this.writer.preparation.isElsewhere
  }

  /** Whether commits have to wait, because the sealer's thread seals more slowly than markers come. */
  private isHeldBack(): boolean {
    const now = performance.now()
    const isHeldBack = this.isElsewhere && this.isUrgent && now < this.nextCommit
    clearTimeout(this.later)
    if (isHeldBack) this.later = setTimeout(() => this.schedule(), this.nextCommit - now)
    else this.nextCommit = now + urgentSliceMillis
    return isHeldBack
  }

  private startSealing(): void {
    this.isSealing = true
    // Insert it behind the job that is running: if both took the same rows from the tail, these would be stored twice.
    this.jobs.splice(1, 0, {
      job: sealAndCompact(this.writer, this.sealAt),
      settle: (ended) => {
        this.isSealing = false
        this.sealFrom = this.sealAt
        if (typeof ended === "string") return
        this.sealFrom += this.writer.tailEvents
        this.reply({ type: "unsealed", message: ended.failure })
      }
    })
  }

  private work(until: number): void {
    while (this.jobs.length > 0 && !this.isElsewhere && performance.now() < until) {
      const [running] = this.jobs
      if (running === undefined) return
      try {
        const step = running.job.next()
        if (step.done === true) this.finish(running, step.value)
      } catch (cause) {
        this.finish(running, { failure: String(cause) })
      }
    }
  }

  private finish(running: Running, ended: Ended): void {
    this.jobs.splice(this.jobs.indexOf(running), 1)
    running.settle(ended)
  }

  /** Probes the file once for all who wait for a probe. */
  private probe(): void {
    if (this.probes.length === 0) return
    const problems = this.writer.probe.run()
    for (const id of this.probes.splice(0)) this.reply({ type: "probed", id, problems })
  }

  private commit(): void {
    const batch = takeFrom(this.queue)
    const lost = () => this.answer(batch, () => ({ _tag: "StorageLost" }))
    if (this.writer.probe.isLost()) return lost()
    try {
      const outcomes = this.writer.commit(batch)
      if (this.writer.probe.isLost()) return lost()
      this.answer(batch, (index) => outcomes[index] ?? { _tag: "StorageFull" })
    } catch (cause) {
      this.answer(batch, () => String(cause))
    }
  }

  private answer(batch: ReadonlyArray<Waiting>, outcomeOf: OutcomeOf): void {
    for (const reply of repliesTo(batch, outcomeOf)) this.reply(reply)
  }

  /** Seals everything, then closes the file. Without a sealer's thread it has done so when it returns. */
  private close(id: number): void {
    const settle = () => {
      while (this.queue.length > 0) this.commit()
      clearTimeout(this.later)
      this.emptying.close()
      this.writer.close()
      this.isClosed = true
      this.reply({ type: "done", id, outcome: "Done" })
      this.onClosed()
    }
    while (this.queue.length > 0) this.commit()
    this.jobs.push({ job: sealAll(this.writer), settle })
    this.work(Infinity)
  }
}
