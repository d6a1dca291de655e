import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { defaults } from "../../src/app/Config.ts"
import { demandFreePort } from "../../src/app/FreePort.ts"
import { hindranceIn } from "../../src/app/PublicAddress.ts"
import { gamekeeper, startServer, withFolder } from "../support/Server.ts"

describe("the address that people use", () => {
  it.each(["", "https://play.example.com", "https://play.example.com/", "http://127.0.0.1:4210"])(
    "%j is fine",
    (address) => assert.isNull(hindranceIn({ ...defaults, publicUrl: address }))
  )

  it.each(["https://example.com/gamekeeper", "https://example.com/gamekeeper/"])(
    "%j leads to pages that stay empty, which a start says",
    (address) =>
      assert.match(
        hindranceIn({ ...defaults, publicUrl: address }) ?? "",
        /stays empty below the path of --public-url .* a host name of its own$/
      )
  )

  it.each(["0.0.0.0", "::"])("is asked for where a server listens on %s, which no link can lead to", (host) => {
    assert.match(hindranceIn({ ...defaults, host }) ?? "", /lead to http:\/\/127\.0\.0\.1:4210, .* --public-url names/)
    assert.isNull(hindranceIn({ ...defaults, host, publicUrl: "https://play.example.com" }))
  })

  it.effect("has a port that is chosen before anything else begins, where any free one is taken", () =>
    Effect.gen(function* () {
      const port = yield* demandFreePort("127.0.0.1", 0)
      assert.isAbove(port, 0)
      assert.strictEqual(yield* demandFreePort("127.0.0.1", port), port)
    })
  )

  it("has the port on which a server listens that took a free one, and a command that does not know it says so", () =>
    withFolder(async (folder) => {
      const server = await startServer(folder)
      const signedUp = await fetch(`${server.url}/users/auth/signup`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "Ada", email: "ada@example.com", password: "correct horse", motive: "trying it" })
      })
      assert.include(await signedUp.text(), `"picture":"${server.url}/users/`)
      const command = ["reset-password", "--email", "ada@example.com", "--data", folder, "--port", "0"]
      const unknown = await gamekeeper(command).ended
      assert.deepStrictEqual([unknown.code, unknown.out], [1, ""])
      assert.match(unknown.err, /^gamekeeper: --port 0 does not say where the server listens.* by --public-url\n$/)
      const known = await gamekeeper([...command, "--public-url", server.url]).ended
      assert.match(known.out, new RegExp(`^${server.url}/reset-password#`))
      await server.stop()
    }))
})
