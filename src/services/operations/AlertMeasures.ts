import { DateTime, Effect, Option } from "effect"
import type { FunnelQuery } from "../../../schema/analytics/Funnels.ts"
import type { InsightQuery } from "../../../schema/analytics/Insights.ts"
import type { QueryTime } from "../../../schema/analytics/QueryTime.ts"
import { AlertWatchInvalid } from "../../../schema/operations/Alerts.ts"
import type { TimeSpan } from "../../domain/analytics/time/Buckets.ts"
import type { Calendar } from "../../domain/Calendar.ts"
import { minuteMillis } from "../../domain/Durations.ts"
import type { ApplicationId } from "../../domain/Ids.ts"
import type { AlertWatch } from "../../domain/operations/alerts/Alert.ts"
import { newestWindow, nextLookAt, rangeFor } from "../../domain/operations/alerts/AlertWindow.ts"
import type { Measured, WindowStep } from "../../domain/operations/alerts/AlertJudgement.ts"
import {
  reachMillis,
  variationOf,
  windowsOfFunnel,
  windowsOfSeries,
  withoutBeginning
} from "../../domain/operations/alerts/Measurement.ts"
import { zoneNamed } from "../../domain/Zone.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { SavedQueryRepo } from "../../ports/analytics/SavedQueryRepo.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Queries } from "../analytics/Queries.ts"
import { decodeDefinition } from "../analytics/SavedQueries.ts"
import type { Where } from "../Where.ts"

type WindowWatch = Extract<AlertWatch, { readonly kind: "query" | "funnelStep" }>

/** A saved question as an alert asks it. */
type Asked =
  | { readonly kind: "query"; readonly spec: InsightQuery; readonly metricId: string; readonly measure: string }
  | { readonly kind: "funnelStep"; readonly spec: FunnelQuery; readonly reach: number }

/** Windows as they were measured, [from, to) in epoch ms each; the last is the newest that is judged. */
export interface MeasuredWindows extends Measured {
  readonly ranges: ReadonlyArray<TimeSpan>
  /** When the next window can be looked at (epoch ms). */
  readonly nextAt: number
  readonly zone: string
}

const invalid = (message: string) => Effect.fail(new AlertWatchInvalid({ message }))

const insightOf = (spec: InsightQuery, metricId: string | null) => {
  const chosen = spec.metrics.find(({ id, visible }) => (metricId === null ? visible : id === metricId))
  if (chosen === undefined)
    return invalid(`watch.metricId: the saved query has no metric ${metricId ?? "that is visible"}`)
  const [first, ...rest] = spec.metrics
  const alone = (metric: typeof first) => ({ ...metric, visible: metric.id === chosen.id })
  const asked: InsightQuery = {
    ...spec,
    metrics: [alone(first), ...rest.map(alone)],
    breakdowns: [],
    options: { cumulative: false }
  }
  return Effect.succeed<Asked>({ kind: "query", spec: asked, metricId: chosen.id, measure: chosen.data.type })
}

const funnelOf = (spec: FunnelQuery, step: number, every: WindowStep) => {
  const last = spec.steps[step]
  if (last === undefined) return invalid(`watch.step: the saved funnel has ${spec.steps.length} steps, counted from 0`)
  const reach = reachMillis(spec.conversionWindow, every)
  const asked: FunnelQuery = {
    ...spec,
    steps: [...spec.steps.slice(0, step), { ...last, optional: false }],
    conversionWindow: { step: "second", value: Math.max(1, Math.round(reach / 1000)) },
    // What leads further than the step excludes as far as it is looked at.
    exclusions: spec.exclusions.flatMap((each) =>
      each.fromStep < step ? [{ ...each, toStep: Math.min(each.toStep, step) }] : []
    ),
    breakdowns: [],
    breakdownAttribution: "first",
    options: { display: "overTime" }
  }
  return Effect.succeed<Asked>({ kind: "funnelStep", spec: asked, reach })
}

const areCrossed = ({ above, below }: { readonly above: number | null; readonly below: number | null }) =>
  above !== null && below !== null && above < below

