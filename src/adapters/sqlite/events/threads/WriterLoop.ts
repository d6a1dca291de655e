import type { MemberChange } from "../cohorts/CohortQuestion.ts"
import { isStorageFull } from "../file/EventsDb.ts"
import type { JobOutcome, WriterJob, WriterMessage, WriterReply } from "./Protocol.ts"
import { type OutcomeOf, repliesTo, type Waiting } from "./CommitReplies.ts"
import { BodyReader } from "../write/BodyReader.ts"
import type { Writer } from "../write/Writer.ts"

/** Bytes of frames that one transaction takes at most, unless a single frame is larger. */
const commitBytes = 4 * 1024 * 1024
/**
 * Milliseconds of jobs between two commits: short, because appends wait meanwhile. Once the tail grows faster than it
 * is sealed, `urgentSliceMillis` applies.
 */
const sliceMillis = 10
const urgentSliceMillis = 200

interface Running {
  readonly job: Generator<void, JobOutcome>
  readonly settle: (ended: JobOutcome | { readonly failure: string }) => void
}

/**
 * Group commit: requests that arrive while a transaction is being written share the next one. Jobs such as sealing run
 * in slices in between.
 */
export class WriterLoop {
  private readonly writer: Writer
  private readonly reply: (reply: WriterReply) => void
  private readonly sealAt: number
  private readonly jobs: Array<Running> = []
  private readonly bodies: BodyReader
  private queue: Array<Waiting> = []
  private probes: Array<number> = []
  private isScheduled = false
  private isSealing = false
  /**
   * Number of events in the tail at which sealing begins. Raised after a failure, so that a full disk is not retried at
   * once.
   */
  private sealFrom: number

  constructor(writer: Writer, sealAt: number, reply: (reply: WriterReply) => void, partner: string | null = null) {
    this.sealAt = sealAt
    this.sealFrom = sealAt
    this.writer = writer
    this.reply = reply
    this.bodies = new BodyReader((environmentId) => writer.names(environmentId))
    const id = partner === null ? null : writer.records.join(partner)
    reply({ type: "ready", opened: { highestSequences: writer.highestSequences(), id } })
  }

  receive(message: WriterMessage): void {
    if (message.type === "append") this.take(message)
    else if (message.type === "receive") this.read(message)
    else if (message.type === "probe") this.probes.push(message.id)
    else if (message.type === "close") return this.close(message.id)
    else if (message.type === "names") return this.tellNames(message.id, message.environmentId)
    else {
      const { id } = message
      const settle = (ended: JobOutcome | { readonly failure: string }) => {
        if (typeof ended !== "string") this.reply({ type: "failed", id, message: ended.failure })
        else this.reply({ type: "done", id, outcome: this.writer.probe.isLost() ? "StorageLost" : ended })
      }
      this.jobs.push({ job: this.jobOf(message), settle })
    }
    this.schedule()
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
      // What is wrong is told where the body is read again.
    }
    this.reply({ type: "received", bodies: [{ id, received: null, left: unread.bytes }] })
  }

  /** At once, not as a job: the first append of an environment waits for it. */
  private tellNames(id: number, environmentId: number): void {
    try {
      this.reply({ type: "names", id, names: this.writer.names(environmentId) })
    } catch (cause) {
      this.reply({ type: "failed", id, message: String(cause) })
    }
  }

  private *jobOf(message: WriterJob): Generator<void, JobOutcome> {
    switch (message.type) {
      case "maintain":
        this.reply({ type: "retired", report: yield* this.writer.maintain(message.plan) })
        return "Done"
      case "erase":
        yield* this.erase(message)
        return "Done"
      case "note":
        this.writer.records.note(message.note)
        return "Done"
      case "noteErasures":
        for (const erasure of message.erasures) this.writer.records.erased(erasure.environmentId, erasure)
        return "Done"
      case "drop":
        yield* this.writer.drop(message.environmentIds)
        return "Done"
      case "swapMembers":
        return yield* this.swapMembers(message.environmentId, message.change)
      case "removeMembers":
        yield* this.writer.members.remove(message.environmentId, message.cohortId)
        return "Done"
      case "seal":
        return yield* this.sealAll()
    }
  }

  private *erase({ id, environmentId, unitId, record }: Extract<WriterJob, { type: "erase" }>): Generator<void, void> {
    const unreached = yield* this.writer.erase(environmentId, unitId, record)
    if (unreached !== null) this.reply({ type: "unreached", id, unreached })
  }

  private *swapMembers(environmentId: number, change: MemberChange): Generator<void, JobOutcome> {
    try {
      return (yield* this.writer.members.swap(environmentId, change)) ? "Done" : "Stale"
    } catch (cause) {
      if (isStorageFull(cause)) return "StorageFull"
      throw cause
    }
  }

  private *sealAll(): Generator<void, JobOutcome> {
    while (yield* this.writer.seal()) yield
    yield* this.writer.compact()
    return "Done"
  }

  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => {
      this.isScheduled = false
      if (this.queue.length > 0) this.commit()
      this.probe()
      if (this.writer.tailEvents >= this.sealFrom && !this.isSealing) this.startSealing()
      this.work(performance.now() + (this.writer.tailEvents > 4 * this.sealAt ? urgentSliceMillis : sliceMillis))
      this.writer.log.note()
      if (this.queue.length > 0 || this.jobs.length > 0) this.schedule()
    })
  }

  private startSealing(): void {
    this.isSealing = true
    // Insert it behind the job that is running: if both took the same rows from the tail, these would be stored twice.
    this.jobs.splice(1, 0, {
      job: this.sealAndCompact(),
      settle: (ended) => {
        this.isSealing = false
        this.sealFrom = this.sealAt
        if (typeof ended === "string") return
        this.sealFrom += this.writer.tailEvents
        this.reply({ type: "unsealed", message: ended.failure })
      }
    })
  }

  private *sealAndCompact(): Generator<void, JobOutcome> {
    while (this.writer.tailEvents >= this.sealAt) yield* this.writer.seal()
    yield* this.writer.compact()
    return "Done"
  }

  private work(until: number): void {
    while (this.jobs.length > 0 && performance.now() < until) {
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

  private finish(running: Running, ended: JobOutcome | { readonly failure: string }): void {
    this.jobs.splice(this.jobs.indexOf(running), 1)
    running.settle(ended)
  }

  /** One try answers all that wait for one. */
  private probe(): void {
    if (this.probes.length === 0) return
    const problems = this.writer.probe.run()
    for (const id of this.probes.splice(0)) this.reply({ type: "probed", id, problems })
  }

  private commit(): void {
    const batch = this.taken()
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

  private taken(): ReadonlyArray<Waiting> {
    let bytes = 0
    let count = 0
    while (count < this.queue.length && (count === 0 || bytes < commitBytes)) bytes += this.queue[count++]!.frame.length
    return this.queue.splice(0, count)
  }

  private close(id: number): void {
    while (this.queue.length > 0) this.commit()
    this.jobs.push({ job: this.sealAll(), settle: () => undefined })
    this.work(Infinity)
    this.writer.close()
    this.reply({ type: "done", id, outcome: "Done" })
  }
}
