import { assert, describe, it } from "@effect/vitest"
import { hasRoomForDescriptions } from "../../../../src/domain/analytics/markers/DescriptionRoom.ts"
import type { MarkerMetadata } from "../../../../src/domain/analytics/markers/MarkerMetadata.ts"

const typesOf = (...names: ReadonlyArray<string>): MarkerMetadata => ({
  types: names.map((name) => ({ name, displayName: null, description: null, hidden: false })),
  arguments: []
})

const argumentsOf = (...names: ReadonlyArray<readonly [type: string, name: string]>): MarkerMetadata => ({
  types: [],
  arguments: names.map(([type, name]) => ({ type, name, description: null, unit: null, decimals: null }))
})

describe("there is room for descriptions", () => {
  const most = { types: 2, arguments: 2 }

  it.each([
    ["of as many types as may be", typesOf("a"), typesOf("b"), true],
    ["and of no more", typesOf("a", "b"), typesOf("b", "c"), false],
    ["of those that are described, whatever the limit has become", typesOf("a", "b", "c"), typesOf("c"), true],
    ["of as many arguments as may be", argumentsOf(["a", "x"]), argumentsOf(["b", "x"]), true],
    ["and of no more, each counted for its type", argumentsOf(["a", "x"], ["b", "x"]), argumentsOf(["c", "x"]), false]
  ])("%s", (_, present, touched, isThere) => {
    assert.strictEqual(hasRoomForDescriptions(present, touched, most), isThere)
  })
})
