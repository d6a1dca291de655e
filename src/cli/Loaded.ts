import { Effect } from "effect"

/** What one command alone uses is loaded when it runs: help, and commands beside a server, need a third of the time then. */
export const loaded = <A>(load: () => Promise<A>) => Effect.promise(load)
