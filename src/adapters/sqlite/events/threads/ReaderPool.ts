import { everythingKept } from "../../../../domain/analytics/markers/RetentionRule.ts"
import { Control } from "../read/Control.ts"
import type { ReaderReply } from "./Protocol.ts"
import type { StoreAnswers, StoreQuestionOf } from "../cohorts/CohortQuestion.ts"
import type { ReaderListener, ReaderThread } from "./ReaderThread.ts"
import { OwnerTurns } from "../../../local/OwnerTurns.ts"
import type { Job } from "./PoolJob.ts"
import type { PoolAnswer, PoolLimits, Rest, Terms, Ticket } from "./PoolTerms.ts"

interface Seat {
  thread: ReaderThread | null
  job: Job | null
}

/**
 * Distributes questions to a fixed number of threads. Owners take turns, one question of each at a time. A thread that no other owner
 * needs is lent to an owner for a further question, which stops and begins again later once another owner asks.
 * Each question has a time budget and can be cancelled at any time.
 */
export class ReaderPool {
  private readonly limits: PoolLimits
  private readonly start: (listener: ReaderListener) => ReaderThread
  private readonly seats: ReadonlyArray<Seat>
  private readonly waiting = new OwnerTurns<Job>()
  /** Number of threads that have the file open, those that were replaced and are ending among them. */
  private open = 0
  private nextId = 1
  private isClosed = false
  private onClosed: (() => void) | null = null
  /** While the readers rest, or are to, no question begins. Called whenever none is under way then. */
  private onIdle: (() => void) | null = null

  constructor(limits: PoolLimits, start: (listener: ReaderListener) => ReaderThread) {
    this.limits = limits
    this.start = start
    this.seats = Array.from({ length: limits.readers }, () => ({ thread: null, job: null }))
  }

  /** Starts the thread that the first question would start; does nothing once there is one, or after the end. */
  startFirst(): void {
    const [first] = this.seats
    if (first !== undefined && !this.isClosed) first.thread ??= this.startFor(first)
  }

  ask<Kind extends keyof StoreAnswers>(
    environmentId: number,
    question: StoreQuestionOf<Kind>,
    terms: Terms,
    done: (outcome: PoolAnswer<StoreAnswers[Kind]["answer"]>) => void
  ): Ticket {
    const job: Job = {
      id: this.nextId++,
      environmentId,
      question,
      terms,
      owner: terms.owner,
      done,
      control: new Control(),
      timer: null,
      begunAt: 0,
      isSettled: false,
      isYielding: false,
      hasYielded: false,
      rests: 0
    }
    if (this.isClosed) this.settle(job, { _tag: "Cancelled" })
    else if (this.waiting.size >= this.limits.queue) this.settle(job, { _tag: "Overloaded" })
    else if (this.waiting.sizeOf(job.owner) >= this.limits.queueOfOwner) this.settle(job, { _tag: "Crowded" })
    else {
      this.waiting.add(job)
      this.bound(job, this.limits.wait, { _tag: "Overloaded" })
      this.next()
    }
    return {
      cancel: () => this.abandon(job, { _tag: "Cancelled" }),
      progress: () => ({ rowsScanned: job.control.rowsDone, rowsTotal: job.control.rowsTotal })
    }
  }

  /** Cancels all questions. `done` is called once every thread has let go of the file, so that the folder can be moved or removed. */
  close(done: () => void): void {
    this.isClosed = true
    for (const job of this.waiting.takeAll()) this.settle(job, { _tag: "Cancelled" })
    for (const seat of this.seats) {
      if (seat.job !== null) this.abandon(seat.job, { _tag: "Cancelled" })
      seat.thread?.send({ type: "close" })
    }
    if (this.open === 0) return done()
    // A thread that is still at work then has no answer that anybody waits for.
    const timer = setTimeout(() => this.seats.forEach(({ thread }) => thread?.terminate()), this.limits.grace)
    this.onClosed = () => {
      clearTimeout(timer)
      done()
    }
  }

  /**
   * Begins no question, calls `work` once none is under way, and begins questions again when that calls `resume`. Calls `onBusy` instead where
   * one that is still under way after the patience would lose too much, or has lost so often.
   */
  rest({ patience, mostLost, mostRests }: Rest, work: (resume: () => void) => void, onBusy: () => void): void {
    const resume = () => {
      this.onIdle = null
      this.next()
    }
    const timer = setTimeout(() => {
      const latest = performance.now() - mostLost
      const mayStop = (job: Job) => job.isSettled || (job.begunAt >= latest && job.rests < mostRests)
      if (this.seats.every(({ job }) => job === null || mayStop(job))) return this.stopForRest()
      resume()
      return onBusy()
    }, patience)
    this.onIdle = () => {
      clearTimeout(timer)
      this.onIdle = () => undefined
      work(resume)
    }
    this.next()
  }

