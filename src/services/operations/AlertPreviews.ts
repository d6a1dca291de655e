import { DateTime, Effect } from "effect"
import type { AlertPreview } from "../../../schema/operations/AlertRecord.ts"
import { type AlertQuestion, AlertUnjudged, reading } from "../../../schema/operations/Alerts.ts"
import { beginnings } from "../../domain/operations/alerts/AlertHistory.ts"
import { Policy } from "../access/Policy.ts"
import type { Where } from "../Where.ts"
import { AlertLooks } from "./AlertLooks.ts"

/** Windows that are shown: of a week, or of four weeks. */
const shownLooks = { hour: 168, day: 28 } as const

type Told = "Overloaded" | "AlertWatchInvalid" | "Forbidden" | "ApplicationNotFound" | "EnvironmentNotFound"

const toldTags: ReadonlySet<string> = new Set([
  "Overloaded",
  "AlertWatchInvalid",
  "Forbidden",
  "ApplicationNotFound",
  "EnvironmentNotFound"
] satisfies ReadonlyArray<Told>)

const isTold = <F extends { readonly _tag: string }>(failure: F): failure is Extract<F, { readonly _tag: Told }> =>
  toldTags.has(failure._tag)

/** Shows what an alert would have found; nobody is told and nothing is written. */
export class AlertPreviews extends Effect.Service<AlertPreviews>()("services/operations/AlertPreviews", {
  effect: Effect.gen(function* () {
    const policy = yield* Policy
    const looks = yield* AlertLooks

    const previewed = Effect.fnUntraced(function* (where: Where, { watch, delayMinutes }: AlertQuestion) {
      if (watch.kind !== "query" && watch.kind !== "funnelStep") {
        const { finding } = yield* looks.judge({ ...where, watch, delayMinutes })
        return { finding, shown: [] }
      }
      const { measured, shown } = yield* looks.windows({ ...where, watch, delayMinutes }, shownLooks[watch.every])
      const newest = shown.at(-1)
      if (newest === undefined)
        return yield* Effect.fail(
          new AlertUnjudged({ message: "No window of this alert has ended yet: ask again once one has" })
        )
      return { finding: looks.findingOfWindows(watch, measured, newest), shown }
    })

    /** What an alert would have found. Where a question cannot be asked, the reason is told. */
    const preview = Effect.fnUntraced(function* (where: Where, question: AlertQuestion) {
      yield* policy.environment("alerts:read", where.applicationId, where.environmentId)
      for (const permission of reading) yield* policy.environment(permission, where.applicationId, where.environmentId)
      const { finding, shown } = yield* Effect.mapError(previewed(where, question), (failure) =>
        isTold(failure) ? failure : new AlertUnjudged({ message: failure.message })
      )
      const { from, to, look, text, verdict } = finding
      return {
        found: { from: DateTime.unsafeMake(from), to: DateTime.unsafeMake(to), look, text },
        verdict,
        windows: shown.map((each) => ({
          from: DateTime.unsafeMake(each.from),
          to: DateTime.unsafeMake(each.to),
          look: each.look
        })),
        incidents: beginnings(shown.map((each) => each.look))
      } satisfies AlertPreview
    })

    return { preview } as const
  })
}) {}
