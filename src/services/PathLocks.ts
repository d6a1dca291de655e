import { Effect } from "effect"
import type { PathLock } from "../domain/experiments/PathLock.ts"
import type { EnvironmentId } from "../domain/Ids.ts"

/** What scheduled and running experiments hold of the configurations of an environment. */
export class PathLocks extends Effect.Service<PathLocks>()("services/PathLocks", {
  succeed: {
    of: Effect.fn("PathLocks.of")((_: EnvironmentId) => Effect.succeed<ReadonlyArray<PathLock>>([]))
  }
}) {}
