import { Effect, Layer, Option } from "effect"
import { BrowserRepo } from "../../ports/BrowserRepo.ts"
import { MemoryDb } from "./MemoryDb.ts"

export const BrowserRepoMemory = Layer.effect(
  BrowserRepo,
  Effect.map(MemoryDb, ({ browsers }) =>
    BrowserRepo.of({
      insert: (browser) => Effect.sync(() => browsers.insert({ ...browser, id: browsers.nextId() })),
      update: (browser) => Effect.sync(() => browsers.replace(({ id }) => id === browser.id, browser)),
      remove: (id) => Effect.sync(() => browsers.remove((browser) => browser.id === id)),
      findByTokenHash: (hash) =>
        Effect.sync(() => Option.fromNullable(browsers.rows.find(({ tokenHash }) => tokenHash === hash))),
      listOfUser: (userId) =>
        Effect.sync(() => browsers.rows.filter(({ accounts }) => accounts.some((account) => account.userId === userId)))
    })
  )
)
