import { assert, beforeAll, describe, it } from "@effect/vitest"
import { openStudio } from "../../support/access/Studio.ts"
import { until } from "../../support/analytics/Analyst.ts"
import { hour, marker } from "../../support/analytics/PlayerDesk.ts"
import { atLeast, type CohortAnalyst, cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import { heldComputations } from "../../support/cohorts/HeldComputations.ts"
import { olderGameOf } from "../../support/game/OlderGame.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import { type TwoApps, twoApps } from "../../support/operations/TwoApps.ts"

describe.each(stores)("cohorts of two processes over %s", (_, store) => {
  const computations = heldComputations(store)
  let two: TwoApps
  let here: CohortAnalyst
  let there: CohortAnalyst

  beforeAll(async () => {
    two = await twoApps(computations.stores)
    const studio = await openStudio(two.a.request, "ada")
    const game = await gameOf(two.a.request, studio)
    await game.send([marker("Swap", "ann", hour), marker("Swap", "bob", hour), marker("Trade", "cid", hour)])
    here = cohortAnalystOf(two.a.request, studio)
    there = cohortAnalystOf(two.b.request, studio)
  }, 60_000)

  it("CohortRuns, CohortMembers: what was computed of an older definition replaces no members", async () => {
    computations.hold()
    const before = computations.ended()
    // The other process does not hear that there is something to compute, and nobody tells the one that computes it to stop.
    for (const name of ["a", "b"]) two.lost.add(name)
    try {
      const { id } = (await here.call("POST", "", { name: "Traders", definition: atLeast(1, "Swap") })).body
      await until(() => computations.waiting() === 1)
      const changed = await there.call("PUT", `/${id}`, { name: "Traders", definition: atLeast(1, "Trade") })
      assert.strictEqual(changed.status, 200, changed.text)
      await until(() => computations.waiting() === 2)
      computations.release("last")
      await until(() => computations.ended() === before + 1)
      assert.strictEqual((await there.settled(id)).body.memberCount, 1)
      computations.release("first")
      await until(() => computations.ended() === before + 2)
      two.lost.clear()
      assert.deepStrictEqual(await here.unitIds(id), ["cid"])
      assert.strictEqual((await here.call("GET", `/${id}`)).body.memberCount, 1)
    } finally {
      two.lost.clear()
      computations.releaseAll()
    }
  })

  it("CohortQueue: what one process computes is left to it by another that starts", async () => {
    computations.hold()
    const { id } = (await here.call("POST", "", { name: "Swappers", definition: atLeast(1, "Swap") })).body
    await until(() => computations.waiting() === 1)
    await two.start("c")
    assert.strictEqual((await there.call("GET", `/${id}`)).body.status, "computing")
    assert.strictEqual(computations.waiting(), 1)
    computations.releaseAll()
    const { body } = await there.settled(id)
    assert.deepStrictEqual([body.status, body.memberCount], ["ready", 2])
  })
})

describe.each(stores)("what two processes gather over %s", (_, store) => {
  let two: TwoApps
  let lab: Laboratory

  beforeAll(async () => {
    two = await twoApps(store)
    lab = await laboratoryOf(two.each, "ada")
  }, 60_000)

  it("GameJobs: older game servers that ask at A and at B at once are told by one job", async () => {
    const { call } = await olderGameOf(two.each, "bob")
    const answers = await Promise.all(Array.from({ length: 8 }, () => call("GET", "/sdk/v1/requests")))
    const ids = answers.flatMap(({ body }) => body.map(({ requestId }: { requestId: number }) => requestId))
    assert.lengthOf(ids, answers.length)
    assert.lengthOf([...new Set(ids)], 1)
  })

  it("ContextProperties: what was said of units at A and at B is known together", async () => {
    const { name } = await lab.configure()
    for (const level of [1, 2, 3, 4]) await lab.evaluate(name, `u${level}`, { "properties.level": level })
    const list = async () => (await lab.call("GET", `${lab.root}/experiments/context-properties`)).body
    await list()
    await list()
    const [level] = await list()
    assert.sameMembers(level.values, [1, 2, 3, 4])
  })
})
