import { Effect, Layer } from "effect"
import { SetAside } from "../../ports/operations/SetAside.ts"

/** For stores that are not put back from copies of different times, so that nothing is ever set aside. */
export const NothingSetAside = Layer.succeed(SetAside, {
  environments: Effect.succeed([]),
  all: Effect.succeed([]),
  forget: () => Effect.void
})
