import { refusedWaitMillis, waitMillis } from "./Backoff.ts"
import { EventReader } from "./EventReader.ts"
import { calling, messageOf, type OnProblem } from "./Problem.ts"
import { type Timer, unheld } from "./Timer.ts"
import { addressOf, headersOf, isRefusal, messageIn, parsed, retryAfterIn, type TransportOptions } from "./Transport.ts"

/** What has changed; `everything` where it is not known what was missed. */
export type Notice = "configuration" | "experiments" | "everything"

export type Listener = (notice: Notice) => void

export interface NoticeSetting {
  readonly onProblem: OnProblem
  readonly chance: () => number
  /** How long a stream may say nothing, in milliseconds. The server gives a sign of life every 15 seconds. */
  readonly silenceMillis?: number
}

interface Ending {
  readonly isRefused: boolean
  readonly retryAfterSeconds: number | null
}

const ended: Ending = { isRefused: false, retryAfterSeconds: null }

/** Who hears a notice waits up to two seconds, at random: all players hear it at once, and should not all ask at once. */
const spreadMillis = 2000

/** Listens to what is published, for as long as anybody wants to know, and goes on where it was after every interruption. */
export class NoticeStream {
  private readonly options: TransportOptions
  private readonly setting: NoticeSetting
  private readonly listeners = new Set<Listener>()
  /** What each listener is told in a moment. */
  private readonly telling = new Map<Listener, Map<Notice, Timer>>()
  private stream: AbortController | null = null
  private timer: Timer | null = null
  private lastId: string | null = null
  private failures = 0
  private isEnded = false

  constructor(options: TransportOptions, setting: NoticeSetting) {
    this.options = options
    this.setting = setting
  }

  /** Calls back after changes, until the function that it returns is called; never once this has ended. */
  listen(listener: Listener): () => void {
    if (this.isEnded) return () => undefined
    this.listeners.add(listener)
    if (this.stream === null) void this.open()
    return () => {
      this.listeners.delete(listener)
      this.forget(listener)
      if (this.listeners.size === 0) this.close()
    }
  }

  /** Nobody is told anything any more, whoever listens later either. */
  end(): void {
    this.isEnded = true
    this.close()
  }

  private close(): void {
    this.listeners.clear()
    if (this.timer !== null) clearTimeout(this.timer)
    for (const listener of [...this.telling.keys()]) this.forget(listener)
    this.stream?.abort()
    this.stream = null
  }

  private forget(listener: Listener): void {
    for (const timer of this.telling.get(listener)?.values() ?? []) clearTimeout(timer)
    this.telling.delete(listener)
  }

  private async open(): Promise<void> {
    const stream = new AbortController()
    this.stream = stream
    const { isRefused, retryAfterSeconds } = await this.read(stream)
    if (this.stream !== stream) return
    this.failures++
    const chance = this.setting.chance()
    const millis = isRefused ? refusedWaitMillis(chance) : waitMillis(this.failures, chance, retryAfterSeconds)
    this.timer = unheld(() => void this.open(), millis)
  }

  /** Reads until the stream ends, which it never does by rejecting. */
  private async read(stream: AbortController): Promise<Ending> {
    const { silenceMillis = 45_000 } = this.setting
    // Proxies that collect an answer until it ends hold all of a stream back.
    const giveUp = () => stream.abort(new Error(`nothing was heard of the stream for ${silenceMillis} ms`))
    let silence = unheld(giveUp, silenceMillis)
    try {
      const send = this.options.fetch ?? fetch
      const headers = { ...headersOf(this.options), ...(this.lastId === null ? {} : { "last-event-id": this.lastId }) }
      const response = await send(`${addressOf(this.options)}/sdk/v2/stream`, { headers, signal: stream.signal })
      // What refuses it may be cut off or never end, like a stream.
      if (response.status !== 200 || response.body === null) return await this.refused(response)
      // Pages of a network that asks people to sign in have empty lines, which end events too.
      const type = response.headers.get("content-type") ?? "nothing"
      if (!/^text\/event-stream/i.test(type)) return this.strange(stream, type)
      const reader = new EventReader()
      const decoder = new TextDecoder()
      for await (const bytes of piecesOf(response.body)) {
        clearTimeout(silence)
        silence = unheld(giveUp, silenceMillis)
        for (const { name, lastId } of reader.push(decoder.decode(bytes, { stream: true }))) this.hear(name, lastId)
      }
    } catch (cause) {
      if (this.stream === stream) {
        this.setting.onProblem({ kind: "unreachable", message: `${addressOf(this.options)}: ${messageOf(cause)}` })
      }
    } finally {
      clearTimeout(silence)
    }
    return ended
  }

  private async refused(response: Response): Promise<Ending> {
    const { status } = response
    const isRefused = isRefusal(status)
    const message = messageIn(status, parsed(await response.text()))
    this.setting.onProblem({ kind: isRefused ? "refused" : "unreachable", message })
    return { isRefused, retryAfterSeconds: retryAfterIn(response.headers) }
  }

  private strange(stream: AbortController, type: string): Ending {
    stream.abort()
    const message = `${addressOf(this.options)}: where a stream was asked for, ${type} was answered`
    this.setting.onProblem({ kind: "unreachable", message })
    return ended
  }

  private hear(name: string, lastId: string | null): void {
    this.failures = 0
    // What was published between the first answer and the first stream is told by neither.
    const isFirst = this.lastId === null && lastId !== null
    this.lastId = lastId ?? this.lastId
    if (name === "configuration" || name === "experiments") this.tell(name)
    else if (name === "reset" || isFirst) this.tell("everything")
  }

  /** A listener that is told soon is not told twice: it then asks for what is there, however often that was published before. */
  private tell(notice: Notice): void {
    for (const listener of this.listeners) {
      const soon = this.telling.get(listener) ?? new Map<Notice, Timer>()
      if (soon.has(notice)) continue
      this.telling.set(listener, soon)
      const later = () => {
        soon.delete(notice)
        calling(() => listener(notice), this.setting.onProblem)
      }
      soon.set(notice, unheld(later, spreadMillis * this.setting.chance()))
    }
  }
}

/** The pieces of a body: not every browser has bodies that can be iterated. */
async function* piecesOf(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}
