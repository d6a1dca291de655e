import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { ClickRepo } from "../../../src/ports/deeplinks/ClickRepo.ts"
import { DeeplinkRepo } from "../../../src/ports/deeplinks/DeeplinkRepo.ts"
import { nextTurn } from "../../../src/ports/operations/NextTurn.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { aClick, aDeeplink, conversionOf } from "../../support/deeplinks/Links.ts"
import { inFile } from "../../support/Stores.ts"

it.scoped("E8: no turn of the event loop erases more than 500 conversions of a unit", () =>
  Effect.gen(function* () {
    const { layer: store } = yield* inFile
    const counts: Array<number> = []
    const work = Effect.gen(function* () {
      const { application, production } = yield* aProject
      const clicks = yield* ClickRepo
      const link = aDeeplink(application.id)
      yield* (yield* DeeplinkRepo).insert(link)
      const made = Array.from({ length: 1200 }, () => aClick(link))
      yield* clicks.record(made)
      yield* (yield* Transaction).run(
        Effect.forEach(made, (click) => clicks.convert(conversionOf(click, production)), { discard: true })
      )
      const look = Effect.map(clicks.ofUnit(production, "u1"), ({ length }) => counts.push(length))
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(look, nextTurn)))
      yield* nextTurn
      yield* clicks.eraseUnit(production, "u1")
      yield* look
      assert.deepStrictEqual(yield* clicks.find(made[0]!.interactionId), Option.none())
    })
    yield* Effect.provide(work, yield* Layer.build(store))
    assert.deepStrictEqual([counts[0], counts.at(-1)], [1200, 0])
    counts.reduce((before, after) => {
      assert.isAtMost(before - after, 500)
      return after
    })
  })
)
