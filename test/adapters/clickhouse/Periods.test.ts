import { assert, it } from "@effect/vitest"
import { beginningOf, placeOf } from "../../../src/adapters/clickhouse/questions/Periods.ts"

const hour = 3_600_000
const day = 24 * hour

it("Periods that are as long as each other are divided, others are searched", () => {
  const even = [0, day, 2 * day]
  assert.strictEqual(beginningOf(even), `(toInt64(0) + intDiv(at - toInt64(0), ${day}) * ${day})`)
  assert.strictEqual(placeOf(even), `(intDiv(at - toInt64(0), ${day}) + 1)`)
  // A day of 25 hours, as in autumn.
  const uneven = [0, day, 2 * day + hour]
  const list = `'[0,${day},${2 * day + hour}]'::Array(Int64)`
  assert.strictEqual(beginningOf(uneven), `roundDown(at, ${list})`)
  assert.strictEqual(placeOf(uneven), `indexOf(${list}, roundDown(at, ${list}))`)
})
