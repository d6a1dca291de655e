import type { Effect, Option } from "effect"
import { Context } from "effect"

/**
 * Work that only one may do at a time, among all processes that share the stores. Whoever has a turn and asks for another one of the same
 * name waits for itself, for ever.
 */
export class Turns extends Context.Tag("ports/operations/Turns")<
  Turns,
  {
    /** Runs the effect while nothing else runs under the same name, and waits until then, in order of arrival. */
    readonly alone: <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Runs the effect unless something runs under the same name: then it answers none, at once. */
    readonly once: <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<Option.Option<A>, E, R>
  }
>() {}
