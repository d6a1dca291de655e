import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted, TestClock } from "effect"
import { defaults } from "../../../src/app/Config.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { Node } from "../../../src/app/ProcessAdapters.ts"
import { maxBrowsers, signIn } from "../../../src/domain/access/Browser.ts"
import { BrowserRepo } from "../../../src/ports/access/BrowserRepo.ts"
import { Sessions } from "../../../src/services/access/Sessions.ts"
import { addUser } from "../../support/access/Tenants.ts"

const world = Sessions.Default.pipe(Layer.provideMerge(Layer.mergeAll(MemoryStores, SettingsLive(defaults), Node)))

it.effect("a user is signed in to so many browsers at most: the least recently used ends, and nobody else's", () =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const { listOfUser } = yield* BrowserRepo
    const [ada, bob] = [yield* addUser(), yield* addUser()]
    const enter = (userId: typeof ada.id, cookie: string | undefined, token: string) =>
      sessions.enter(cookie === undefined ? undefined : Redacted.make(cookie), Redacted.make(token), (accounts, now) =>
        signIn(accounts, { userId, handle: userId, expiresAt: DateTime.add(now, { days: 1 }) }, 5, now)
      )
    for (let n = 0; n < maxBrowsers; n++) {
      yield* enter(ada.id, undefined, `ada ${n}`)
      yield* TestClock.adjust("1 minute")
    }
    yield* enter(bob.id, "ada 1", "shared")
    const [first, shared, ...others] = yield* listOfUser(ada.id)
    assert.strictEqual(others.length, maxBrowsers - 2)
    yield* enter(ada.id, undefined, "one more")
    assert.deepStrictEqual(
      (yield* listOfUser(ada.id)).slice(0, -1).map(({ id }) => id),
      [shared, ...others].flatMap((browser) => browser?.id ?? [])
    )
    yield* enter(ada.id, undefined, "two more")
    assert.strictEqual((yield* listOfUser(ada.id)).length, maxBrowsers)
    assert.deepStrictEqual(
      (yield* listOfUser(bob.id)).map(({ id, accounts }) => [id, accounts.map(({ userId }) => userId)]),
      [[shared?.id, [bob.id]]]
    )
    assert.notInclude(
      (yield* listOfUser(ada.id)).map(({ id }) => id),
      first?.id
    )
  }).pipe(Effect.provide(world))
)
