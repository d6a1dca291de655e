import { Effect } from "effect"
import { ExportPlace } from "../../ports/operations/ExportPlace.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { dueAtIntervals } from "./DueAtIntervals.ts"

/** Exports markers at intervals. */
export class ExportSchedule extends Effect.Service<ExportSchedule>()("services/operations/ExportSchedule", {
  effect: Effect.gen(function* () {
    const place = yield* ExportPlace
    const { exportHours } = yield* Settings
    const due = yield* dueAtIntervals(exportHours, place.last, Effect.flatMap(place.make, Effect.logInfo))

    /** Exports if that is due. */
    const round = () => due

    return { round } as const
  })
}) {}
