import { Effect, Option } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { GameHeaders } from "../../../schema/game/GameHeaders.ts"
import type { AskMembership, MembershipAnswer } from "../../../schema/game/SdkCohorts.ts"
import { keyOf } from "../../domain/access/Principal.ts"
import { unitIdText, unitIdTexts } from "../../domain/cohorts/UnitIds.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { CohortMembers } from "../../ports/cohorts/CohortMembers.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { GameAccess } from "./GameAccess.ts"
import { answered } from "../analytics/QueryFailure.ts"

/** Requests of one key in one environment. */
export const membershipLimit = { limit: 6000, windowMillis: 60_000 }
/** Those of them that one network may send with a public key, which every player has: otherwise one would use it up for all. */
export const membershipOfNetwork = { limit: 1200, windowMillis: 60_000 }

/** What games ask of cohorts. */
export class SdkCohorts extends Effect.Service<SdkCohorts>()("services/game/SdkCohorts", {
  effect: Effect.gen(function* () {
    const { trustProxy } = yield* Settings
    const access = yield* GameAccess
    const cohorts = yield* CohortRepo
    const members = yield* CohortMembers

    const membership = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      { cohortName, userIds }: AskMembership
    ) {
      const found = yield* cohorts.findByName(environmentId, cohortName)
      const unitIds = unitIdTexts(userIds)
      const stays =
        Option.isNone(found) || unitIds.length === 0
          ? []
          : yield* answered(members.membership(environmentId, found.value.id, unitIds, null))
      const inside = new Set(unitIds.filter((_, index) => stays[index]?.isMember === true))
      return {
        cohortExists: Option.isSome(found),
        users: userIds.map((userId) => ({ userId, isMember: inside.has(unitIdText(userId)) }))
      } satisfies MembershipAnswer
    })

    /** Checks that the game may ask. Returns the caller that the rate limit counts, whether every player is that caller, and the function that answers. */
    const open = Effect.fnUntraced(function* (headers: GameHeaders) {
      const { id } = yield* access.environment("sdk:read", { version: 1, headers })
      const key = keyOf(yield* Principal)
      const caller = `${key?.id} ${id}`
      return { caller, isPublic: key?.type === "public", membership: (asked: AskMembership) => membership(id, asked) }
    })

    return { open, trustProxy } as const
  })
}) {}
