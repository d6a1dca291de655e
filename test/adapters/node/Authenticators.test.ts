import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { createServer } from "node:http"
import { AuthenticatorsNode } from "../../../src/adapters/node/Authenticators.ts"
import { Authenticators } from "../../../src/ports/access/Authenticators.ts"
import { hostileAttestation } from "../../support/access/HostileAttestation.ts"
import { softAuthenticator } from "../../support/access/SoftAuthenticator.ts"

const place = { origin: "https://live.studio.example", domain: "live.studio.example" }
const challenge = Buffer.from("a challenge of some bytes").toString("base64url")

describe("a new passkey", () => {
  it("has nobody asked at an address that its certificates name: who adds it has made them up", async () => {
    const asked: Array<string | undefined> = []
    const inside = createServer(({ url }, response) => {
      asked.push(url)
      response.end("what others must not reach")
    })
    await new Promise<void>((done) => inside.listen(0, "127.0.0.1", done))
    const address = inside.address()
    const port = typeof address === "object" ? address?.port : undefined
    const authenticator = softAuthenticator(place)
    const {
      clientExtensionResults: _,
      type: __,
      ...answer
    } = authenticator.make({ challenge }, hostileAttestation(`http://127.0.0.1:${port}/secret`))
    const made = await Effect.runPromise(
      Effect.flatMap(Authenticators, ({ made }) =>
        made({ ...answer, type: "public-key" }, { ...place, challenge })
      ).pipe(Effect.provide(AuthenticatorsNode))
    )
    inside.close()
    assert.deepStrictEqual(asked, [])
    // No attestation was asked for, so that one that does not hold is no worse than none.
    assert.deepStrictEqual(
      Option.map(made, ({ credentialId }) => credentialId),
      Option.some(authenticator.id)
    )
  })
})
