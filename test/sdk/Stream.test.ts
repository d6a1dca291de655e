import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { EventReader } from "../../src/sdk/EventReader.ts"
import { type Notice, type NoticeSetting, NoticeStream } from "../../src/sdk/NoticeStream.ts"
import type { Problem } from "../../src/sdk/Problem.ts"

const encoder = new TextEncoder()

/** A server of streams: it keeps what it was asked, and each stream is written and ended by hand. */
const streams = (
  statuses: ReadonlyArray<number> = [],
  refusal: "whole" | "cut off" | "silent" = "whole",
  page: string | null = null
) => {
  const asked: Array<Headers> = []
  const opened: Array<ReadableStreamDefaultController<Uint8Array>> = []
  const waiting: Array<() => void> = []
  const answer: typeof fetch = async (_, init) => {
    const status = statuses[asked.length] ?? 200
    asked.push(new Headers(init?.headers))
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        opened.push(controller)
        init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason))
        if (status !== 200 && refusal === "whole") controller.close()
        if (status !== 200 && refusal === "cut off") controller.error(new Error("the line was cut"))
      }
    })
    for (const go of waiting.splice(0)) go()
    const type = page === null ? "text/event-stream" : "text/html"
    return new Response(page ?? body, { status, headers: { "content-type": type } })
  }
  const reached = async (count: number) => {
    while (asked.length < count) await new Promise<void>((go) => waiting.push(go))
  }
  const say = (text: string) => opened.at(-1)?.enqueue(encoder.encode(text))
  return { asked, opened, answer, reached, say }
}

/** Chance is nothing, so that what is heard is told in the next turn, and a first try again comes after half a second. */
const listening = (server: ReturnType<typeof streams>, more: Partial<NoticeSetting> = {}) => {
  const problems: Array<Problem> = []
  const onProblem = (problem: Problem) => void problems.push(problem)
  const setting = { onProblem, chance: () => 0, ...more }
  const stream = new NoticeStream({ url: "http://test/", key: "k", environment: "e", fetch: server.answer }, setting)
  const heard: Array<Notice> = []
  const waiting: Array<() => void> = []
  const unlisten = stream.listen((notice) => {
    heard.push(notice)
    for (const go of waiting.splice(0)) go()
  })
  const told = async (count: number) => {
    while (heard.length < count) await new Promise<void>((go) => waiting.push(go))
    return heard
  }
  return { problems, told, heard, unlisten }
}

