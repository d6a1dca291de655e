import { Effect, Either } from "effect"
import { ClickHouseRefused } from "../ClickHouse.ts"

/**
 * Works for one environment after the other. What ClickHouse refuses of one, as a block of which it has lost rows, keeps none of the others waiting,
 * and is told in the end. Where one of the databases does not answer, nothing more is tried.
 */
export const inEach = Effect.fnUntraced(function* <A, E, R>(
  environments: Iterable<A>,
  work: (environment: A) => Effect.Effect<unknown, E | ClickHouseRefused, R>
) {
  let refused: ClickHouseRefused | null = null
  for (const environment of environments) {
    const done = yield* Effect.either(work(environment))
    if (Either.isRight(done)) continue
    if (!(done.left instanceof ClickHouseRefused)) return yield* Effect.fail(done.left)
    refused ??= done.left
  }
  if (refused !== null) return yield* refused
})
