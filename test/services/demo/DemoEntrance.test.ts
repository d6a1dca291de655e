import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { Services } from "../../../src/app/Services.ts"
import { minuteMillis } from "../../../src/domain/Durations.ts"
import { UserId } from "../../../src/domain/Ids.ts"
import { DemoEntrance, openMinutes } from "../../../src/services/demo/DemoEntrance.ts"
import { asOf } from "../../../src/services/demo/Past.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const openedAt = Date.parse("2026-06-15T12:00:00Z")
const lastMillisecond = openedAt + openMinutes * minuteMillis - 1

describe("the way into the demo studio", () => {
  const { request, run } = testApp(MemoryStores)
  const layer = DemoEntrance.Default.pipe(Layer.provide(Services))

  const through = async (visits: (secret: string) => ReadonlyArray<readonly [secret: string, at: number]>) => {
    const studio = await openStudio(request, `ada${Math.random()}`.replace(".", ""))
    const tokens = await run(
      Effect.gen(function* () {
        const entrance = yield* DemoEntrance
        const secret = yield* asOf(openedAt)(entrance.open(UserId.make(studio.userId)))
        assert.match(secret, /^[\w-]{43}$/)
        return yield* Effect.forEach(visits(secret), ([shown, at]) => asOf(at)(entrance.enter(shown, undefined)))
      }).pipe(Effect.provide(layer), Effect.scoped)
    )
    return tokens.map(Option.map(({ token }) => Redacted.value(token)))
  }

  const cases: ReadonlyArray<
    readonly [name: string, visits: Parameters<typeof through>[0], entered: ReadonlyArray<boolean>]
  > = [
    [
      "opens once",
      (secret) => [
        [secret, openedAt],
        [secret, openedAt]
      ],
      [true, false]
    ],
    ["opens to the last millisecond", (secret) => [[secret, lastMillisecond]], [true]],
    [
      "is closed after that, for ever",
      (secret) => [
        [secret, lastMillisecond + 1],
        [secret, openedAt]
      ],
      [false, false]
    ],
    [
      "is not opened, and not closed, by any other secret",
      (secret) => [
        ["", openedAt],
        [secret.slice(1), openedAt],
        [`${secret.slice(0, -1)}~`, openedAt],
        [secret, openedAt]
      ],
      [false, false, false, true]
    ]
  ]

  it.each(cases)("%s", async (_, visits, entered) => {
    const tokens = await through(visits)
    assert.deepStrictEqual(tokens.map(Option.isSome), entered)
  })
})
