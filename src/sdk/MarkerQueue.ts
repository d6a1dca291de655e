import { refusedWaitMillis, waitMillis } from "./Backoff.ts"
import { batchOf, type Marker } from "./Marker.ts"
import { unheld } from "./Timer.ts"
import { messageOf, type OnProblem } from "./Problem.ts"
import type { Storage } from "./Storage.ts"
import { messageIn, type Reply, type Transport } from "./Transport.ts"

export interface QueueOptions {
  readonly storage: Storage
  readonly transport: Transport
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

/** Problems of one marker, in the answer to its batch. */
const rejectionsIn = (body: unknown): ReadonlyArray<string> => {
  if (typeof body !== "object" || body === null || !("rejectedMarkers" in body)) return []
  const { rejectedMarkers } = body
  return Array.isArray(rejectedMarkers)
    ? rejectedMarkers.map(({ markerId, reason }) => `marker ${String(markerId)}: ${String(reason)}`)
    : []
}

const isDone = (reply: Reply): boolean =>
  reply.isReached &&
  (reply.status === 200 ||
    (reply.status === 400 &&
      typeof reply.body === "object" &&
      reply.body !== null &&
      "code" in reply.body &&
      reply.body.code === "INVALID_MARKERS"))

/**
 * Markers on their way to the server. Each is kept by the storage before it is first sent, and removed once the server has acknowledged it, so
 * that it arrives once however often the process ends or the network fails.
 */
export class MarkerQueue {
  private readonly options: QueueOptions
  private readonly waiting: Array<Marker> = []
  private kept: Promise<void>
  private unkept: Array<Marker> = []
  private sending: Promise<void> | null = null
  private timer: ReturnType<typeof setTimeout> | null = null
  private failures = 0
  private most = mostMarkers
  private isClosed = false

  constructor(options: QueueOptions) {
    this.options = options
    this.kept = this.guarded(async () => {
      const known = await options.storage.markers()
      this.waiting.unshift(...known)
      if (known.length > 0) this.flushIn(0)
    })
  }

  /** How many markers wait to be acknowledged. */
  get length(): number {
    return this.waiting.length
  }

  /** Takes a marker; false where too many wait. */
  add(marker: Marker): boolean {
    if (this.isClosed) return false
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
        return this.guarded(() => this.options.storage.keep(added))
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
    this.sending ??= this.sendAll().finally(() => {
      this.sending = null
    })
    return this.sending
  }

  /** Sends what one request may take that outlives the page. */
  leave(): void {
    const batch = batchOf(this.waiting, mostMarkers, mostBytes)
    if (batch.length > 0) void this.post(batch, true).then((reply) => (isDone(reply) ? this.drop(batch) : undefined))
  }

  /** Sends no more. What waits stays in the storage. */
  async close(): Promise<void> {
    this.isClosed = true
    if (this.timer !== null) clearTimeout(this.timer)
    await this.sending
    await this.kept
  }

  private async sendAll(): Promise<void> {
    await this.kept
    while (this.waiting.length > 0 && !this.isClosed) {
      await this.kept
      const batch = batchOf(this.waiting, this.most, mostBytes)
      const reply = await this.post(batch, false)
      if (isDone(reply)) await this.arrived(batch, reply)
      else if (reply.isReached && reply.status === 413) await this.halve(batch)
      else return this.failed(reply)
    }
  }

  private post(markers: ReadonlyArray<Marker>, keepalive: boolean): Promise<Reply> {
    return this.options.transport("POST", path, { body: { markers }, keepalive })
  }

  private async arrived(batch: ReadonlyArray<Marker>, reply: Reply): Promise<void> {
    this.failures = 0
    this.most = mostMarkers
    for (const message of rejectionsIn(reply.isReached ? reply.body : null))
      this.options.onProblem({ kind: "rejected", message })
    await this.drop(batch)
  }

  private async halve(batch: ReadonlyArray<Marker>): Promise<void> {
    this.most = Math.max(1, Math.floor(batch.length / 2))
    if (batch.length > 1) return
    this.options.onProblem({ kind: "rejected", message: `marker ${String(batch[0]?.markerId)} is too large` })
    await this.drop(batch)
  }

  private async drop(batch: ReadonlyArray<Marker>): Promise<void> {
    const ids = new Set(batch.map(({ markerId }) => markerId))
    const left = this.waiting.filter(({ markerId }) => !ids.has(markerId))
    this.waiting.splice(0, this.waiting.length, ...left)
    await this.guarded(() => this.options.storage.remove([...ids]))
  }

  private failed(reply: Reply): void {
    this.failures++
    const { onProblem, chance } = this.options
    const retryAfter = reply.isReached ? reply.retryAfterSeconds : null
    const isRefused = reply.isReached && reply.status < 500 && reply.status !== 429 && reply.status !== 408
    const message = reply.isReached ? messageIn(reply.status, reply.body) : reply.reason
    onProblem({ kind: isRefused ? "refused" : "unreachable", message })
    this.flushIn(isRefused ? refusedWaitMillis(chance()) : waitMillis(this.failures, chance(), retryAfter), true)
  }

  /** Sends after a while, unless that is planned already; `instead` plans anew. */
  private flushIn(millis: number, instead = false): void {
    if (this.isClosed || (this.timer !== null && !instead && millis > 0)) return
    // After a failure only its wait decides.
    if (this.failures > 0 && !instead) return
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = unheld(() => {
      this.timer = null
      void this.flush()
    }, millis)
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (cause) {
      this.options.onProblem({ kind: "storage", message: messageOf(cause) })
    }
  }
}
