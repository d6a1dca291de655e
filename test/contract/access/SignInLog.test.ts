import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { SignInEvent } from "../../../src/domain/access/SignInEvent.ts"
import { keptSignIns } from "../../../src/domain/access/SignInEvent.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import { SignInLog } from "../../../src/ports/access/SignInLog.ts"
import { everyStore } from "../../support/Stores.ts"
import { addUser, instant } from "../../support/access/Tenants.ts"

const attempt = (userId: UserId, at: number, event: Partial<SignInEvent> = {}): SignInEvent => ({
  userId,
  outcome: "signedIn",
  browser: "Firefox on Linux",
  address: "203.0.113.7",
  at: instant(at),
  ...event
})

for (const [label, store] of everyStore) {
  layer(store)(`sign-ins in ${label}`, (it) => {
    it.effect("gives back the attempts at one account, newest first", () =>
      Effect.gen(function* () {
        const log = yield* SignInLog
        const [ada, bob] = [(yield* addUser()).id, (yield* addUser()).id]
        const first = attempt(ada, 1, { outcome: "wrongPassword", browser: null, address: null })
        const second = attempt(ada, 1, { outcome: "passwordReset" })
        yield* log.append(first)
        yield* log.append(attempt(bob, 2))
        yield* log.append(second)
        assert.deepStrictEqual(yield* log.listOfUser(ada), [second, first])
        assert.deepStrictEqual(yield* log.listOfUser((yield* addUser()).id), [])
      })
    )

    it.effect("keeps the newest of each account", () =>
      Effect.gen(function* () {
        const log = yield* SignInLog
        const [ada, bob] = [(yield* addUser()).id, (yield* addUser()).id]
        yield* log.append(attempt(bob, 0))
        const all = Array.from({ length: keptSignIns + 5 }, (_, n) => attempt(ada, n))
        yield* Effect.forEach(all, log.append)
        assert.deepStrictEqual(yield* log.listOfUser(ada), all.slice(5).toReversed())
        assert.lengthOf(yield* log.listOfUser(bob), 1)
      })
    )
  })
}
