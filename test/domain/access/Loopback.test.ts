import { assert, describe, it } from "@effect/vitest"
import { isLoopback } from "../../../src/domain/access/Loopback.ts"
import { isSameSecret } from "../../../src/domain/access/SecretEquality.ts"

describe("addresses of this machine", () => {
  it.each(["127.0.0.1", "127.0.0.53", "::1", "::ffff:127.0.0.1", "::FFFF:127.1.2.3"])("%s is one", (address) => {
    assert.isTrue(isLoopback(address))
  })

  it.each([
    "10.0.0.1",
    "::",
    "0.0.0.0",
    "128.0.0.1",
    "127.0.0.1.example",
    "1127.0.0.1",
    "::ffff:10.0.0.1",
    "unknown",
    ""
  ])("%s is none", (address) => {
    assert.isFalse(isLoopback(address))
  })
})

describe("secrets", () => {
  it("are the same where every byte is", () => {
    const bytes = (...all: ReadonlyArray<number>) => Uint8Array.from(all)
    assert.isTrue(isSameSecret(bytes(1, 2, 255), bytes(1, 2, 255)))
    for (const other of [bytes(1, 2, 254), bytes(0, 2, 255), bytes(1, 2), bytes(1, 2, 255, 0), bytes()])
      assert.isFalse(isSameSecret(bytes(1, 2, 255), other))
  })
})
