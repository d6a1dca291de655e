import { Effect } from "effect"

Effect.runFork(Effect.void)
