import type { Listening } from "../game/Listening.ts"

export interface SentEvent {
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: unknown
  readonly isComment: boolean
}

const fieldOf = (block: string, name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1]

const read = (block: string): SentEvent => {
  const data = fieldOf(block, "data")
  return {
    event: fieldOf(block, "event"),
    id: fieldOf(block, "id"),
    data: data === undefined ? undefined : JSON.parse(data),
    isComment: block.startsWith(":")
  }
}

/** An open stream of server-sent events: `next` waits for one, `ended` for its end. */
export const subscribe = async ({ open }: Listening, headers: Record<string, string>, path = "/sdk/v2/stream") => {
  const { outgoing, message } = await open("GET", path, headers)
  const events: Array<SentEvent> = []
  const waiting: Array<() => void> = []
  let rest = ""
  let lastId: string | undefined
  const wake = () => {
    for (const go of waiting.splice(0)) go()
  }
  message.setEncoding("utf8")
  message.on("data", (text: string) => {
    const blocks = (rest + text).split("\n\n")
    rest = blocks.pop() ?? ""
    for (const block of blocks) {
      const event = read(block)
      lastId = event.id ?? lastId
      if (event.event !== undefined || event.isComment) events.push(event)
    }
    wake()
  })
  const ended = new Promise<"end" | "cut">((resolve) => {
    message.on("end", () => resolve("end"))
    message.on("error", () => resolve("cut"))
  })
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await new Promise<void>((resolve) => void waiting.push(resolve))
  }
  return {
    status: message.statusCode,
    contentType: message.headers["content-type"],
    ended,
    /** The id that a client would come back with. */
    opened: async () => {
      await until(() => lastId !== undefined)
      return lastId ?? ""
    },
    next: async (): Promise<SentEvent> => {
      await until(() => events.length > 0)
      return events.shift()!
    },
    waiting: () => events.length,
    close: () => outgoing.destroy()
  }
}
