import { assert, it } from "@effect/vitest"
import { Control } from "../../../../../src/adapters/sqlite/events/read/Control.ts"

it("C8: progress counts what is gone through after the rows are selected, and is whole at the end only", () => {
  const control = new Control()
  const share = () => control.rowsDone / control.rowsTotal
  control.expect(1000)
  control.selections(20)
  const seen = [share()]
  for (let step = 0; step < 20; step++) {
    control.advance(1000)
    seen.push(share())
  }
  assert.strictEqual(share(), 0.5)
  control.follow(5000)
  for (let unit = 0; unit < 49; unit++) {
    control.did(100)
    seen.push(share())
  }
  assert.isTrue(seen.every((one, at) => at === 0 || one >= seen[at - 1]!))
  assert.isBelow(share(), 1)
  control.finish()
  assert.deepStrictEqual([share(), control.rowsScanned], [1, 20_000])
})
