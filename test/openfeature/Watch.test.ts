import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { UnitEvaluations } from "../../src/openfeature/UnitEvaluations.ts"
import { type Round, ServerWatch } from "../../src/openfeature/Watch.ts"
import { testClient } from "../support/sdk/TestClient.ts"

const nextTurn = () => new Promise((done) => setImmediate(done))

const fresh = (...changed: ReadonlyArray<string>): Round => ({ kind: "fresh", changed })

/** A watch whose looks are answered by hand, and what it said; whoever hears of the flag `broken` throws. */
const watched = () => {
  const looks: Array<(round: Round) => void> = []
  const said: Array<string> = []
  const voice = {
    ready: () => said.push("ready"),
    stale: (message: string) => said.push(message),
    error: (message: string) => said.push(message),
    changed: (flags: ReadonlyArray<string>) => {
      if (flags.includes("broken")) throw new Error("a handler of the application")
      said.push(...flags)
    }
  }
  const watch = new ServerWatch(() => new Promise((answered) => looks.push(answered)), voice, Number.POSITIVE_INFINITY)
  const answer = async (at: number, round: Round) => {
    looks[at]?.(round)
    await nextTurn()
  }
  return { watch, looks, said, answer }
}

describe("looks at the server", () => {
  it("follow one another, so that no answer is overtaken by an older one", async () => {
    const { watch, looks, said, answer } = watched()
    const begun = watch.begin(() => false)
    const asked = [watch.again(), watch.again()]
    await nextTurn()
    assert.strictEqual(looks.length, 1)
    await answer(0, fresh())
    await begun
    assert.strictEqual(looks.length, 2, "both who asked meanwhile wait for one")
    const later = watch.again()
    await nextTurn()
    assert.strictEqual(looks.length, 2)
    await answer(1, fresh("first"))
    await Promise.all(asked)
    assert.strictEqual(looks.length, 3)
    await answer(2, fresh("second"))
    await later
    assert.deepStrictEqual(said, ["first", "second"])
    watch.end()
  })

  it("of a watch that has ended begin no more, and those of its next run wait for none of them", async () => {
    const { watch, looks, said, answer } = watched()
    const begun = watch.begin(() => false)
    const asked = watch.again()
    watch.end()
    await answer(0, fresh("late"))
    await Promise.all([begun, asked])
    assert.deepStrictEqual([looks.length, said], [1, []])
    const again = watch.begin(() => false)
    await answer(1, fresh())
    await again
    const refreshed = watch.again()
    await nextTurn()
    await answer(2, fresh("shop"))
    await refreshed
    assert.deepStrictEqual(said, ["shop"])
    watch.end()
  })
})

describe("a server that asks to be left alone", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
  afterEach(() => void vi.useRealTimers())

  const busy: Round = { kind: "failed", isRefused: false, isFatal: false, message: "busy", retryAfterSeconds: 120 }

  it("is looked at no sooner", async () => {
    const { watch, looks, answer } = watched()
    const begun = watch.begin(() => true)
    await answer(0, busy)
    await begun
    await vi.advanceTimersByTimeAsync(119_999)
    assert.strictEqual(looks.length, 1)
    await vi.advanceTimersByTimeAsync(1)
    assert.strictEqual(looks.length, 2)
    watch.end()
  })

  it("is not asked about players, and after five seconds where it does not say for how long", async () => {
    for (const [field, wait] of [
      [{ "retry-after": "120" }, 120_000],
      [{}, 5000]
    ] as const) {
      let asked = 0
      const send = async () => {
        asked++
        return new Response("{}", { status: 429, headers: field })
      }
      const units = new UnitEvaluations(testClient(send, {}).client, 60_000, 1024)
      const ask = (distinctId: string) => units.of({}, { type: "user", distinctId })
      assert.strictEqual((await ask("ada")).kind, "failed")
      vi.advanceTimersByTime(wait - 1)
      assert.strictEqual((await ask("bob")).kind, "failed")
      assert.strictEqual(asked, 1)
      vi.advanceTimersByTime(1)
      await ask("bob")
      assert.strictEqual(asked, 2)
    }
  })

  it("go on where somebody who hears of one throws", async () => {
    const { watch, said, answer } = watched()
    const begun = watch.begin(() => false)
    await answer(0, fresh())
    await begun
    const failing = watch.again().catch(({ message }: Error) => said.push(message))
    await nextTurn()
    await answer(1, fresh("broken"))
    await failing
    const later = watch.again()
    await nextTurn()
    await answer(2, fresh("shop"))
    await later
    assert.deepStrictEqual(said, ["a handler of the application", "shop"])
    watch.end()
  })
})
