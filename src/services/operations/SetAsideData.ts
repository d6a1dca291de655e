import { Clock, Effect, Option } from "effect"
import { CohortId, EnvironmentId } from "../../domain/Ids.ts"
import type { Stranger } from "../../domain/operations/Reconciliation.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { CohortMembers } from "../../ports/cohorts/CohortMembers.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { SetAside } from "../../ports/operations/SetAside.ts"
import { whole } from "../Whole.ts"

/** The data that belong to nobody since older metadata were put back. The operator's own work: it asks for no permission. */
export class SetAsideData extends Effect.Service<SetAsideData>()("services/operations/SetAsideData", {
  effect: Effect.gen(function* () {
    const aside = yield* SetAside
    const events = yield* EventStore
    const members = yield* CohortMembers
    const projects = yield* ProjectRepo
    const cohorts = yield* CohortRepo

    const isKnown = ({ kind, id, environmentId }: Stranger) =>
      Effect.map(
        kind === "environment"
          ? Effect.map(projects.findEnvironment(EnvironmentId.make(id)), Option.asVoid)
          : Effect.map(cohorts.find(EnvironmentId.make(environmentId), CohortId.make(id)), Option.asVoid),
        Option.isSome
      )

    const removeData = ({ kind, id, environmentId }: Stranger) =>
      kind === "environment"
        ? events.drop([EnvironmentId.make(id)])
        : members.remove(EnvironmentId.make(environmentId), CohortId.make(id))

    /** What the metadata know after all stays; it is only no longer set aside. */
    const removeOne = Effect.fnUntraced(function* (stranger: Stranger) {
      const isKept = yield* isKnown(stranger)
      if (!isKept) yield* removeData(stranger)
      yield* aside.forget(stranger, yield* Clock.currentTimeMillis)
      return isKept ? [] : [stranger]
    }, whole)

    /** Deletes all of it for ever, one after the other, so that what was cut off can be done again. Answers what was deleted. */
    const remove = Effect.fnUntraced(function* () {
      const all = yield* aside.all
      return (yield* Effect.forEach(all, removeOne)).flat()
    })

    return { remove } as const
  })
}) {}
