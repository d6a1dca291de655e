import { randomUUID } from "node:crypto"
import type { Request } from "../access/Studio.ts"
import { openStudio } from "../access/Studio.ts"
import { gameOf } from "../game/Game.ts"
import { cohortAnalystOf } from "./CohortAnalyst.ts"

/** A studio with an analyst; its game has seen the type Level of ann and 7 twice and of bob once. */
export const cohortStudioOf = async (request: Request, owner: string) => {
  const studio = await openStudio(request, owner)
  const game = await gameOf(request, studio)
  const analyst = cohortAnalystOf(request, studio)
  let names = 0
  /** A name that no other cohort of this studio has. */
  const name = () => `Cohort ${++names}`
  const send = (type: string, userIds: ReadonlyArray<string | number>) =>
    game.send(userIds.map((userId) => ({ markerId: randomUUID(), timestamp: new Date().toISOString(), type, userId })))
  await send("Level", ["ann", "ann", "bob", 7, 7])
  return { studio, game, analyst, name, send }
}

export type CohortStudio = Awaited<ReturnType<typeof cohortStudioOf>>
