import { Effect, Layer, Option } from "effect"
import { BrowserRepo } from "../../ports/BrowserRepo.ts"
import { MemoryDb } from "./MemoryDb.ts"

export const BrowserRepoMemory = Layer.effect(
  BrowserRepo,
  Effect.map(MemoryDb, ({ browsers, access, change }) =>
    BrowserRepo.of({
      insert: (browser) => access(() => browsers.insert({ ...browser, id: browsers.nextId() })),
      update: (browser) => change(() => browsers.replace(({ id }) => id === browser.id, browser)),
      remove: (id) => access(() => browsers.remove((browser) => browser.id === id)),
      findByTokenHash: (hash) =>
        access(() => Option.fromNullable(browsers.rows.find(({ tokenHash }) => tokenHash === hash))),
      listOfUser: (userId) =>
        access(() => browsers.rows.filter(({ accounts }) => accounts.some((account) => account.userId === userId)))
    })
  )
)
