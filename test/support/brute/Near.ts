import { assert } from "@effect/vitest"

const isNumber = (value: unknown): value is number => typeof value === "number"

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** Asserts that two answers are equal, but for the last digits of numbers that were rounded in another order. */
export const near = (actual: unknown, expected: unknown, path = "answer"): void => {
  if (isNumber(actual) && isNumber(expected))
    return assert.isTrue(
      Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
      `${path}: ${actual}, by hand ${expected}`
    )
  if (isList(actual) && isList(expected)) {
    assert.lengthOf(actual, expected.length, path)
    return actual.forEach((one, index) => near(one, expected[index], `${path}.${index}`))
  }
  if (typeof actual === "object" && actual !== null && typeof expected === "object" && expected !== null) {
    const [left, right] = [new Map(Object.entries(actual)), new Map(Object.entries(expected))]
    assert.sameMembers([...left.keys()], [...right.keys()], path)
    return left.forEach((one, key) => near(one, right.get(key), `${path}.${key}`))
  }
  assert.strictEqual(actual, expected, path)
}
