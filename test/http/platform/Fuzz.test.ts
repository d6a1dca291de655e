import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { setImmediate } from "node:timers/promises"
import type { Attempt } from "../../fuzz/Attempt.ts"
import { hostile, mixture } from "../../fuzz/Attempt.ts"
import { described, Player } from "../../fuzz/Player.ts"
import { endpoints } from "../../support/Endpoints.ts"
import { expectedCount, runCount } from "../../support/Runs.ts"
import { snapshot } from "../../support/analytics/Snapshot.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const seed = 20_261_121

/** Refused attempts after which the studio is looked at. */
const group = 40

/** Writes after which what they may have ended or removed is put right; a deletion needs that at once. */
const writesPerRecovery = 6

/** Attempts on each operation over one store. The other store gets others: `npm run fuzz` plays more of them over both. */
const perOperation = Math.max(8, runCount(8))

describe.each(stores)("whatever is sent over %s", (name, store) => {
  const place = stores.findIndex(([each]) => each === name)
  const attempts: ReadonlyArray<Attempt> = endpoints().flatMap((endpoint, index) =>
    fc.sample(hostile(endpoint), { seed: seed + place * 1_000_003 + index, numRuns: perOperation })
  )
  const { request } = testApp(store)
  const player = new Player(request)

  /** The attempts that were refused, with what was wrong with any answer. */
  const play = async (some: ReadonlyArray<Attempt>) => {
    const refused: Array<Attempt> = []
    const complaints: Array<string> = []
    let written = 0
    for (const attempt of some) {
      await setImmediate()
      const played = await player.play(attempt)
      if (played.complaint !== undefined) complaints.push(`${described(played)} → ${played.complaint}`)
      if (played.status === 0 || played.status >= 400) refused.push(attempt)
      else if (attempt.method !== "GET" && (attempt.method === "DELETE" || ++written % writesPerRecovery === 0)) {
        await player.recover()
      }
    }
    return { refused, complaints }
  }

  let known: Promise<Awaited<ReturnType<typeof play>>> | undefined
  const playedOnce = () => (known ??= player.begin().then(() => play(attempts)))

  it(`is answered as the contract says (${attempts.length} attempts)`, async () => {
    const { refused, complaints } = await playedOnce()
    assert.deepStrictEqual(complaints, [])
    assert.isAtLeast(attempts.length, 8 * endpoints().length)
    assert.isAbove(refused.length, attempts.length / 2)
  })

  it("is answered as the contract says where requests use what earlier ones have made", async () => {
    await player.begin()
    const mixed = mixture(seed + place, runCount(400))
    const { refused, complaints } = await play(mixed)
    assert.deepStrictEqual(complaints, [])
    assert.isAbove(mixed.length - refused.length, expectedCount(80))
  })

  it("leaves nothing behind where it is refused", async () => {
    const { refused } = await playedOnce()
    await player.begin()
    let before = await snapshot(request, player.studio)
    let looked = 0
    for (let at = 0; at < refused.length; at += group) {
      const some = refused.slice(at, at + group)
      const again = await play(some)
      const after = await snapshot(request, player.studio)
      const names = some.map(({ method, endpoint }) => `${method} ${endpoint.name}`).join(", ")
      if (again.refused.length === some.length) {
        looked += some.length
        assert.strictEqual(after, before, names)
      }
      before = after
    }
    assert.isAbove(looked, attempts.length / 2)
  })
})
