import { assert, beforeAll, describe, it } from "@effect/vitest"
import { openStudio } from "../../support/access/Studio.ts"
import { type Analyst, analystOf, savedInsight, until } from "../../support/analytics/Analyst.ts"
import { gated } from "../../support/game/Gate.ts"
import { stores } from "../../support/Stores.ts"
import { type TwoApps, twoApps } from "../../support/operations/TwoApps.ts"

describe.each(stores)("executions of two processes over %s", (_, store) => {
  const gate = gated(store)
  let two: TwoApps
  let here: Analyst
  let there: Analyst

  beforeAll(async () => {
    two = await twoApps(gate.stores)
    const studio = await openStudio(two.a.request, "ada")
    here = analystOf(two.a.request, studio)
    there = analystOf(two.b.request, studio)
  }, 60_000)

  it("ExecutionRuns: a process that starts does not run again what A runs, and B cancels it", async () => {
    const { id } = (await here.save(savedInsight)).body
    gate.shut()
    const { executionId } = (await here.ask(id)).body
    await until(() => gate.waiting() === 1)
    const before = (await there.state(id, executionId)).body
    assert.strictEqual(before.state, "running")
    await two.start("c")
    assert.strictEqual(gate.waiting(), 1)
    assert.deepStrictEqual((await there.state(id, executionId)).body.startedAt, before.startedAt)
    assert.strictEqual((await there.cancel(id, executionId)).body.state, "canceled")
    await until(() => gate.waiting() === 0)
    assert.strictEqual((await here.state(id, executionId)).body.state, "canceled")
    gate.open()
  })

  it("ExecutionRuns: what is asked for at A is answered at B once it has ended, in one result", async () => {
    const { id } = (await here.save({ ...savedInsight, name: "Again" })).body
    const { executionId } = (await here.ask(id)).body
    const { body } = await there.reached(id, executionId, "succeeded", "failed")
    assert.strictEqual(body.state, "succeeded")
    assert.deepStrictEqual((await here.state(id, executionId)).body, body)
  })
})
