import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { askerOf } from "../../src/mcp/Asker.ts"

describe("a request of an assistant", () => {
  const asked: Array<string> = []
  const { ask } = askerOf({
    url: "http://localhost",
    pages: "http://localhost",
    token: Redacted.make("gk_pat_x"),
    send: ({ method, url }) => {
      asked.push(`${method} ${url}`)
      return Promise.resolve(Response.json({}))
    }
  })

  it.each([".", ".."])("is refused where the id %s would make another path of it", async (unitId) => {
    const refused = await Effect.runPromise(Effect.flip(ask("players.erase", { applicationId: 7, unitId })))
    assert.strictEqual(refused._tag, "ToolRefused")
    assert.match(refused.message, /^unitId: \.+ cannot stand in a path/)
    assert.deepStrictEqual(asked, [])
  })

  it("is sent with any other id", async () => {
    await Effect.runPromise(ask("players.get", { applicationId: 7, unitId: "../x" }))
    assert.deepStrictEqual(asked, ["GET http://localhost/application/7/players/..%2Fx"])
  })
})
