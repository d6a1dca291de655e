import { everythingKept, type RetentionLimit } from "../../../../domain/analytics/markers/RetentionRule.ts"
import { Control } from "../read/Control.ts"
import type { ReaderReply } from "./Protocol.ts"
import type { AnswerMeta } from "../../../../domain/analytics/question/Question.ts"
import type { StoreAnswers, StoreQuestion, StoreQuestionOf } from "../cohorts/CohortQuestion.ts"
import type { OnReaderReply, ReaderThread } from "./ReaderThread.ts"
import type { Failed } from "./WriterClient.ts"

export type Asked<Answer> =
  | { readonly _tag: "Answered"; readonly answer: Answer; readonly meta: AnswerMeta }
  | { readonly _tag: "Cancelled" }
  /** The budget ran out, time in the queue included. */
  | { readonly _tag: "TimedOut" }
  /** The queue is full. */
  | { readonly _tag: "Overloaded" }
  | Failed

/** A caller's hold on a question that it has asked. */
export interface Ticket {
  /** Stops the question and frees its thread; `done` is called with Cancelled. Has no effect once it was answered. */
  cancel(): void
  progress(): { readonly rowsScanned: number; readonly rowsTotal: number }
}

export interface PoolLimits {
  readonly readers: number
  /** Number of questions that may wait for a thread before further ones are refused. */
  readonly queue: number
  /** Milliseconds in which a cancelled thread must stop by itself before it is terminated and replaced. */
  readonly grace: number
}

interface Job {
  readonly id: number
  readonly environmentId: number
  readonly question: StoreQuestion
  readonly limit: RetentionLimit
  readonly control: Control
  readonly done: (outcome: Asked<never>) => void
  timer: NodeJS.Timeout | null
  isSettled: boolean
}

interface Seat {
  thread: ReaderThread | null
  job: Job | null
}

/**
 * Distributes questions to a fixed number of threads, first come, first served. Each question has a time budget and can
 * be cancelled at any time.
 */
export class ReaderPool {
  private readonly limits: PoolLimits
  private readonly start: (onReply: OnReaderReply) => ReaderThread
  private readonly seats: ReadonlyArray<Seat>
  private readonly waiting: Array<Job> = []
  private nextId = 1

  constructor(limits: PoolLimits, start: (onReply: OnReaderReply) => ReaderThread) {
    this.limits = limits
    this.start = start
    this.seats = Array.from({ length: limits.readers }, () => ({ thread: null, job: null }))
    const [first] = this.seats
    if (first !== undefined) first.thread = this.startFor(first)
  }

  ask<Kind extends keyof StoreAnswers>(
    environmentId: number,
    question: StoreQuestionOf<Kind>,
    budget: number,
    done: (outcome: Asked<StoreAnswers[Kind]["answer"]>) => void,
    limit: RetentionLimit = everythingKept
  ): Ticket {
    const job: Job = {
      id: this.nextId++,
      environmentId,
      question,
      limit,
      control: new Control(),
      done,
      timer: null,
      isSettled: false
    }
    if (this.waiting.length >= this.limits.queue) this.settle(job, { _tag: "Overloaded" })
    else {
      job.timer = setTimeout(() => this.abandon(job, { _tag: "TimedOut" }), budget)
      this.waiting.push(job)
      this.next()
    }
    return {
      cancel: () => this.abandon(job, { _tag: "Cancelled" }),
      progress: () => ({ rowsScanned: job.control.rowsDone, rowsTotal: job.control.rowsTotal })
    }
  }

  close(): void {
    for (const job of this.waiting.splice(0)) this.settle(job, { _tag: "Cancelled" })
    for (const seat of this.seats) {
      if (seat.job !== null) this.abandon(seat.job, { _tag: "Cancelled" })
      seat.thread?.send({ type: "close" })
    }
  }

  private startFor(seat: Seat): ReaderThread {
    return this.start((reply) => this.receive(seat, reply))
  }

  private next(): void {
    const seat = this.seats.find(({ job }) => job === null)
    const job = seat === undefined ? undefined : this.waiting.shift()
    if (seat === undefined || job === undefined) return
    seat.job = job
    seat.thread ??= this.startFor(seat)
    const { id, environmentId, question, limit, control } = job
    seat.thread.send({ type: "ask", id, environmentId, question, limit, control: control.shared })
  }

  private receive(seat: Seat, reply: ReaderReply<never>): void {
    const job = seat.job
    if (reply.type === "ready" || job === null) return
    if (reply.type === "failed" && reply.id === null) seat.thread = null
    else if (reply.id !== job.id) return
    if (reply.type === "answer") this.settle(job, { _tag: "Answered", answer: reply.answer, meta: reply.meta })
    else if (reply.type === "cancelled") this.settle(job, { _tag: "Cancelled" })
    else this.settle(job, { _tag: "Failed", message: reply.message })
    seat.job = null
    this.next()
  }

  private abandon(job: Job, outcome: Asked<never>): void {
    if (job.isSettled) return
    job.control.cancel()
    this.settle(job, outcome)
    const at = this.waiting.indexOf(job)
    if (at >= 0) this.waiting.splice(at, 1)
    const seat = this.seats.find((taken) => taken.job === job)
    if (seat !== undefined) setTimeout(() => this.replace(seat, job), this.limits.grace).unref()
  }

  private replace(seat: Seat, job: Job): void {
    if (seat.job !== job) return
    seat.thread?.terminate()
    seat.thread = null
    seat.job = null
    this.next()
  }

  private settle(job: Job, outcome: Asked<never>): void {
    if (job.isSettled) return
    job.isSettled = true
    if (job.timer !== null) clearTimeout(job.timer)
    job.done(outcome)
  }
}
