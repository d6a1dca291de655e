import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { mebibyte } from "../../../src/domain/LruCache.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { Version } from "../../../src/domain/Validity.ts"
import { Replay } from "../../../src/http/game/Replay.ts"
import { WrittenAnswers } from "../../../src/services/game/WrittenAnswers.ts"

const count = 100
const budget = 64 * mebibyte
const places = Array.from({ length: count }, (_, place) => place)
const validity = new Version().validity()

describe("E7: kept answers to games", () => {
  it.effect("of any size take no more bytes than their budget, however few they are", () =>
    Effect.gen(function* () {
      const answers = yield* WrittenAnswers
      const delivered = { environmentId: EnvironmentId.make(1), audience: "client" as const, validity }
      const keys: Array<string> = []
      for (const place of places) {
        const write = Effect.succeed({ hash: String(place), bytes: new Uint8Array(mebibyte) })
        keys.push((yield* answers.of(delivered, String(place), write)).key)
      }
      const kept = keys.filter((key) => answers.find(key, 0) !== undefined)
      assert.isAtMost(kept.length * mebibyte, budget)
      assert.isAbove(kept.length, 32)
      assert.deepStrictEqual(kept, keys.slice(-kept.length))
    }).pipe(Effect.provide(WrittenAnswers.Default))
  )

  it.effect("to polls do not either", () =>
    Effect.gen(function* () {
      const replay = yield* Replay
      const url = (place: number) => `/sdk/v2/configurations?configuration=${place}`
      for (const place of places) {
        const headers = { authorization: "sdk_a" }
        const request = HttpServerRequest.fromWeb(new Request(`http://a${url(place)}`, { headers }))
        replay.allow(request, validity)
        replay.keep(request, HttpServerResponse.uint8Array(new Uint8Array(mebibyte)), validity)
      }
      const kept = places.filter((place) => {
        const request = Object.assign(new IncomingMessage(new Socket()), {
          method: "GET",
          url: url(place),
          headers: { authorization: "sdk_a" }
        })
        return replay.answer(request, new ServerResponse(request), {})
      })
      assert.isAtMost(kept.length * mebibyte, budget)
      assert.isAbove(kept.length, 32)
    }).pipe(Effect.provide(Replay.Default))
  )
})
