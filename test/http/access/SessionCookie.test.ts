import { assert, describe, it } from "@effect/vitest"
import { Cookies } from "@effect/platform"
import { FastCheck as fc } from "effect"
import { vi } from "vitest"
import { cookieIn } from "../../../src/http/middleware/SessionCookie.ts"
import { runCount } from "../../support/Runs.ts"

const name = "auth-token"
const pieces = fc.constantFrom(
  name,
  ` ${name} `,
  "=",
  ";",
  "; ",
  "x",
  '"',
  "%41",
  "%",
  "other=1; ",
  `${name}=abc`,
  `x${name}=1`
)

describe("E8: the session among the cookies of a request", () => {
  it.prop(
    "is what the platform finds",
    [fc.array(pieces, { maxLength: 12 })],
    ([parts]) => {
      const header = parts.join("")
      assert.strictEqual(cookieIn(header, name), Cookies.parseHeader(header)[name])
    },
    { fastCheck: { numRuns: runCount(2_000) } }
  )

  it("is found without reading a thousand others", () => {
    const read = vi.spyOn(String.prototype, "substring")
    const others = Array.from({ length: 1_000 }, (_, n) => `c${n}=v`).join("; ")
    assert.strictEqual(cookieIn(`${others}; ${name}=abc; ${others}`, name), "abc")
    assert.isAtMost(read.mock.calls.length, 10)
    assert.isUndefined(cookieIn(others, name))
    assert.isAtMost(read.mock.calls.length, 10)
    read.mockRestore()
  })
})
