import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { lackText } from "../../src/domain/access/Lacking.ts"
import { call } from "../../src/web/api/client.ts"
import { ApiFailure, failureOf } from "../../src/web/api/Failure.ts"
import { QueryClient, QueryObserver } from "@tanstack/react-query"
import { askAnew } from "../../src/web/api/Session.ts"
import { isWorthRetrying, retryPause } from "../../src/web/api/Retrying.ts"

const overloaded = () =>
  Response.json(
    { statusCode: 503, code: "OVERLOADED", error: "Service Unavailable", message: "later" },
    {
      status: 503,
      headers: { "retry-after": "5" }
    }
  )

/** Answers each request with the next of the answers; the requests that came. */
const answering = (...answers: ReadonlyArray<() => Response>) => {
  const asked: Array<string> = []
  vi.stubGlobal("fetch", (input: unknown) => {
    asked.push(String(input))
    return Promise.resolve(answers[asked.length - 1]?.() ?? Response.error())
  })
  return asked
}

describe("an id that browsers take for a step in a path", () => {
  afterEach(() => vi.unstubAllGlobals())

  it.each([".", ".."])("is never sent: %s", async (unitId) => {
    const asked = answering()
    const outcome = await call("players.erase", { path: { applicationId: 7, unitId }, environment: 1 }).catch(
      (failure: unknown) => failure
    )
    assert.deepInclude(outcome, { statusCode: 400, code: "NOT_ADDRESSABLE" })
    assert.deepStrictEqual(asked, [])
  })

  it("is none where it says more", async () => {
    const asked = answering(() => Response.json({}))
    await call("players.get", { path: { applicationId: 7, unitId: "..." } })
    assert.deepStrictEqual(asked, ["/application/7/players/..."])
  })
})

describe("a page that a proxy answers in place of the server", () => {
  afterEach(() => vi.unstubAllGlobals())

  it("is told in words that people understand", async () => {
    answering(
      () =>
        new Response("<!doctype html><title>Sign in</title>", {
          headers: { "content-type": "text/html; charset=utf-8" }
        })
    )
    const failure = await call("users.me", {}).catch((error: unknown) => error)
    assert.instanceOf(failure, ApiFailure)
    assert.match(String(failure), /has answered in its place, such as a proxy that wants you to sign in/)
  })

  it.each([
    [502, /The server does not answer: what stands before it, such as a proxy, said so with the status 502/],
    [413, /Something between this browser and the server, such as a proxy, has refused this with the status 413/]
  ])("is told so with an error status too: %d", async (status, words) => {
    answering(() => new Response("<html><h1>nginx</h1></html>", { status, headers: { "content-type": "text/html" } }))
    const failure = await call("users.me", {}).catch((error: unknown) => error)
    assert.deepInclude(failure, { statusCode: status, code: "UNKNOWN" })
    assert.match(String(failure), words)
    const later = await failureOf(new Response("", { status: 503, headers: { "retry-after": "60" } }))
    assert.match(later.message, /may be starting anew\. Try again in 60 seconds/)
  })
})

describe("a change that the server has no time for", () => {
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it("is sent again when the server said, and then done once", async () => {
    vi.useFakeTimers()
    const asked = answering(overloaded, overloaded, () => Response.json({ id: 7 }))
    const changed = call("projects.update", { path: { applicationId: 7 }, body: { name: "Game" } })
    await vi.advanceTimersByTimeAsync(4900)
    assert.strictEqual(asked.length, 1)
    await vi.advanceTimersByTimeAsync(5200)
    assert.deepInclude(await changed, { id: 7 })
    assert.deepStrictEqual(asked, ["/application/7", "/application/7", "/application/7"])
  })

  it("is refused in the end, and at once where it is another refusal or a question", async () => {
    vi.useFakeTimers()
    const asked = answering(...Array.from({ length: 9 }, () => overloaded))
    const changed = call("projects.update", { path: { applicationId: 7 }, body: { name: "Game" } }).catch(String)
    await vi.advanceTimersByTimeAsync(60_000)
    assert.strictEqual(await changed, "Error: later. Try again in 5 seconds.")
    assert.strictEqual(asked.length, 5)
    const question = call("users.me", { signal: new AbortController().signal }).catch(String)
    assert.strictEqual(await question, "Error: later. Try again in 5 seconds.")
    assert.strictEqual(asked.length, 6)
  })
})

describe("a change that is asked for twice at once", () => {
  afterEach(() => vi.unstubAllGlobals())

  const created = (id: string) => () => Response.json({ id }, { status: 201 })
  const create = (name: string) => call("boards.create", { path: { applicationId: 7 }, body: { name } })

  it("is sent once, and again once it is answered", async () => {
    const asked = answering(created("a"), created("b"))
    const [first, second] = await Promise.all([create("Morning"), create("Morning")])
    assert.deepInclude(first, { id: "a" })
    assert.deepInclude(second, { id: "a" })
    assert.strictEqual(asked.length, 1)
    assert.deepInclude(await create("Morning"), { id: "b" })
  })

  it("is another one where it says something else, or where something was changed between", async () => {
    const asked = answering(created("a"), created("b"), created("c"))
    const answers = await Promise.all([create("Morning"), create("Evening"), create("Morning")])
    assert.deepStrictEqual(
      answers.map(({ id }) => String(id)),
      ["a", "b", "c"]
    )
    assert.strictEqual(asked.length, 3)
  })

  it("may be tried again after it failed", async () => {
    const asked = answering(() => Response.json({ code: "X", message: "no" }, { status: 409 }), created("b"))
    const failures = await Promise.allSettled([create("Morning"), create("Morning")])
    assert.deepStrictEqual(
      failures.map(({ status }) => status),
      ["rejected", "rejected"]
    )
    assert.deepInclude(await create("Morning"), { id: "b" })
    assert.strictEqual(asked.length, 2)
  })
})

