import { DateTime, Effect } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import type { PlannedSession } from "../../domain/demo/DemoGame.ts"
import { isOpen } from "../../domain/experiments/StoredExperiment.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Assignments } from "../experiments/Assignments.ts"
import { Evaluation } from "../game/Evaluation.ts"
import { Ingest } from "../ingest/Ingest.ts"
import { contextOf, handPickedGroup } from "./DemoEnrolment.ts"
import type { Studio } from "./DemoStudio.ts"

/** The marker as a game sends it. */
const sent = ({ type, unitId, sessionId, markerId, timestamp, position, ...event }: Event) => ({
  type,
  distinctId: unitId,
  sessionId,
  markerId,
  timestamp: DateTime.formatIso(DateTime.unsafeMake(timestamp)),
  value: event.arguments,
  properties: position === null ? event.properties : { ...event.properties, position }
})

/** Players of the demo who play now: they ask for configurations and send markers like those of any game. */
export class DemoLive extends Effect.Service<DemoLive>()("services/demo/DemoLive", {
  effect: Effect.gen(function* () {
    const assignments = yield* Assignments
    const evaluation = yield* Evaluation
    const experiments = yield* ExperimentRepo
    const ingest = yield* Ingest

    /** New players whom somebody at the studio puts into a group by hand. */
    const pickByHand = Effect.fnUntraced(function* (studio: Studio, sessions: ReadonlyArray<PlannedSession>) {
      const { applicationId, environment, owner } = studio
      const open = (yield* experiments.list(environment.id)).filter(isOpen)
      for (const session of sessions.filter(({ isFirst }) => isFirst)) {
        for (const experiment of open) {
          const groupId = handPickedGroup(experiment, session)
          if (groupId === undefined) continue
          const set = { distinctId: session.player.unitId, groupId, ignoreExclusion: true }
          yield* assignments.set({ applicationId, environmentId: environment.id }, experiment.id, set).pipe(
            Effect.provideService(Principal, owner),
            Effect.catchAll((refused) => Effect.logDebug("A player was not put into a group", refused))
          )
        }
      }
    })

    /** The names of the groups that the players are in, by player: each asks for the configuration as the session begins. */
    const enrol = Effect.fnUntraced(function* (studio: Studio, sessions: ReadonlyArray<PlannedSession>) {
      if (sessions.length === 0) return new Map<string, ReadonlySet<string>>()
      yield* pickByHand(studio, sessions)
      const units = sessions.map((session) => ({ distinctId: session.player.unitId, context: contextOf(session) }))
      const answers = yield* evaluation.assignmentsOfUnits(studio.environment.id, "user", units)
      return new Map(
        [...answers].map(([unitId, enrolled]) => {
          const names = enrolled.flatMap(({ running, groupId, getsChangeset }) =>
            getsChangeset ? running.experiment.groups.filter(({ id }) => id === groupId).map(({ name }) => name) : []
          )
          return [unitId, new Set(names)] as const
        })
      )
    })

    /** Takes markers in like those of any game. */
    const send = Effect.fnUntraced(function* ({ environment }: Studio, events: ReadonlyArray<Event>) {
      if (events.length === 0) return
      // All are refused where the players are erased.
      yield* Effect.catchTag(ingest.markers(environment, events.map(sent)), "InvalidMarkers", () => Effect.void)
    })

    return { enrol, send } as const
  })
}) {}
