import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Browser } from "../../domain/access/Browser.ts"
import type { UserId } from "../../domain/Ids.ts"

/** Browsers, each with its accounts in the order of `inOrder`. */
export class BrowserRepo extends Context.Tag("ports/access/BrowserRepo")<
  BrowserRepo,
  {
    readonly insert: (browser: Omit<Browser, "id">) => Effect.Effect<Browser>
    /** Writes the browser's token hash and its whole list of accounts. */
    readonly update: (browser: Browser) => Effect.Effect<Browser>
    /** Removes the browser with all its accounts. */
    readonly remove: (id: number) => Effect.Effect<void>
    readonly findByTokenHash: (hash: string) => Effect.Effect<Option.Option<Browser>>
    /** Every browser in which the user has an account, by id. */
    readonly listOfUser: (userId: UserId) => Effect.Effect<ReadonlyArray<Browser>>
  }
>() {}
