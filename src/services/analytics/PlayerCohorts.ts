import { Array, DateTime, Effect, Option } from "effect"
import type { PlayerRecord } from "../../../schema/analytics/Players.ts"
import type { CohortId, EnvironmentId } from "../../domain/Ids.ts"
import { CohortMembers } from "../../ports/cohorts/CohortMembers.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { answered } from "./QueryFailure.ts"

/** The cohorts of a single player. */
export class PlayerCohorts extends Effect.Service<PlayerCohorts>()("services/analytics/PlayerCohorts", {
  effect: Effect.gen(function* () {
    const cohorts = yield* CohortRepo
    const members = yield* CohortMembers
    const transaction = yield* Transaction

    /** Those the unit belongs to now, by id. */
    const now = Effect.fnUntraced(function* (environmentId: EnvironmentId, unitId: string) {
      const found = yield* answered(members.ofUnit(environmentId, unitId))
      const names = new Map((yield* cohorts.outlines(environmentId)).map(({ id, name }) => [id, name]))
      return Array.filterMap(found, ({ cohortId, enteredAt }) =>
        Option.map(Option.fromNullable(names.get(cohortId)), (name) => ({
          id: cohortId,
          name,
          enteredAt: DateTime.unsafeMake(enteredAt)
        }))
      ) satisfies PlayerRecord["cohorts"]
    })

    /** The unit's last stay in each cohort it belongs to or ever belonged to, by id. */
    const ever = Effect.fnUntraced(function* (environmentId: EnvironmentId, unitId: string) {
      const stays = yield* Effect.forEach(yield* cohorts.outlines(environmentId), ({ id, name }) =>
        Effect.map(answered(members.membership(environmentId, id, [unitId], null)), ([stay]) =>
          Option.map(Option.fromNullable(stay?.enteredAt), (enteredAt) => ({
            cohortId: id,
            name,
            enteredAt: DateTime.unsafeMake(enteredAt),
            leftAt: typeof stay?.leftAt === "number" ? DateTime.unsafeMake(stay.leftAt) : null
          }))
        )
      )
      return Array.getSomes(stays)
    })

    /** Writes the numbers of members down anew, after a unit was erased from these cohorts; null: from any. */
    const recount = Effect.fnUntraced(function* (environmentId: EnvironmentId, ids: ReadonlyArray<CohortId> | null) {
      for (const id of ids ?? (yield* cohorts.outlines(environmentId)).map((cohort) => cohort.id)) {
        const memberCount = yield* answered(members.count(environmentId, id, null))
        const written = Effect.flatMap(cohorts.find(environmentId, id), (found) =>
          Option.isSome(found) && found.value.memberCount !== memberCount
            ? Effect.asVoid(cohorts.update({ ...found.value, memberCount }))
            : Effect.void
        )
        yield* transaction.run(written)
      }
    })

    return { now, ever, recount } as const
  })
}) {}