describe("the stream of the client", () => {
  it("tells what has changed, and once what may have been missed before it began", async () => {
    const server = streams()
    const { told, unlisten, problems } = listening(server)
    await server.reached(1)
    assert.deepInclude(Object.fromEntries(server.asked[0]!), { authorization: "k", environment: "e" })
    server.say("retry: 2000\n\nid: p-1\n\n")
    await told(1)
    server.say(":\n\nevent: configuration\nid: p-2\ndata: {}\n\nevent: experiments\nid: p-3\ndata: {}\n\n")
    assert.deepStrictEqual(await told(3), ["everything", "configuration", "experiments"])
    unlisten()
    assert.deepStrictEqual(problems, [])
  })

  it("tells once of what was published many times, and again of what comes later", async () => {
    const server = streams()
    const { heard, told, unlisten } = listening(server)
    await server.reached(1)
    const missed = Array.from({ length: 500 }, (_, n) => `event: configuration\nid: p-${n + 2}\ndata: {}\n\n`).join("")
    server.say(`id: p-1\n\n${missed}event: experiments\nid: p-502\ndata: {}\n\n`)
    assert.deepStrictEqual([...(await told(3))], ["everything", "configuration", "experiments"])
    server.say("event: configuration\nid: p-503\ndata: {}\n\n")
    await told(4)
    assert.deepStrictEqual(heard, ["everything", "configuration", "experiments", "configuration"])
    unlisten()
  })

  it("comes back with the last id, and asks for everything where that is not known any more", async () => {
    const server = streams()
    const { told, unlisten } = listening(server)
    await server.reached(1)
    server.say("id: p-7\n\n")
    await told(1)
    server.opened[0]!.close()
    await server.reached(2)
    assert.strictEqual(server.asked[1]!.get("last-event-id"), "p-7")
    server.say("event: reset\ndata: {}\n\nid: q-1\n\n")
    assert.deepStrictEqual(await told(2), ["everything", "everything"])
    unlisten()
  })

  it("tells why it was refused, and tries again where the server could not serve", async () => {
    const server = streams([503])
    const { unlisten, problems } = listening(server)
    await server.reached(2)
    assert.deepStrictEqual(problems, [{ kind: "unreachable", message: "status 503" }])
    unlisten()
    const closed = streams([401])
    const other = listening(closed)
    await closed.reached(1)
    while (other.problems.length === 0) await new Promise((go) => setImmediate(go))
    assert.deepStrictEqual(other.problems, [{ kind: "refused", message: "status 401" }])
    other.unlisten()
  })

  it("opens another stream where what refuses one is cut off, or never ends", async () => {
    const cut = streams([503], "cut off")
    const first = listening(cut)
    await cut.reached(2)
    first.unlisten()
    assert.deepStrictEqual(first.problems, [{ kind: "unreachable", message: "http://test: the line was cut" }])
    const silent = streams([503], "silent")
    const second = listening(silent, { silenceMillis: 1 })
    await silent.reached(2)
    second.unlisten()
    assert.deepInclude(second.problems, {
      kind: "unreachable",
      message: "http://test: nothing was heard of the stream for 1 ms"
    })
  })

  it("may end while it reads what refuses it", async () => {
    const server = streams([503], "silent")
    const { unlisten, problems } = listening(server)
    await server.reached(1)
    await new Promise((go) => setImmediate(go))
    unlisten()
    await new Promise((go) => setImmediate(go))
    assert.deepStrictEqual(problems, [])
  })

  it("opens another stream where one says nothing for too long", async () => {
    const server = streams()
    const { unlisten, problems } = listening(server, { silenceMillis: 1 })
    await server.reached(2)
    unlisten()
    assert.deepInclude(problems, {
      kind: "unreachable",
      message: "http://test: nothing was heard of the stream for 1 ms"
    })
  })

  it("takes no page for a stream: empty lines of one would end events, as if the server were well", async () => {
    const server = streams([], "whole", "<html>\n\n<p>Sign in\n\nid: 1\n\n")
    const { heard, unlisten, problems } = listening(server)
    await server.reached(2)
    unlisten()
    assert.deepStrictEqual(heard, [])
    const message = "http://test: where a stream was asked for, text/html was answered"
    assert.deepStrictEqual(problems[0], { kind: "unreachable", message })
  })

  it("ends with its last listener", async () => {
    const server = streams()
    const { unlisten, problems } = listening(server)
    await server.reached(1)
    unlisten()
    assert.throws(() => server.opened[0]!.enqueue(encoder.encode("late")))
    assert.deepStrictEqual(problems, [])
  })
})

describe("events in pieces", () => {
  const line = fc.constantFrom("event: a", "id: 1", "id: 2", "data: x", ":", "", "event:b", "retry: 5", "id")

  it("are the same however the text was cut", () => {
    fc.assert(
      fc.property(fc.array(line), fc.boolean(), fc.array(fc.nat({ max: 40 })), (lines, isCrlf, cuts) => {
        const text = lines.map((each) => each + (isCrlf ? "\r\n" : "\n")).join("")
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, text.length)).sort((one, other) => one - other),
          text.length
        ]
        const reader = new EventReader()
        const pieces = places.slice(1).flatMap((end, at) => reader.push(text.slice(places[at], end)))
        assert.deepStrictEqual(pieces, new EventReader().push(text))
      })
    )
  })

  it("keep no more than a line may have of what never ends", () => {
    const reader = new EventReader()
    for (let n = 0; n < 10; n++) assert.deepStrictEqual(reader.push("x".repeat(50_000)), [])
    assert.deepStrictEqual(reader.push("\nevent: a\n\n"), [{ name: "a", lastId: null }])
  })
})
