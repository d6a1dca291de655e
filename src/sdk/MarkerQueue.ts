import { refusedWaitMillis, waitMillis } from "./Backoff.ts"
import { batchOf, type Marker } from "./Marker.ts"
import { flawOfBody, isDone, rejectionsIn } from "./MarkerAnswer.ts"
import { messageOf, type OnProblem } from "./Problem.ts"
import type { Storage } from "./Storage.ts"
import { pause, unheld, within } from "./Timer.ts"
import { problemIn, type Reply, type Transport } from "./Transport.ts"

export interface QueueOptions {
  readonly storage: Storage
  readonly transport: Transport
  /** Gives up the requests that are under way. */
  readonly hangUp: () => void
  readonly onProblem: OnProblem
  /** Seconds after which a marker is sent that waits for others. */
  readonly flushSeconds: number
  /** Markers that may wait. */
  readonly mostWaiting: number
  /** From 0 up to 1, at random. */
  readonly chance: () => number
}

const path = "/sdk/v1/markers"
const mostMarkers = 500
/** Requests of a page that is left may have 64 KiB, and the server reads smaller bodies soonest. */
const mostBytes = 60_000

/**
 * Markers on their way to the server. Each is kept by the storage before it is first sent, and removed once the server has acknowledged it, so
 * that it arrives once however often the process ends or the network fails.
 */
export class MarkerQueue {
  private readonly options: QueueOptions
  private waiting: Array<Marker> = []
  private kept: Promise<void>
  private unkept: Array<Marker> = []
  /** Ids of markers that the storage could not keep. */
  private readonly homeless = new Set<string>()
  private sending: Promise<void> | null = null
  private timer: ReturnType<typeof setTimeout> | null = null
  private failures = 0
  /** Milliseconds until what was not taken is sent again; null where it was taken, or no try soon does better. */
  private again: number | null = null
  private most = mostMarkers
  private closing: Promise<void> | null = null
  private isClosed = false

  constructor(options: QueueOptions) {
    this.options = options
    this.kept = this.recall()
  }

  private async recall(): Promise<void> {
    await this.guarded(async () => {
      const known = await this.options.storage.markers()
      this.waiting = [...known, ...this.waiting]
      if (known.length > 0) this.flushIn(0)
    })
  }

  /** How many markers wait to be acknowledged. */
  get length(): number {
    return this.waiting.length
  }

  /** Takes a marker; false where too many wait, or the client is closed. */
  add(marker: Marker): boolean {
    if (this.closing !== null) {
      this.options.onProblem({ kind: "rejected", message: `${marker.eventName} came after the client was closed` })
      return false
    }
    if (this.waiting.length >= this.options.mostWaiting) {
      this.options.onProblem({ kind: "full", message: `${this.waiting.length} markers wait: this one was not taken` })
      return false
    }
    this.waiting.push(marker)
    this.unkept.push(marker)
    // Markers of one turn are kept together.
    if (this.unkept.length === 1) {
      this.kept = this.kept.then(() => {
        const added = this.unkept
        this.unkept = []
        return this.keep(added)
      })
    }
    if (this.waiting.length >= mostMarkers && this.failures === 0) this.flushIn(0)
    else this.flushIn(this.options.flushSeconds * 1000)
    return true
  }

  /** Resolves once everything that was added outlives the process. */
  stored(): Promise<void> {
    return this.kept
  }

  /** Sends what waits; resolves when nothing does any more, or when the server could not take it. */
  flush(): Promise<void> {
    this.sending ??= this.begin().finally(() => {
      this.sending = null
    })
    return this.sending
  }

  /** Sends what one request may take that outlives the page. */
  leave(): void {
    const batch = batchOf(this.waiting, mostMarkers, mostBytes)
    if (batch.length > 0)
      void this.post(batch, true).then((reply) => (isDone(reply) ? this.left(batch, reply) : undefined))
  }

  /** The page may be shown again: what it then tracks does not wait for failures that are over. */
  private async left(batch: ReadonlyArray<Marker>, reply: Reply): Promise<void> {
    const hadFailed = this.failures > 0
    await this.arrived(batch, reply)
    if (hadFailed) this.flushIn(0)
  }

  /** Takes no more, and sends what waits for at most so long. What is left then stays in the storage, or is told as lost without one. */
  close(millis: number): Promise<void> {
    this.closing ??= this.end(millis)
    return this.closing
  }

