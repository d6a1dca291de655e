import { assert, describe, it } from "@effect/vitest"
import { passkeyDomain } from "../../../src/domain/access/Passkey.ts"

describe("the domain of passkeys", () => {
  it("is that of an https address, or localhost", () => {
    const cases: ReadonlyArray<readonly [publicUrl: string, domain: string | null]> = [
      ["https://live.studio.example", "live.studio.example"],
      ["https://live.studio.example:8443/under", "live.studio.example"],
      ["http://live.studio.example", null],
      ["http://localhost:4210", "localhost"],
      ["http://games.localhost", "games.localhost"],
      ["http://127.0.0.1:4210", null],
      ["https://203.0.113.7", null],
      ["https://[2001:db8::1]:4210", null]
    ]
    for (const [publicUrl, domain] of cases) assert.strictEqual(passkeyDomain(publicUrl), domain, publicUrl)
  })
})
