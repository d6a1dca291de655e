import { Effect, Option } from "effect"
import { StoreFull } from "../ports/analytics/EventStore.ts"

/**
 * Writes for the sake of an answer that does not need it: where the disk is full, `otherwise` stands for what the write would have given.
 * `/ready` and the refusals of other writes tell the operator.
 */
export const orWithoutSpace = <A, E, R>(write: Effect.Effect<A, E, R>, otherwise: A): Effect.Effect<A, E, R> =>
  Effect.catchSomeDefect(write, (defect) =>
    defect instanceof StoreFull ? Option.some(Effect.succeed(otherwise)) : Option.none()
  )
