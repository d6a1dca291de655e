import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { BrowserRepo } from "../../src/ports/BrowserRepo.ts"
import { contract } from "../support/MetadataStores.ts"
import { account, addUser, at, dies, same, userId } from "../support/Rows.ts"

const people = Effect.forEach([1, 2, 3], addUser)

contract("BrowserRepo", (holds) => {
  holds("keeps the accounts with every field, in the order they were given", () =>
    Effect.gen(function* () {
      const browsers = yield* BrowserRepo
      yield* people
      const accounts = [account(3), account(1, { isActive: true, handle: "Zoë's 🎮" }), account(2)]
      const browser = yield* browsers.insert({ tokenHash: "a", createdAt: at(7), accounts })
      same(browser, { id: browser.id, tokenHash: "a", createdAt: at(7), accounts })
      same(yield* browsers.findByTokenHash("a"), Option.some(browser))
      same(yield* browsers.findByTokenHash("A"), Option.none())
    })
  )

  holds("keeps a browser without any account", () =>
    Effect.gen(function* () {
      const browsers = yield* BrowserRepo
      const browser = yield* browsers.insert({ tokenHash: "a", createdAt: at(), accounts: [] })
      same(yield* browsers.findByTokenHash("a"), Option.some(browser))
    })
  )

  holds("an update replaces the token's hash and the whole list of accounts", () =>
    Effect.gen(function* () {
      const browsers = yield* BrowserRepo
      yield* people
      const before = yield* browsers.insert({ tokenHash: "a", createdAt: at(), accounts: [account(1), account(2)] })
      const other = yield* browsers.insert({ tokenHash: "b", createdAt: at(), accounts: [account(1)] })
      const accounts = [account(2, { handle: "handle 1", isActive: true, lastUsedAt: at(99) }), account(3)]
      const after = { ...before, tokenHash: "c", accounts }
      same(yield* browsers.update(after), after)
      same(yield* browsers.findByTokenHash("a"), Option.none())
      same(yield* browsers.findByTokenHash("c"), Option.some(after))
      same(yield* browsers.findByTokenHash("b"), Option.some(other))
      yield* browsers.update({ ...after, accounts: [] })
      same(yield* browsers.findByTokenHash("c"), Option.some({ ...after, accounts: [] }))
    })
  )

  holds("lists every browser in which the user has an account, whole and by id", () =>
    Effect.gen(function* () {
      const browsers = yield* BrowserRepo
      yield* people
      const first = yield* browsers.insert({ tokenHash: "z", createdAt: at(9), accounts: [account(1), account(2)] })
      yield* browsers.insert({ tokenHash: "y", createdAt: at(8), accounts: [account(2)] })
      const third = yield* browsers.insert({ tokenHash: "x", createdAt: at(7), accounts: [account(1)] })
      same(yield* browsers.listOfUser(userId(1)), [first, third])
      same(yield* browsers.listOfUser(userId(3)), [])
      yield* browsers.update({ ...first, accounts: [account(2)] })
      same(yield* browsers.listOfUser(userId(1)), [third])
    })
  )

  holds("removes a browser with its accounts, and no other", () =>
    Effect.gen(function* () {
      const browsers = yield* BrowserRepo
      yield* people
      const first = yield* browsers.insert({ tokenHash: "a", createdAt: at(), accounts: [account(1)] })
      const second = yield* browsers.insert({ tokenHash: "b", createdAt: at(), accounts: [account(1)] })
      yield* browsers.remove(first.id)
      yield* browsers.remove(first.id)
      same(yield* browsers.findByTokenHash("a"), Option.none())
      same(yield* browsers.listOfUser(userId(1)), [second])
      yield* browsers.remove(second.id)
      const third = yield* browsers.insert({ tokenHash: "c", createdAt: at(), accounts: [] })
      assert.isFalse([first.id, second.id].includes(third.id))
    })
  )

  holds("an update of a browser that is gone is a defect", () =>
    Effect.gen(function* () {
      const browsers = yield* BrowserRepo
      yield* people
      yield* dies(browsers.update({ id: 7, tokenHash: "a", createdAt: at(), accounts: [account(1)] }))
      same(yield* browsers.listOfUser(userId(1)), [])
    })
  )
})
