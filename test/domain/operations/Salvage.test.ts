import { assert, describe, it } from "@effect/vitest"
import { describeLoss, describeTable, goneFrom, missingByDay } from "../../../src/domain/operations/Salvage.ts"

const counts = (days: Readonly<Record<string, Readonly<Record<number, number>>>>) =>
  new Map(
    Object.entries(days).map(([type, own]) => [
      type,
      new Map(Object.entries(own).map(([day, markers]) => [Number(day), markers]))
    ])
  )

const loss = { environmentId: 3, parts: [], type: "Level", from: 0, to: 1000, markers: 2, isExact: true }

const account = {
  environmentId: 3,
  highest: 12,
  unsealed: 11,
  before: counts({ Buy: { 1: 4 }, Level: { 0: 1, 1: 5 } }),
  after: counts({ Level: { 0: 1, 1: 3 } }),
  kept: 5,
  keptSealed: 4,
  isThinned: false
}

describe("what a repair has lost", () => {
  it("is the difference of two catalogues, by type and day", () => {
    assert.deepStrictEqual(missingByDay(account.before, account.after), [
      { type: "Buy", day: 1, markers: 4 },
      { type: "Level", day: 1, markers: 2 }
    ])
    assert.deepStrictEqual(missingByDay(account.after, account.after), [])
  })

  it("is told by the catalogue where that is whole, else by segments, and the rest as a number", () => {
    const numbers = (of: typeof account) =>
      goneFrom(of, [loss]).map(({ type, markers, isExact }) => [type, markers, isExact])
    assert.deepStrictEqual(numbers(account), [
      ["Buy", 4, true],
      ["Level", 2, true],
      [null, 1, true]
    ])
    assert.deepStrictEqual(numbers({ ...account, before: counts({ Level: { 0: 1 } }) }), [
      ["Level", 2, true],
      [null, 5, true]
    ])
    assert.deepStrictEqual(numbers({ ...account, isThinned: true }), [
      ["Level", 2, true],
      [null, 5, false]
    ])
    assert.deepStrictEqual(goneFrom({ ...account, highest: 4, unsealed: 5, before: account.after, kept: 4 }, []), [])
  })

  it("is said in a line each", () => {
    assert.deepStrictEqual(
      [
        describeLoss(loss),
        describeLoss({ ...loss, type: null, from: null, to: null, markers: 1, isExact: false }),
        describeLoss({ ...loss, from: 1000, parts: ["argument gold", "session"] }),
        describeTable("metadata.sqlite", { name: "users", rows: 1, lostPages: 2, lostRows: 0 })
      ],
      [
        "Environment 3: 2 markers of type Level between 1970-01-01T00:00:00.000Z and 1970-01-01T00:00:01.000Z are lost",
        "Environment 3: up to 1 marker of types that are not known at times that are not known are lost",
        "Environment 3: 2 markers of type Level of 1970-01-01T00:00:01.000Z stay without what they held as argument gold, session",
        "metadata.sqlite: users keeps 1 row; 2 pages of it cannot be read"
      ]
    )
  })
})
