import { assert, describe, it } from "@effect/vitest"
import { DateTime, Either, FastCheck as fc } from "effect"
import type { BrowserAccount } from "../../../src/domain/access/Browser.ts"
import * as Browser from "../../../src/domain/access/Browser.ts"
import { UserId } from "../../../src/domain/Ids.ts"
import { runCount } from "../../support/Runs.ts"

const start = DateTime.unsafeMake("2026-01-01T00:00:00Z")
const at = (minutes: number) => DateTime.add(start, { minutes })
const userId = (n: number) => UserId.make(`00000000-0000-4000-8000-00000000000${n}`)

type Step =
  | { readonly kind: "signIn"; readonly user: number; readonly handle: string; readonly lifetime: number }
  | { readonly kind: "switchTo" | "remove"; readonly handle: string }
  | { readonly kind: "removeUser"; readonly user: number }

const user = fc.nat(4)
const handle = fc.constantFrom("a", "b", "c", "d")
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("signIn" as const), user, handle, lifetime: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constantFrom("switchTo" as const, "remove" as const), handle }),
  fc.record({ kind: fc.constant("removeUser" as const), user })
)
const steps = fc.array(step, { maxLength: 12 })
const maxAccounts = 3

const take = (accounts: ReadonlyArray<BrowserAccount>, each: Step, now: DateTime.Utc) => {
  switch (each.kind) {
    case "signIn": {
      const expiresAt = DateTime.add(now, { minutes: each.lifetime })
      return Browser.signIn(accounts, { userId: userId(each.user), handle: each.handle, expiresAt }, maxAccounts, now)
    }
    case "switchTo":
      return Browser.switchTo(accounts, each.handle, now)
    case "remove":
      return Browser.remove(accounts, each.handle, now)
    case "removeUser":
      return Either.right(Browser.removeUser(accounts, userId(each.user), now))
  }
}

/** Every state on the way with the step that led there, one minute apart. */
const walk = (all: ReadonlyArray<Step>) => {
  let accounts: ReadonlyArray<BrowserAccount> = []
  return all.map((each, n) => {
    const before = accounts
    const result = take(before, each, at(n))
    accounts = Either.getOrElse(result, () => before)
    return { each, now: at(n), before, after: accounts, result }
  })
}

const runs = { fastCheck: { numRuns: runCount(1000) } }
const statusOf = (accounts: ReadonlyArray<BrowserAccount>, name: string, now: DateTime.Utc) =>
  accounts.filter((account) => account.handle === name).map((account) => Browser.statusOf(account, now))

describe("browser", () => {
  it.prop(
    "holds each user and each handle once, at most one active, and no more than allowed",
    [steps],
    ([all]) => {
      for (const { after } of walk(all)) {
        assert.strictEqual(new Set(after.map((account) => account.userId)).size, after.length)
        assert.strictEqual(new Set(after.map((account) => account.handle)).size, after.length)
        assert.isAtMost(after.filter((account) => account.isActive).length, 1)
        assert.isAtMost(after.length, maxAccounts)
      }
    },
    runs
  )

  it.prop(
    "signing in and switching make the account the active one",
    [steps],
    ([all]) => {
      for (const { each, now, after, result } of walk(all)) {
        if (Either.isLeft(result) || (each.kind !== "signIn" && each.kind !== "switchTo")) continue
        assert.deepStrictEqual(statusOf(after, each.handle, now), ["active"])
      }
    },
    runs
  )

  it.prop(
    "C5: refuses an unknown handle, an expired account, one too many and a handle that another user holds",
    [steps],
    ([all]) => {
      for (const { each, now, before, result } of walk(all)) {
        const refusal = Either.isLeft(result) ? result.left : undefined
        if (each.kind === "signIn") {
          const others = before.filter((one) => one.userId !== userId(each.user))
          const isTaken = others.some(({ handle }) => handle === each.handle)
          const isFull = others.length >= maxAccounts ? "too many" : undefined
          assert.strictEqual(refusal, isTaken ? "handle taken" : isFull)
        }
        if (each.kind === "remove") {
          assert.strictEqual(refusal, statusOf(before, each.handle, now).length === 0 ? "unknown" : undefined)
        }
        if (each.kind === "switchTo") {
          const [status = "unknown"] = statusOf(before, each.handle, now)
          assert.strictEqual(refusal, status === "unknown" || status === "expired" ? status : undefined)
        }
      }
    },
    runs
  )

  it.prop(
    "removing the active account activates the most recently used one that has not expired",
    [steps],
    ([all]) => {
      for (const { each, now, before, after, result } of walk(all)) {
        if (Either.isLeft(result) || (each.kind !== "remove" && each.kind !== "removeUser")) continue
        const isRemoved = (one: BrowserAccount) =>
          "user" in each ? one.userId === userId(each.user) : one.handle === each.handle
        const rest = before.filter((one) => !isRemoved(one))
        assert.deepStrictEqual(
          after.map((one) => one.handle),
          rest.map((one) => one.handle)
        )
        const active = after.find((one) => one.isActive)
        if (!before.some((one) => isRemoved(one) && one.isActive)) {
          assert.deepStrictEqual(after, rest)
          continue
        }
        const available = rest.filter((one) => Browser.statusOf(one, now) === "available")
        const latest = Math.max(...available.map((one) => one.lastUsedAt.epochMillis))
        assert.strictEqual(active?.lastUsedAt.epochMillis, available.length === 0 ? undefined : latest)
      }
    },
    runs
  )

  it("an account has expired from the very instant of its end", () => {
    const account = { isActive: true, expiresAt: at(5) }
    assert.strictEqual(Browser.statusOf(account, at(4)), "active")
    assert.strictEqual(Browser.statusOf(account, at(5)), "expired")
  })

  it("a user who signs in again keeps the day of the first sign-in and takes the new handle and place", () => {
    const place = { browser: "Firefox on Linux", address: "203.0.113.7" }
    const first = Browser.signIn([], { userId: userId(1), handle: "home", expiresAt: at(9) }, maxAccounts, at(0))
    const again = Either.flatMap(first, (accounts) =>
      Browser.signIn(accounts, { userId: userId(1), handle: "work", expiresAt: at(20) }, maxAccounts, at(10), place)
    )
    const expected = {
      userId: userId(1),
      handle: "work",
      isActive: true,
      byPasswordAlone: true,
      createdAt: at(0),
      lastUsedAt: at(10),
      ...place
    }
    assert.deepStrictEqual(Either.getOrThrow(again), [{ ...expected, expiresAt: at(20) }])
  })

  it("each sign-in says anew whether more than a password was shown, and a factor that is shown later counts for its user alone", () => {
    const accountOf = (n: number, byPasswordAlone: boolean) => ({
      userId: userId(n),
      handle: `of ${n}`,
      expiresAt: at(9),
      byPasswordAlone
    })
    const shown = [accountOf(1, false), accountOf(2, true), accountOf(1, true)].reduce(
      (accounts: ReadonlyArray<BrowserAccount>, each) =>
        Either.getOrThrow(Browser.signIn(accounts, each, maxAccounts, at(0))),
      []
    )
    const alone = (accounts: ReadonlyArray<BrowserAccount>) =>
      Object.fromEntries(accounts.map(({ handle, byPasswordAlone }) => [handle, byPasswordAlone]))
    assert.deepStrictEqual(alone(shown), { "of 1": true, "of 2": true })
    assert.deepStrictEqual(alone(Browser.prove(shown, userId(2))), { "of 1": true, "of 2": false })
  })
})
