import { assert, describe, it } from "vitest"
import { type Round, ServerWatch } from "../../src/openfeature/Watch.ts"

const nextTurn = () => new Promise((done) => setImmediate(done))

const fresh = (...changed: ReadonlyArray<string>): Round => ({ kind: "fresh", changed })

/** A watch whose looks are answered by hand, and what it said. */
const watched = () => {
  const looks: Array<(round: Round) => void> = []
  const said: Array<string> = []
  const voice = {
    ready: () => said.push("ready"),
    stale: (message: string) => said.push(message),
    error: (message: string) => said.push(message),
    changed: (flags: ReadonlyArray<string>) => said.push(...flags)
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
