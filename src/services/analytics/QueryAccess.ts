import { Clock, Effect } from "effect"
import { HeatmapNotFound } from "../../../schema/analytics/AnalyticsErrors.ts"
import { NamedThings } from "../../domain/analytics/filter/Unseen.ts"
import type { Selector } from "../../domain/analytics/filter/Selector.ts"
import type { Answers, QuestionOf } from "../../domain/analytics/question/Question.ts"
import { type ReferringKind, rewritten } from "../../domain/analytics/question/References.ts"
import type { HeatmapId } from "../../domain/Ids.ts"
import { HeatmapRepo } from "../../ports/analytics/HeatmapRepo.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Policy } from "../access/Policy.ts"
import type { Where } from "../Where.ts"
import { type CachedKind, QueryCache } from "./QueryCache.ts"
import { answered } from "./QueryFailure.ts"
import { References } from "./References.ts"

/** The environment that a question is about, opened to who may read its analytics. */
export class QueryAccess extends Effect.Service<QueryAccess>()("services/analytics/QueryAccess", {
  effect: Effect.gen(function* () {
    const { weekStart } = yield* Settings
    const policy = yield* Policy
    const cache = yield* QueryCache
    const references = yield* References
    const definitions = yield* HeatmapRepo

    const open = Effect.fnUntraced(function* ({ applicationId, environmentId }: Where) {
      const { application, environment } = yield* policy.environment("analytics:read", applicationId, environmentId)
      const asking = { now: yield* Clock.currentTimeMillis, zone: application.timezone, weekStart }
      const ask = <Kind extends CachedKind>(question: QuestionOf<Kind> & { readonly kind: Kind }) =>
        Effect.zipRight(
          references.check(environment.id, question.kind, question.plan),
          answered(cache.ask(environment.id, question, asking.now))
        )
      /** Warnings about names of a plan that were never seen, as a part of its answer's meta. */
      const warn = Effect.fnUntraced(function* <Kind extends ReferringKind>(
        kind: Kind,
        plan: Answers[Kind]["plan"],
        selectors: ReadonlyArray<Selector>
      ) {
        const named = new NamedThings()
        for (const type of selectors.flatMap(({ types }) => types)) named.types.add(type)
        rewritten[kind](plan, named)
        const warnings = yield* references.warnings(environment.id, named)
        return warnings.length === 0 ? {} : { warnings }
      })
      return { environmentId: environment.id, asking, ask, warn }
    })

    /** The definition of a heatmap of the project. */
    const heatmap = Effect.fnUntraced(function* ({ applicationId }: Where, id: HeatmapId) {
      const message = `Heatmap ${id} does not exist in this application`
      return yield* Effect.mapError(yield* definitions.find(applicationId, id), () => new HeatmapNotFound({ message }))
    })

    return { open, heatmap } as const
  })
}) {}
