import { HttpApiError, HttpServerRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Logger } from "effect"
import { ReferencesChanged } from "../../../src/ports/operations/ReferencesChanged.ts"
import { respond } from "../../../src/http/middleware/ErrorEnvelope.ts"

const misfit = new HttpApiError.HttpApiDecodeError({
  issues: [{ _tag: "Type", path: ["items", 0, "secret"], message: "Expected number, actual gk_live_1234" }],
  message: "Expected number, actual gk_live_1234"
})

const cases = [
  ["is a logged failure of the server where nothing is wrong with what came", "/users/me", 500, true],
  ["is the caller's where a parameter is wrong", "/application/one/environments", 400, false],
  ["is the caller's where the path has an empty segment", "/application//environments", 400, false]
] as const

it.effect("a reference that somebody else has broken meanwhile is a refusal that nobody logs", () => {
  const lines: Array<string> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => void lines.push(String(message)))
  )
  const request = HttpServerRequest.fromWeb(new Request("http://test/application/1/environments"))
  return Effect.map(Effect.provide(respond(Cause.die(new ReferencesChanged()), request), logger), (response) => {
    assert.strictEqual(response.status, 409)
    assert.deepStrictEqual(lines, [])
  })
})

describe("what does not fit its schema", () => {
  for (const [name, path, status, isLogged] of cases)
    it.effect(name, () => {
      const lines: Array<string> = []
      const logger = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ message }) => void lines.push(String(message)))
      )
      const request = HttpServerRequest.fromWeb(new Request(`http://test${path}`))
      return Effect.map(Effect.provide(respond(Cause.fail(misfit), request), logger), (response) => {
        assert.strictEqual(response.status, status)
        assert.deepStrictEqual(lines, isLogged ? ["An answer does not fit its schema, at items.0.secret"] : [])
      })
    })
})
