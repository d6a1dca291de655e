import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import type { CohortCondition, CohortDefinition } from "../../../src/domain/cohorts/CohortDefinition.ts"
import {
  demandFewFilters,
  mayBecome,
  mayBegin,
  mostCohorts,
  mostFilters,
  mostValues
} from "../../../src/domain/cohorts/CohortSize.ts"

const filter = (values: number) => ({
  source: "property" as const,
  name: "platform",
  operator: "isIn" as const,
  value: Array.from({ length: values }, (_, at) => at)
})
const marker = (filters: number, values: number) => ({
  marker: "Level",
  filters: Array.from({ length: filters }, () => filter(values)),
  match: "all" as const
})
const last = { last: 30, unit: "day" as const }
const within = { value: 1, unit: "day" as const }

const all = (...children: CohortDefinition["children"]): CohortDefinition => ({ op: "and", negate: false, children })
const first = (filters: number, values = 1): CohortCondition => ({
  type: "firstTime",
  window: last,
  ...marker(filters, values)
})
const both = (filters: number): CohortCondition => ({
  type: "sequence",
  first: marker(filters, 1),
  next: marker(filters, 1),
  within,
  window: last
})

describe("a definition of a cohort", () => {
  it.each([
    ["as many filters as it may", all(first(mostFilters)), true],
    ["one filter more", all(first(mostFilters + 1)), false],
    ["as many, further down and in sequences", all(all(both(mostFilters / 4)), first(mostFilters / 2)), true],
    ["one filter more than these", all(all(both(mostFilters / 4)), first(mostFilters / 2 + 1)), false],
    ["as many values as it may", all(first(20, mostValues / 20)), true],
    ["one value more", all(first(20, mostValues / 20), first(1)), false]
  ])("has %s", (_, definition, isAllowed) => {
    assert.strictEqual(Either.isRight(demandFewFilters(definition)), isAllowed)
  })
})

describe("an environment", () => {
  const { count, characters } = mostCohorts

  it.each([
    ["none", { count: 0, characters: 0 }, "x", true],
    ["one fewer than it may have", { count: count - 1, characters: 0 }, null, true],
    ["as many as it may have", { count, characters: 0 }, null, false],
    ["those that leave room", { count: 1, characters: characters - 1 }, "x", true],
    ["those that leave too little", { count: 1, characters }, "x", false]
  ] as const)("has %s", (_, size, definition, isAllowed) => {
    assert.strictEqual(mayBegin(size, definition), isAllowed)
  })

  it.each([
    ["longer where there is room", { count, characters: characters - 1 }, "x", "xx", true],
    ["longer where there is none", { count: 1, characters }, "x", "xx", false],
    ["as long where there is none", { count: count + 1, characters: characters + 9 }, "xx", "yy", true],
    ["a list of units", { count, characters: characters + 9 }, "xx", null, true]
  ] as const)("lets one of them become %s", (_, size, before, after, isAllowed) => {
    assert.strictEqual(mayBecome(size, before, after), isAllowed)
  })
})
