import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { BrowserAccount } from "../../../src/domain/access/Browser.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import { BrowserRepo } from "../../../src/ports/access/BrowserRepo.ts"
import { SqliteStores } from "../../../src/app/Layers.ts"
import { everyStore } from "../../support/Stores.ts"
import { addUser, anyText, instant, newUserId, next } from "../../support/access/Tenants.ts"

const account = (userId: UserId, change: Partial<BrowserAccount> = {}): BrowserAccount => ({
  handle: `${anyText} ${next()}`,
  userId,
  isActive: false,
  byPasswordAlone: true,
  expiresAt: instant(3),
  lastUsedAt: instant(2),
  createdAt: instant(next()),
  browser: "Firefox on Windows",
  address: null,
  ...change
})

const newBrowser = (accounts: ReadonlyArray<BrowserAccount> = []) => ({
  tokenHash: `token ${next()}`,
  createdAt: instant(1),
  accounts
})

for (const [label, store] of everyStore) {
  layer(store)(`browsers in ${label}`, (it) => {
    it.effect("gives back what was put in, accounts in the order in which they came", () =>
      Effect.gen(function* () {
        const browsers = yield* BrowserRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        const accounts = [account(ada.id), account(bob.id, { isActive: true, byPasswordAlone: false })]
        const browser = yield* browsers.insert(newBrowser(accounts))
        assert.isAbove(browser.id, 0)
        assert.deepStrictEqual(browser.accounts, accounts)
        assert.deepStrictEqual(yield* browsers.findByTokenHash(browser.tokenHash), Option.some(browser))
      })
    )

    it.effect("keeps a browser without accounts", () =>
      Effect.gen(function* () {
        const browsers = yield* BrowserRepo
        const browser = yield* browsers.insert(newBrowser())
        assert.deepStrictEqual(yield* browsers.findByTokenHash(browser.tokenHash), Option.some(browser))
      })
    )

    it.effect("finds no browser by what is not there", () =>
      Effect.gen(function* () {
        const browsers = yield* BrowserRepo
        assert.deepStrictEqual(yield* browsers.findByTokenHash("nothing"), Option.none())
        assert.deepStrictEqual(yield* browsers.listOfUser(newUserId()), [])
      })
    )

    it.effect("replaces token and accounts, so that the former token finds nothing", () =>
      Effect.gen(function* () {
        const browsers = yield* BrowserRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        const first = account(ada.id, { isActive: true })
        const browser = yield* browsers.insert(newBrowser([first, account(bob.id)]))
        const untouched = yield* browsers.insert(newBrowser([account(ada.id)]))
        const changed = {
          ...browser,
          tokenHash: `token ${next()}`,
          accounts: [{ ...first, isActive: false, lastUsedAt: instant(9) }]
        }
        assert.deepStrictEqual(yield* browsers.update(changed), changed)
        assert.deepStrictEqual(yield* browsers.findByTokenHash(browser.tokenHash), Option.none())
        assert.deepStrictEqual(yield* browsers.findByTokenHash(changed.tokenHash), Option.some(changed))
        assert.deepStrictEqual(yield* browsers.findByTokenHash(untouched.tokenHash), Option.some(untouched))
        assert.deepStrictEqual(yield* browsers.listOfUser(bob.id), [])
      })
    )

    it.effect("answers the accounts in one order, whatever the order in which they are written", () =>
      Effect.gen(function* () {
        const browsers = yield* BrowserRepo
        const [ada, bob, eve] = [yield* addUser(), yield* addUser(), yield* addUser()]
        const createdAt = instant(0)
        const early = account(eve.id, { createdAt, handle: "z" })
        const [a, b] = [account(ada.id, { handle: "a" }), account(bob.id, { handle: "b" })]
        const tied = [
          { ...b, createdAt: instant(1) },
          { ...a, createdAt: instant(1) }
        ]
        const browser = yield* browsers.insert(newBrowser([...tied, early]))
        const found = yield* Effect.flatMap(browsers.findByTokenHash(browser.tokenHash), Effect.orDie)
        assert.deepStrictEqual(
          found.accounts.map(({ handle }) => handle),
          ["z", "a", "b"]
        )
        assert.deepStrictEqual(yield* browsers.listOfUser(ada.id), [found])
      })
    )

    it.effect("shows accounts to the token under which they were written and to no former one", () =>
      Effect.gen(function* () {
        const browsers = yield* BrowserRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        for (let operations = 16; operations < 64; operations++) {
          const before = yield* browsers.insert(newBrowser([account(ada.id)]))
          const after = { ...newBrowser([account(bob.id)]), id: before.id }
          const read = Effect.withMaxOpsBeforeYield(browsers.findByTokenHash(before.tokenHash), operations)
          const write = Effect.zipRight(Effect.yieldNow(), browsers.update(after))
          const [found] = yield* Effect.all([read, write], { concurrency: "unbounded" })
          if (Option.isSome(found)) assert.deepStrictEqual(found.value, before)
        }
      })
    )

    it.effect("lists every browser of a user by id, with the accounts of others in it", () =>
      Effect.gen(function* () {
        const browsers = yield* BrowserRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        const shared = yield* browsers.insert(newBrowser([account(ada.id), account(bob.id)]))
        const own = yield* browsers.insert(newBrowser([account(ada.id)]))
        assert.deepStrictEqual(yield* browsers.listOfUser(ada.id), [shared, own])
        assert.deepStrictEqual(yield* browsers.listOfUser(bob.id), [shared])
      })
    )

    it.effect("removes a browser with its accounts, and removing again is nothing", () =>
      Effect.gen(function* () {
        const browsers = yield* BrowserRepo
        const ada = yield* addUser()
        const [gone, kept] = [
          yield* browsers.insert(newBrowser([account(ada.id)])),
          yield* browsers.insert(newBrowser([account(ada.id)]))
        ]
        yield* browsers.remove(gone.id)
        yield* browsers.remove(gone.id)
        assert.deepStrictEqual(yield* browsers.findByTokenHash(gone.tokenHash), Option.none())
        assert.deepStrictEqual(yield* browsers.listOfUser(ada.id), [kept])
        const later = yield* browsers.insert(newBrowser())
        assert.isAbove(later.id, kept.id)
      })
    )
  })
}

layer(SqliteStores)("browsers in two tables", (it) => {
  it.effect("writes a browser and its accounts together, or not at all", () =>
    Effect.gen(function* () {
      const browsers = yield* BrowserRepo
      const [ada, bob] = [yield* addUser(), yield* addUser()]
      const first = account(ada.id)
      const browser = yield* browsers.insert(newBrowser([first]))
      const twice = { ...browser, tokenHash: "half", accounts: [first, { ...account(bob.id), handle: first.handle }] }
      assert.isTrue((yield* Effect.exit(browsers.update(twice)))._tag === "Failure")
      assert.deepStrictEqual(yield* browsers.findByTokenHash("half"), Option.none())
      assert.deepStrictEqual(yield* browsers.findByTokenHash(browser.tokenHash), Option.some(browser))
    })
  )
})