  private startFor(seat: Seat): ReaderThread {
    this.open++
    // What a thread says once another one has its seat, such as that it ran out of memory, is not about the question there.
    const onReply = (reply: ReaderReply<never>) => void (seat.thread === thread && this.receive(seat, reply))
    const onEnded = () => {
      onReply({ type: "failed", id: null, message: "The reader has ended" })
      this.open--
      if (this.open === 0) this.onClosed?.()
    }
    const thread = this.start({ onReply, onEnded })
    return thread
  }

  /** Abandons the job with `outcome` after so many milliseconds, unless it ends or is bound anew before. */
  private bound(job: Job, milliseconds: number, outcome: PoolAnswer<never>): void {
    if (job.timer !== null) clearTimeout(job.timer)
    job.timer = setTimeout(() => this.abandon(job, outcome), milliseconds)
  }

  private next(): void {
    if (this.onIdle !== null) return void (this.seats.every(({ job }) => job === null) && this.onIdle())
    const seat = this.seats.find(({ job }) => job === null)
    if (seat === undefined) return this.reclaim()
    const job = this.waiting.take(this.isDue) ?? this.waiting.take(({ hasYielded }) => !hasYielded)
    if (job === undefined) return undefined
    seat.job = job
    job.begunAt = performance.now()
    seat.thread ??= this.startFor(seat)
    const { id, environmentId, question, terms, control } = job
    this.bound(job, terms.budget, { _tag: "TimedOut" })
    const { limit = everythingKept } = terms
    seat.thread.send({ type: "ask", id, environmentId, question, limit, control: control.shared })
    return this.next()
  }

  private underWay(owner: number): number {
    return this.seats.filter(({ job }) => job?.owner === owner).length
  }

  private readonly isDue = ({ owner }: Job): boolean => this.underWay(owner) === 0

  /** Takes a lent thread back, the last one first, where another owner waits for its own. */
  private reclaim(): void {
    if (this.seats.some(({ job }) => job?.isYielding === true) || this.waiting.find(this.isDue) === undefined) return
    const lent = this.seats.filter(({ job }) => job !== null && !job.isSettled && this.underWay(job.owner) > 1)
    const seat = lent.toSorted((one, other) => (other.job?.id ?? 0) - (one.job?.id ?? 0))[0]
    if (seat === undefined || seat.job === null) return
    seat.job.hasYielded = true
    this.yield(seat)
  }

  private stopForRest(): void {
    for (const seat of this.seats) {
      if (seat.job !== null) seat.job.rests++
      this.yield(seat)
    }
  }

  /** Stops the question of a thread, which begins again later. */
  private yield(seat: Seat): void {
    if (seat.job === null || seat.job.isSettled || seat.job.isYielding) return
    seat.job.isYielding = true
    this.stop(seat, seat.job)
  }

  private receive(seat: Seat, reply: ReaderReply<never>): void {
    const hasDied = reply.type === "failed" && reply.id === null
    // Also one that was started before anybody asked: the next question would wait for it in vain.
    if (hasDied) seat.thread = null
    const job = seat.job
    if (reply.type === "ready" || job === null || (!hasDied && reply.id !== job.id)) return
    if (reply.type === "answer") this.settle(job, { _tag: "Answered", answer: reply.answer, meta: reply.meta })
    else if (reply.type === "failed")
      this.settle(job, reply.isExhausted === true ? { _tag: "TimedOut" } : { _tag: "Failed", message: reply.message })
    else if (job.isYielding) this.waitAgain(job)
    else this.settle(job, { _tag: "Cancelled" })
    seat.job = null
    this.next()
  }

  private waitAgain(job: Job): void {
    if (job.isSettled) return
    job.control = new Control()
    job.isYielding = false
    this.waiting.addFirst(job)
    this.bound(job, this.limits.wait, { _tag: "Overloaded" })
  }

  private abandon(job: Job, outcome: PoolAnswer<never>): void {
    if (job.isSettled) return
    this.settle(job, outcome)
    this.waiting.remove(job)
    const seat = this.seats.find((taken) => taken.job === job)
    if (seat !== undefined) this.stop(seat, job)
  }

  private stop(seat: Seat, job: Job): void {
    job.control.cancel()
    const { control } = job
    setTimeout(() => this.replace(seat, job, control), this.limits.grace).unref()
  }

  private replace(seat: Seat, job: Job, control: Control): void {
    if (seat.job !== job || job.control !== control) return
    seat.thread?.terminate()
    seat.thread = null
    seat.job = null
    if (job.isYielding) this.waitAgain(job)
    this.next()
  }

  private settle(job: Job, outcome: PoolAnswer<never>): void {
    if (job.isSettled) return
    job.isSettled = true
    if (job.timer !== null) clearTimeout(job.timer)
    job.done(outcome)
  }
}
