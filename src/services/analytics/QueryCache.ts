import { Effect } from "effect"
import type { AnswerMeta, Answers, ListingPlan, QuestionOf } from "../../domain/analytics/question/Question.ts"
import { unfiltered } from "../../domain/analytics/filter/Filter.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { LruCache, mebibyte, textBytes } from "../../domain/LruCache.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { QueryWatch } from "./QueryWatch.ts"

export type CachedKind =
  | "insight"
  | "funnel"
  | "retention"
  | "heatmap"
  | "insightUnits"
  | "funnelUnits"
  | "funnelNext"
  | "retentionUnits"
  | "heatmapUnits"
  | "heatmapArguments"
  | "scorecard"

/** A cached answer has scanned nothing and taken no time. */
export type CachedMeta = AnswerMeta & { readonly cached: boolean }

interface Kept<Kind extends CachedKind> {
  readonly version: string
  /** Epoch milliseconds at which it was asked. */
  readonly now: number
  readonly answer: Answers[Kind]["answer"]
}

const sizeOf = ({ answer }: { readonly answer: unknown }): number => textBytes(JSON.stringify(answer))

/** A budget for each kind, so that many large answers of one leave those of the others alone. */
const cacheOf = <Kind extends CachedKind>() => new LruCache<Kept<Kind>>(16 * mebibyte, sizeOf)

const cachesByKind = (): { readonly [Kind in CachedKind]: LruCache<Kept<Kind>> } => ({
  insight: cacheOf(),
  funnel: cacheOf(),
  retention: cacheOf(),
  heatmap: cacheOf(),
  insightUnits: cacheOf(),
  funnelUnits: cacheOf(),
  funnelNext: cacheOf(),
  retentionUnits: cacheOf(),
  heatmapUnits: cacheOf(),
  heatmapArguments: cacheOf(),
  scorecard: cacheOf()
})

/** The question as text, with its end left open where that is the present. */
const describe = (environmentId: EnvironmentId, question: object, now: number) => {
  let isOpen = false
  const key = JSON.stringify([environmentId, question], (name, value: unknown) => {
    if (name === "to" && value === now + 1) {
      isOpen = true
      return "now"
    }
    return typeof value === "number" && !Number.isFinite(value) ? { number: String(value) } : value
  })
  return { key, isOpen }
}

const later = (now: number): ListingPlan => ({
  range: { from: now + 1, to: Number.MAX_SAFE_INTEGER },
  types: null,
  unitId: null,
  filter: unfiltered,
  limit: 1,
  after: null
})

/**
 * Answers that are still true: kept by environment and plan for as long as the data stay the same. A range that ends now is the same
 * question a moment later, unless markers with later timestamps are there already.
 */
export class QueryCache extends Effect.Service<QueryCache>()("services/analytics/QueryCache", {
  effect: Effect.gen(function* () {
    const store = yield* EventStore
    const { slowQueryMs } = yield* Settings
    const caches = cachesByKind()

    const isLasting = (environmentId: EnvironmentId, seen: number, now: number) =>
      store.ask(environmentId, { kind: "listing", plan: later(now) }).pipe(
        Effect.map(({ answer, meta }) => answer.items.length === 0 && meta.highestSequence === seen),
        Effect.orElseSucceed(() => false)
      )

    /** Leaves a line in the log, which names the request, of a question that took long. */
    const tellIfSlow = (environmentId: EnvironmentId, kind: CachedKind, { elapsedMs, rowsScanned }: AnswerMeta) =>
      slowQueryMs === 0 || elapsedMs < slowQueryMs
        ? Effect.void
        : Effect.annotateLogs(Effect.logWarning("Slow query"), {
            kind,
            environmentId,
            elapsedMs: Math.round(elapsedMs),
            rowsScanned
          })

    const ask = Effect.fnUntraced(function* <Kind extends CachedKind>(
      environmentId: EnvironmentId,
      question: QuestionOf<Kind> & { readonly kind: Kind },
      now: number
    ) {
      const cache: LruCache<Kept<Kind>> = caches[question.kind]
      const before = yield* store.version(environmentId)
      const version = JSON.stringify(before)
      const { key, isOpen } = describe(environmentId, question, now)
      const known = cache.get(key)
      if (known !== undefined && known.version === version && known.now <= now) {
        const { highestSequence } = before
        const meta: CachedMeta = {
          rowsScanned: 0,
          elapsedMs: 0,
          highestSequence,
          damaged: [],
          incomplete: null,
          cached: true
        }
        return { answer: known.answer, meta }
      }
      const { answer, meta } = yield* store.ask<Kind>(environmentId, question, yield* QueryWatch)
      yield* tellIfSlow(environmentId, question.kind, meta)
      const isCurrent =
        meta.highestSequence === before.highestSequence &&
        meta.incomplete === null &&
        JSON.stringify(yield* store.version(environmentId)) === version
      if (isCurrent && (!isOpen || (yield* isLasting(environmentId, before.highestSequence, now)))) {
        cache.set(key, { version, now, answer })
      }
      const fresh: CachedMeta = { ...meta, cached: false }
      return { answer, meta: fresh }
    })

    return { ask } as const
  })
}) {}