describe("a request that came too early", () => {
  const limited = (seconds: string, message = "Too many requests: slow down") =>
    Response.json(
      { statusCode: 429, code: "RATE_LIMITED", error: "Too Many Requests", message },
      { status: 429, headers: { "retry-after": seconds } }
    )

  it.each([
    ["1", "Too many requests: slow down. Try again in 1 second."],
    ["89.2", "Too many requests: slow down. Try again in 90 seconds."],
    ["90", "Too many requests: slow down. Try again in 2 minutes."],
    ["soon", "Too many requests: slow down"]
  ])("says when it may come again: %s", async (seconds, words) => {
    assert.strictEqual((await failureOf(limited(seconds))).message, words)
  })

  it("says nothing of keys to who has signed in by a password", async () => {
    const refused = Response.json({ code: "UNAUTHENTICATED", message: "No credential came" }, { status: 401 })
    const { message } = await failureOf(refused)
    assert.strictEqual(message, "Your session had ended, so that nothing was done. Try it again.")
  })

  it.each([
    [
      lackText("projects:read", "application 1"),
      "It needs the permission projects:read. An owner or admin can give it."
    ],
    [
      lackText("webhooks:write", "application 2, of which the webhook is told"),
      "It needs the permission webhooks:write in application 2, of which the webhook is told. An owner or admin can give it."
    ],
    ["A guest may not do that", "A guest may not do that"]
  ])("says in the words of the page what a person may not: %s", async (said, words) => {
    const body = { statusCode: 403, code: "FORBIDDEN", error: "Forbidden", message: said }
    assert.strictEqual((await failureOf(Response.json(body, { status: 403 }))).message, words)
  })

  it("ends its own sentence first", async () => {
    assert.strictEqual((await failureOf(limited("2", "Wait."))).message, "Wait. Try again in 2 seconds.")
  })

  const failures: ReadonlyArray<readonly [status: number, after: number | null, isWorth: boolean, pause: number]> = [
    [429, 2, true, 2000],
    [429, 60, false, 60_000],
    [429, null, false, 1000],
    [503, null, true, 1000],
    [503, 3, true, 3000],
    [503, 60, false, 60_000],
    [0, null, true, 1000],
    [500, null, false, 1000],
    [404, null, false, 1000]
  ]
  it.each(failures)("is sent again by itself where the wait is short: %s after %s", (status, after, isWorth, pause) => {
    const failure = new ApiFailure(status, "ANY", "any", after)
    assert.strictEqual(isWorthRetrying(0, failure), isWorth)
    assert.isFalse(isWorthRetrying(2, failure))
    assert.strictEqual(retryPause(0, failure), pause)
  })

  it("waits longer each time where the server does not say how long", () => {
    const lost = new ApiFailure(0, "OFFLINE", "any")
    assert.deepStrictEqual([retryPause(0, lost), retryPause(1, lost)], [1000, 2000])
    assert.isFalse(isWorthRetrying(0, new Error("none of the server")))
  })
})

describe("whoever is let in again", () => {
  it("has a question asked anew that was on its way, and never answered before", async () => {
    const client = new QueryClient()
    const asked: Array<number> = []
    const observer = new QueryObserver(client, {
      queryKey: ["newest"],
      queryFn: () => new Promise<string>((resolve) => (asked.push(1) === 1 ? null : resolve("answered")))
    })
    const leave = observer.subscribe(() => undefined)
    await askAnew(client)
    assert.strictEqual(client.getQueryData(["newest"]), "answered")
    assert.strictEqual(asked.length, 2)
    leave()
  })
})

describe("an answer that breaks off in its middle", () => {
  afterEach(() => vi.unstubAllGlobals())

  it("is one of a server that cannot be reached, and is asked for again", async () => {
    const broken = () => {
      const body = new ReadableStream({
        start: (stream) => {
          stream.enqueue(new TextEncoder().encode('{"items": ['))
          stream.error(new TypeError("network error"))
        }
      })
      return new Response(body, { headers: { "content-type": "application/json" } })
    }
    const asked = answering(broken)
    vi.stubGlobal("navigator", { onLine: true })
    const { signal } = new AbortController()
    const outcome: unknown = await call("projects.get", { path: { applicationId: 7 }, signal }).catch(
      (failure: unknown) => failure
    )
    assert.deepInclude(outcome, { statusCode: 0, code: "OFFLINE", message: "The server cannot be reached." })
    assert.isTrue(outcome instanceof ApiFailure && isWorthRetrying(0, outcome))
    assert.deepStrictEqual(asked, ["/application/7", "/health"])
  })
})