  private async end(millis: number): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer)
    await within(this.sendLast(), millis)
    this.isClosed = true
    this.options.hangUp()
    if (this.sending !== null) await within(this.sending, millis)
    const lost = this.endangered()
    if (lost > 0)
      this.options.onProblem({ kind: "lost", message: `not sent, and kept nowhere: ${lost} of the markers` })
  }

  /** Sends until nothing waits, or until waiting longer would help nobody: what is kept is sent by the next client. */
  private async sendLast(): Promise<void> {
    await this.kept
    while (this.waiting.length > 0 && !this.isClosed) {
      await this.flush()
      if (this.failures === 0) continue
      if (this.again === null || this.endangered() === 0) return
      await pause(this.again)
    }
  }

  /** How many of the markers that wait end with the process. */
  private endangered(): number {
    if (this.options.storage.isVolatile === true) return this.waiting.length
    return this.waiting.filter(({ markerId }) => this.homeless.has(markerId)).length
  }

  private async keep(markers: ReadonlyArray<Marker>): Promise<void> {
    const isKept = await this.guarded(() => this.options.storage.keep(markers))
    if (!isKept) for (const { markerId } of markers) this.homeless.add(markerId)
  }

  private begin(): Promise<void> {
    // What was planned is done now. Left as it is, a long wait after failures would also hold what is tracked once the server is back.
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    return this.sendAll()
  }

  private async sendAll(): Promise<void> {
    this.again = null
    await this.kept
    while (this.waiting.length > 0 && !this.isClosed) {
      await this.kept
      const batch = batchOf(this.waiting, this.most, mostBytes)
      const reply = await this.post(batch, false)
      const flaw = flawOfBody(reply)
      if (isDone(reply)) await this.arrived(batch, reply)
      else if (flaw !== null) await this.halve(batch, flaw)
      else return this.failed(reply)
    }
    // Where the page was left meanwhile, its last request has taken what had failed.
    if (this.waiting.length === 0) this.failures = 0
  }

  private post(markers: ReadonlyArray<Marker>, keepalive: boolean): Promise<Reply> {
    return this.options.transport("POST", path, { body: { markers }, keepalive })
  }

  private async arrived(batch: ReadonlyArray<Marker>, reply: Reply): Promise<void> {
    this.failures = 0
    this.most = mostMarkers
    await this.decided(batch, reply)
  }

  private async decided(batch: ReadonlyArray<Marker>, reply: Reply): Promise<void> {
    for (const message of rejectionsIn(reply.isReached ? reply.body : null))
      this.options.onProblem({ kind: "rejected", message })
    await this.drop(batch)
  }

  /** Sends half of the batch next, until the marker with the flaw is alone: it would hold back all others for ever. */
  private async halve(batch: ReadonlyArray<Marker>, flaw: string): Promise<void> {
    this.most = Math.max(1, Math.floor(batch.length / 2))
    if (batch.length > 1) return
    this.options.onProblem({ kind: "rejected", message: `marker ${String(batch[0]?.markerId)}: ${flaw}` })
    await this.drop(batch)
  }

  private async drop(batch: ReadonlyArray<Marker>): Promise<void> {
    const ids = new Set(batch.map(({ markerId }) => markerId))
    this.waiting = this.waiting.filter(({ markerId }) => !ids.has(markerId))
    for (const id of ids) this.homeless.delete(id)
    await this.guarded(() => this.options.storage.remove([...ids]))
  }

  private failed(reply: Reply): void {
    this.failures++
    const problem = problemIn(reply)
    if (this.isClosed || problem.kind === "invalid") return
    const { onProblem, chance } = this.options
    onProblem(problem)
    if (problem.kind === "refused") return this.flushIn(refusedWaitMillis(chance()), true)
    this.again = waitMillis(this.failures, chance(), reply.isReached ? reply.retryAfterSeconds : null)
    this.flushIn(this.again, true)
  }

  /** Sends after a while, unless that is planned already; `instead` plans anew. */
  private flushIn(millis: number, instead = false): void {
    if (this.closing !== null || (this.timer !== null && !instead && millis > 0)) return
    // After a failure only its wait decides.
    if (this.failures > 0 && !instead) return
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = unheld(() => {
      this.timer = null
      void this.flush()
    }, millis)
  }

  private async guarded(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (cause) {
      this.options.onProblem({ kind: "storage", message: messageOf(cause) })
      return false
    }
  }
}
