import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { UnitOrder } from "../../../../../src/adapters/sqlite/events/file/UnitOrder.ts"
import { pageOfUnitNumbers } from "../../../../../src/adapters/sqlite/events/read/UnitPage.ts"
import { runCount } from "../../../../support/Runs.ts"

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const name = fc
  .array(fc.constantFrom("a", "b", "é", "\ud7ff", "\ue000", "\uffff", "😀"), { minLength: 1, maxLength: 3 })
  .map((characters) => characters.join(""))

it("A page of units is the same whether names are looked up or units are read in the order of their ids", () => {
  const seen = { lookedUp: 0, read: 0 }
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(name, fc.boolean()), { maxLength: 40, selector: ([id]) => id }),
      fc.option(name),
      fc.integer({ min: 1, max: 20 }),
      (all, after, limit) => {
        const names = ["", ...all.map(([id]) => id)]
        const environment = {
          units: names.length,
          unitName: (unit: number) => {
            seen.lookedUp++
            return names[unit] ?? null
          },
          *unitsInOrder({ prefix, after: last, direction }: UnitOrder) {
            assert.deepStrictEqual([prefix, direction], ["", "ascending"])
            seen.read++
            for (const id of names.slice(1).sort(byBytes))
              if (last === null || byBytes(id, last) > 0) yield { unit: names.indexOf(id), name: id }
          }
        }
        const flags = Uint8Array.from([0, ...all.map(([, isListed]) => Number(isListed))])
        const listed = all.filter(([, isListed]) => isListed).map(([id]) => id)
        const expected = listed.filter((id) => after === null || byBytes(id, after) > 0).sort(byBytes)
        const page = pageOfUnitNumbers(flags, listed.length, { after, limit }, environment)
        assert.deepStrictEqual(
          page.map(({ unit, name: id }) => [unit, id]),
          expected.slice(0, limit).map((id) => [names.indexOf(id), id])
        )
      }
    ),
    { numRuns: runCount(500) }
  )
  assert.isAbove(seen.lookedUp, 0)
  assert.isAbove(seen.read, 0)
})
