/** What came over a stream: the name of the event and its data as JSON; `status` is the connection's own. */
export interface Heard {
  readonly event: string
  readonly data: string
}

type Hear = (heard: Heard) => void

/** How the connection is. */
export type StreamStatus = "connecting" | "open" | "retrying"

const events = ["open", "markers", "rejected", "configuration", "experiments", "cohort", "execution", "reset"]

/** Milliseconds before a stream that the server refused is asked for again, and the most of them after many refusals. */
const firstWait = 2_000
const longestWait = 60_000

const statusOf = (status: StreamStatus): Heard => ({ event: "status", data: JSON.stringify(status) })

/**
 * Reads the stream of that address until the answer is called. A lost connection is taken up again by the browser, with the last id; a
 * refusal, for example of too many streams or a session that has ended, is tried again later and later.
 */
const read = (url: string, hear: Hear): (() => void) => {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = firstWait
  const connect = () => {
    const present = new EventSource(url)
    source = present
    for (const event of events) {
      present.addEventListener(event, ({ data }: MessageEvent<unknown>) => {
        // The browser's own event of this name has no data.
        if (typeof data !== "string") return
        if (event === "open") {
          wait = firstWait
          hear(statusOf("open"))
        }
        hear({ event, data })
      })
    }
    present.addEventListener("error", () => {
      hear(statusOf("retrying"))
      if (present.readyState !== EventSource.CLOSED) return
      timer = setTimeout(connect, wait)
      wait = Math.min(2 * wait, longestWait)
    })
  }
  connect()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}

const isHeard = (value: unknown): value is Heard =>
  typeof value === "object" && value !== null && "event" in value && "data" in value

/**
 * The same for all tabs of this browser together: one of them reads and tells the others. When it is closed, another takes its place.
 * Browsers know locks on secure addresses only; elsewhere each tab reads by itself.
 */
export const openStream = (url: string, hear: Hear): (() => void) => {
  // TypeScript's library promises locks everywhere.
  if (!("locks" in navigator)) return read(url, hear)
  const channel = new BroadcastChannel(`gamekeeper-stream ${url}`)
  const stop = new AbortController()
  let isReader = false
  let latest: ReadonlyMap<string, Heard> = new Map()
  const tell = (heard: Heard) => {
    if (heard.event === "status" || heard.event === "open") latest = new Map([...latest, [heard.event, heard]])
    channel.postMessage(heard)
    hear(heard)
  }
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (!isHeard(data)) return
    if (data.event !== "hello") hear(data)
    else if (isReader) for (const heard of latest.values()) channel.postMessage(heard)
  })
  channel.postMessage({ event: "hello", data: "" })
  navigator.locks
    .request(`gamekeeper-stream ${url}`, { signal: stop.signal }, () => {
      isReader = true
      const close = read(url, tell)
      return new Promise<void>((resolve) => {
        stop.signal.addEventListener("abort", () => {
          close()
          resolve()
        })
      })
    })
    // Aborted while it waited for its turn.
    .catch(() => undefined)
  return () => {
    stop.abort()
    channel.close()
  }
}
