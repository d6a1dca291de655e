import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { OneTimeCodesLive } from "../../../src/adapters/node/OneTimeCodes.ts"
import { OneTimeCodes } from "../../../src/ports/access/OneTimeCodes.ts"

/** "12345678901234567890" in base32: the key of the examples in RFC 6238, appendix B, of whose eight digits an app shows the last six. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
const examples: ReadonlyArray<readonly [seconds: number, code: string]> = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"]
]

const run = <A>(work: (codes: OneTimeCodes["Type"]) => A): A =>
  Effect.runSync(Effect.provide(Effect.map(OneTimeCodes, work), OneTimeCodesLive))

describe("one-time codes", () => {
  it("are those of RFC 6238, and good 30 seconds before and after", () => {
    for (const [seconds, code] of examples) {
      const step = Math.floor(seconds / 30)
      for (const [off, expected] of [
        [-60, Option.none()],
        [-30, Option.some(step)],
        [0, Option.some(step)],
        [30, Option.some(step)],
        [60, Option.none()]
      ] as const) {
        const found = run(({ stepOf }) => stepOf(secret, code, (seconds + off) * 1000))
        assert.deepStrictEqual(found, expected, `${code} at ${seconds} ${off}`)
      }
    }
  })

  it("no other text is one", () => {
    for (const code of ["", "28708", "2870822", "28708x", "２８７０８２"]) {
      assert.deepStrictEqual(
        run(({ stepOf }) => stepOf(secret, code, 59_000)),
        Option.none(),
        code
      )
    }
  })

  it("keys are of 160 bits, each another, and stand in the address with both names", () => {
    const keys = run(({ secret: make }) => [Effect.runSync(make), Effect.runSync(make)])
    for (const key of keys) assert.match(key, /^[A-Z2-7]{32}$/)
    assert.notStrictEqual(keys[0], keys[1])
    const address = new URL(run((codes) => codes.address(secret, "Gamekeeper a.example:8080", "ada+x@b.example")))
    assert.strictEqual(address.protocol, "otpauth:")
    assert.strictEqual(address.host, "totp")
    assert.strictEqual(decodeURIComponent(address.pathname), "/Gamekeeper a.example:8080:ada+x@b.example")
    assert.strictEqual(address.searchParams.get("secret"), secret)
    assert.strictEqual(address.searchParams.get("issuer"), "Gamekeeper a.example:8080")
  })
})
