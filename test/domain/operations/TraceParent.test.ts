import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { isTraceSampled, traceParentIn } from "../../../src/domain/operations/telemetry/TraceParent.ts"

const [trace, span] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]
const read = { traceId: trace, spanId: span }

describe("traceparent", () => {
  it.each([
    ["sampled", `00-${trace}-${span}-01`, { ...read, isSampled: true }],
    ["not sampled", `00-${trace}-${span}-00`, { ...read, isSampled: false }],
    ["with flags of later versions", `00-${trace}-${span}-03`, { ...read, isSampled: true }],
    ["of a later version, which says more", `cc-${trace}-${span}-01-what-else`, { ...read, isSampled: true }],
    ["of the first version, which says more", `00-${trace}-${span}-01-what-else`, null],
    ["of the version that is none", `ff-${trace}-${span}-01`, null],
    ["with a trace id of zeros", `00-${"0".repeat(32)}-${span}-01`, null],
    ["with a span id of zeros", `00-${trace}-${"0".repeat(16)}-01`, null],
    ["in capitals", `00-${trace.toUpperCase()}-${span}-01`, null],
    ["cut off", `00-${trace}-${span}`, null],
    ["twice", `00-${trace}-${span}-01, 00-${trace}-${span}-01`, null],
    ["empty", "", null],
    ["absent", undefined, null]
  ])("is read as W3C Trace Context has it: %s", (_case, header, expected) => {
    assert.deepStrictEqual(traceParentIn(header), expected)
  })
})

describe("the share of traces", () => {
  const id = fc.stringMatching(/^[0-9a-f]{32}$/)

  it("is none at 0 and all at 1, and who is in a share is in every larger one", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(id, share, share, (traceId, one, other) => {
        assert.isFalse(isTraceSampled(traceId, 0))
        assert.isTrue(isTraceSampled(traceId, 1))
        if (isTraceSampled(traceId, Math.min(one, other))) assert.isTrue(isTraceSampled(traceId, Math.max(one, other)))
      })
    )
  })

  it.each([
    ["00000000000000000000000000000000", 0.1, true],
    ["ffffffffffffffffffffffffffffffff", 0.999, false],
    ["00000000000000000007ffffffffffff", 0.5, true],
    ["00000000000000000008000000000000", 0.5, false]
  ])("%s at %d: %s", (traceId, share, expected) => {
    assert.strictEqual(isTraceSampled(traceId, share), expected)
  })
})
