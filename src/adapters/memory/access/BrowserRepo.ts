import { Effect, Layer, Option } from "effect"
import type { Browser } from "../../../domain/access/Browser.ts"
import { inOrder } from "../../../domain/access/Browser.ts"
import { BrowserRepo } from "../../../ports/access/BrowserRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const BrowserRepoMemory = Layer.effect(
  BrowserRepo,
  Effect.map(MemoryDb, ({ access, browsers }) => {
    const ordered = (browser: Browser): Browser => ({ ...browser, accounts: inOrder(browser.accounts) })
    return BrowserRepo.of({
      insert: (browser) => access(() => browsers.insert(ordered({ ...browser, id: browsers.nextId() }))),
      update: (browser) => access(() => browsers.replace(({ id }) => id === browser.id, ordered(browser))),
      remove: (id) => access(() => browsers.remove((browser) => browser.id === id)),
      findByTokenHash: (hash) =>
        access(() => Option.fromNullable(browsers.rows.find(({ tokenHash }) => tokenHash === hash))),
      listOfUser: (userId) =>
        access(() => browsers.rows.filter(({ accounts }) => accounts.some((account) => account.userId === userId)))
    })
  })
)