/** Measures what alerts judge, window by window. It asks for no permission but that of the questions. */
export class AlertMeasures extends Effect.Service<AlertMeasures>()("services/operations/AlertMeasures", {
  effect: Effect.gen(function* () {
    const { weekStart } = yield* Settings
    const projects = yield* ProjectRepo
    const saved = yield* SavedQueryRepo
    const queries = yield* Queries
    const experiments = yield* ExperimentRepo
    const cohorts = yield* CohortRepo

    const asked = Effect.fnUntraced(function* (applicationId: ApplicationId, watch: WindowWatch) {
      const found = yield* saved.find(applicationId, watch.queryId)
      if (Option.isNone(found)) return yield* invalid(`watch.queryId: query ${watch.queryId} is not there`)
      const definition = yield* decodeDefinition(found.value.definition)
      if (watch.kind === "query" && definition.queryType === "insight")
        return yield* insightOf(definition.spec, watch.metricId)
      if (watch.kind === "funnelStep" && definition.queryType === "funnel")
        return yield* funnelOf(definition.spec, watch.step, watch.every)
      const wanted = watch.kind === "query" ? "an insight" : "a funnel"
      return yield* invalid(
        `watch.queryId: expected ${wanted}, query ${watch.queryId} is one of the type ${definition.queryType}`
      )
    })

    const demand = Effect.fnUntraced(function* <Id extends number, A>(
      id: Id | null,
      named: string,
      find: (id: Id) => Effect.Effect<Option.Option<A>>
    ) {
      if (id !== null && Option.isNone(yield* find(id)))
        return yield* invalid(`watch.${named}Id: ${named} ${id} is not there`)
    })

    /** Refuses what cannot be watched, and limits between which no value lies: such an alert fires whatever happens. */
    const check = Effect.fnUntraced(function* (where: Where, watch: AlertWatch) {
      switch (watch.kind) {
        case "query":
        case "funnelStep":
          if (watch.condition.kind === "threshold" && areCrossed(watch.condition))
            return yield* invalid(
              "watch.condition: expected above to be at least below, every value is beyond one of them"
            )
          return void (yield* asked(where.applicationId, watch))
        case "guardrail":
        case "sampleRatio":
          return yield* demand(watch.experimentId, "experiment", (id) => experiments.find(where.environmentId, id))
        case "cohort":
          return yield* demand(watch.cohortId, "cohort", (id) => cohorts.find(where.environmentId, id))
        case "silence":
          return
      }
    })

    /** The time zone of the project. */
    const zoneOf = (applicationId: ApplicationId) =>
      Effect.map(projects.find(applicationId), (project) =>
        Option.match(project, { onNone: () => "UTC", onSome: ({ timezone }) => timezone })
      )

    const calendarOf = Effect.fnUntraced(function* (applicationId: ApplicationId, { spec }: Asked) {
      const name = spec.time.timezone ?? (yield* zoneOf(applicationId))
      const zone = zoneNamed(name)
      if (Option.isNone(zone)) return yield* invalid(`There is no time zone ${name}`)
      return { zone: zone.value, weekStart } satisfies Calendar
    })

    const measured = Effect.fnUntraced(function* (
      where: Where,
      question: Asked,
      range: TimeSpan,
      { every: step, condition }: WindowWatch,
      { zone }: Calendar
    ) {
      // Who enters a funnel in the newest window may go on after its end, as those of all other windows may.
      const to = question.kind === "funnelStep" ? range.to + question.reach : range.to
      const time: QueryTime = {
        step,
        timezone: zone.name,
        from: DateTime.unsafeMake(range.from),
        to: DateTime.unsafeMake(to)
      }
      if (question.kind === "query") {
        const { buckets, series } = yield* queries.insights(where, { ...question.spec, time })
        const starts = buckets.map(DateTime.toEpochMillis)
        const values = series[0]?.values ?? starts.map(() => 0)
        const all = windowsOfSeries(starts, values, step, zone)
        // A limit is passed by nothing at all, too.
        const windows = condition.kind === "change" ? withoutBeginning(all) : all
        return { starts, windows, variation: variationOf(question.measure) }
      }
      const { series } = yield* queries.funnels(where, { ...question.spec, time })
      const all = (series[0]?.overTime ?? [])
        .map(({ bucket, entered, converted }) => ({ bucket: DateTime.toEpochMillis(bucket), entered, converted }))
        .filter(({ bucket }) => bucket < range.to)
      return {
        starts: all.map(({ bucket }) => bucket),
        windows: windowsOfFunnel(all, step, zone),
        variation: "share" as const
      }
    })

    /** Measures what it takes to judge the newest `looks` windows that are over. */
    const measure = Effect.fnUntraced(function* (
      where: Where,
      watch: WindowWatch,
      { delayMinutes, looks, now }: { readonly delayMinutes: number; readonly looks: number; readonly now: number }
    ) {
      const { every, condition } = watch
      const question = yield* asked(where.applicationId, watch)
      const calendar = yield* calendarOf(where.applicationId, question)
      const delay = delayMinutes * minuteMillis + (question.kind === "funnelStep" ? question.reach : 0)
      const newest = newestWindow(calendar, every, now, delay)
      const range = rangeFor(calendar, every, newest, condition, looks)
      const { starts, windows, variation } = yield* measured(where, question, range, watch, calendar)
      const ranges = starts.map((from, index) => ({ from, to: starts[index + 1] ?? range.to }))
      const nextAt = nextLookAt(calendar, every, newest, delay)
      return { windows, ranges, step: every, variation, nextAt, zone: calendar.zone.name } satisfies MeasuredWindows
    })

    return { check, measure, zoneOf } as const
  })
}) {}
