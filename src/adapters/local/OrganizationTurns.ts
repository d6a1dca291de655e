import { type Effect, FiberRef } from "effect"
import { askingOrganization } from "../../ports/operations/AskingOrganization.ts"
import { makeTurns } from "./Turns.ts"

/**
 * Has one piece of work of each organization done at a time, for threads that all of them share: those of one organization wait for one
 * another, and each of another one for one of theirs at most.
 */
export const makeOrganizationTurns = () => {
  const { alone } = makeTurns()
  return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    FiberRef.getWith(askingOrganization, (organization) => alone(`${organization}`, work))
}
