import { Clock, Effect, Option } from "effect"
import type { Scorecard } from "../../../schema/experiments/Scorecard.ts"
import { AlertWatchInvalid } from "../../../schema/operations/Alerts.ts"
import { dayMillis, hourMillis, minuteMillis } from "../../domain/Durations.ts"
import { isRunning } from "../../domain/experiments/Experiment.ts"
import { at, type StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import { standardOptions } from "../../domain/experiments/statistics/Comparison.ts"
import { sequentialPValue } from "../../domain/experiments/statistics/SequentialSampleRatio.ts"
import type { CohortId, ExperimentId } from "../../domain/Ids.ts"
import type { Alert, AlertWatch } from "../../domain/operations/alerts/Alert.ts"
import type { AlertFinding } from "../../domain/operations/alerts/AlertCourse.ts"
import { lookText, minuteName } from "../../domain/operations/alerts/AlertText.ts"
import { look, type Look } from "../../domain/operations/alerts/AlertJudgement.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Results } from "../experiments/Results.ts"
import { answered } from "../analytics/QueryFailure.ts"
import { AlertMeasures, type MeasuredWindows } from "./AlertMeasures.ts"

/** What there is to judge of an alert, saved or not. */
export type Judged = Pick<Alert, "applicationId" | "environmentId" | "watch" | "delayMinutes">

/** What was found, and when to look again (epoch ms). */
export interface Looked {
  readonly finding: AlertFinding
  readonly nextAt: number
}

type WindowWatch = Extract<AlertWatch, { readonly kind: "query" | "funnelStep" }>

/** The level at which shares of groups differ, at all looks together. */
const sampleRatioAlpha = 0.001

/** A marker that nobody has sent for so many days is not missed. */
const rememberedDays = 60

const plainQuery = { correction: "holm", prior: "flat", multipleExposure: "exclude" } as const

const findingOf = (
  now: number,
  verdict: Look["verdict"],
  text: string,
  objects: ReadonlyArray<string> = []
): AlertFinding => ({
  from: now,
  to: now,
  look: null,
  verdict,
  text,
  objects
})

const listed = (objects: ReadonlyArray<string>): string =>
  objects.length <= 5 ? objects.join("; ") : `${objects.slice(0, 5).join("; ")} and ${objects.length - 5} more`

/** Guardrails that are worse than the control, at all looks together, in groups whose units get what these change. */
const failingGuardrails = (name: string, { metrics, groups }: Scorecard): ReadonlyArray<string> =>
  metrics
    .filter(({ role }) => role === "guardrail")
    .flatMap((metric) =>
      metric.comparisons.flatMap(({ groupId, absolute, sequential: { pValue } }) => {
        const isWorse = absolute !== null && absolute < 0 === (metric.direction === "increase") && absolute !== 0
        const group = groups.find((each) => each.groupId === groupId)
        if (!isWorse || group?.dropped === true || pValue === null || pValue > standardOptions.alpha) return []
        return [`${name}: ${metric.name} in ${group?.name ?? groupId}`]
      })
    )

const hasMismatch = ({ srm }: Scorecard): boolean => {
  const phases = srm.phases.filter(({ expected }) => expected.some((count) => count > 0))
  return sequentialPValue(phases.map(({ observed, expected }) => ({ observed, weights: expected }))) < sampleRatioAlpha
}

/** Looks at what alerts watch. It asks for the permissions of what it reads. */
export class AlertLooks extends Effect.Service<AlertLooks>()("services/operations/AlertLooks", {
  effect: Effect.gen(function* () {
    const measures = yield* AlertMeasures
    const store = yield* EventStore
    const results = yield* Results
    const experiments = yield* ExperimentRepo
    const cohorts = yield* CohortRepo

    /** The windows that an alert judges and what each of the newest `looks` shows. */
    const windows = Effect.fnUntraced(function* (
      { watch, delayMinutes, ...where }: Judged & { readonly watch: WindowWatch },
      looks: number
    ) {
      const now = yield* Clock.currentTimeMillis
      const measured = yield* measures.measure(where, watch, { delayMinutes, looks, now })
      const first = Math.max(0, measured.windows.length - looks)
      const shown = measured.ranges.slice(first).map((range, index) => ({
        ...range,
        look: look(watch.condition, measured, first + index)
      }))
      return { measured, shown }
    })

    const findingOfWindows = (
      { condition }: WindowWatch,
      { step, zone, variation }: MeasuredWindows,
      newest: { readonly from: number; readonly to: number; readonly look: Look }
    ): AlertFinding => ({
      ...newest,
      verdict: newest.look.verdict,
      text: lookText(newest.look, { from: newest.from, step, zone, variation }, condition),
      objects: []
    })

    const silence = Effect.fnUntraced(function* (
      { applicationId, environmentId }: Judged,
      { names, minutes }: Extract<AlertWatch, { readonly kind: "silence" }>,
      now: number
    ) {
      const wanted = new Set(typeof names === "string" ? [names] : names)
      const { answer } = yield* answered(store.ask<"types">(environmentId, { kind: "types", plan: { now } }))
      const last = Math.max(...answer.flatMap(({ name, lastSeenAt }) => (wanted.has(name) ? [lastSeenAt] : [])))
      const named = [...wanted].join(", ")
      if (last < now - rememberedDays * dayMillis)
        return findingOf(now, "unclear", `No ${named} was seen in the last ${rememberedDays} days, so none is missed.`)
      const since = minuteName(Math.min(last, now), yield* measures.zoneOf(applicationId))
      return last < now - minutes * minuteMillis
        ? findingOf(now, "fired", `No ${named} in the last ${minutes} minutes: the last came at ${since}.`)
        : findingOf(now, "fine", `The last ${named} came at ${since}.`)
    })

    const runningExperiments = Effect.fnUntraced(function* (
      { environmentId }: Judged,
      id: ExperimentId | null,
      now: number
    ) {
      const runningOf = (all: ReadonlyArray<StoredExperiment>) =>
        all.map((each) => at(each, now)).filter(({ progress }) => isRunning(progress.status))
      if (id === null) return runningOf(yield* experiments.open(environmentId))
      const found = yield* experiments.find(environmentId, id)
      if (Option.isSome(found)) return runningOf([found.value])
      return yield* Effect.fail(new AlertWatchInvalid({ message: `watch.experimentId: experiment ${id} is not there` }))
    })

    const ofExperiments = Effect.fnUntraced(function* (
      judged: Judged & { readonly watch: Extract<AlertWatch, { readonly kind: "guardrail" | "sampleRatio" }> },
      now: number
    ) {
      const { watch, applicationId, environmentId } = judged
      const objects: Array<string> = []
      const running = yield* runningExperiments(judged, watch.experimentId, now)
      for (const { id, name } of running) {
        const card = yield* results.of({ applicationId, environmentId, experimentId: id }, plainQuery)
        if (watch.kind === "guardrail") objects.push(...failingGuardrails(name, card))
        else if (hasMismatch(card)) objects.push(name)
      }
      if (objects.length === 0)
        return findingOf(
          now,
          "fine",
          running.length === 1
            ? "The running experiment is as it should be."
            : `${running.length} experiments are as they should be.`
        )
      const text =
        watch.kind === "guardrail"
          ? `Worse than the control: ${listed(objects)}.`
          : `Groups do not get the units that their weights promise: ${listed(objects)}.`
      return findingOf(now, "fired", text, objects)
    })

    const ofCohorts = Effect.fnUntraced(function* ({ environmentId }: Judged, id: CohortId | null, now: number) {
      const all = (yield* cohorts.outlines(environmentId)).filter((each) => id === null || each.id === id)
      if (id !== null && all.length === 0)
        return yield* Effect.fail(new AlertWatchInvalid({ message: `watch.cohortId: cohort ${id} is not there` }))
      const failed = all.filter(({ failures }) => failures > 0)
      const objects = failed.map(({ name }) => name)
      const said = failed.map(({ name, error }) => `${name} (${error ?? "no reason is known"})`)
      return objects.length === 0
        ? findingOf(now, "fine", all.length === 1 ? "The cohort is computed." : `${all.length} cohorts are computed.`)
        : findingOf(now, "fired", `Cohorts could not be computed: ${listed(said)}.`, objects)
    })

    const watched = Effect.fnUntraced(function* (judged: Judged) {
      const { watch } = judged
      const now = yield* Clock.currentTimeMillis
      switch (watch.kind) {
        case "query":
        case "funnelStep": {
          const { measured, shown } = yield* windows({ ...judged, watch }, 1)
          const newest = shown.at(-1)
          if (newest === undefined)
            return { finding: findingOf(now, "unclear", "No window is over."), nextAt: now + hourMillis }
          return { finding: findingOfWindows(watch, measured, newest), nextAt: measured.nextAt }
        }
        case "silence":
          return {
            finding: yield* silence(judged, watch, now),
            nextAt: now + Math.min(5, Math.max(1, watch.minutes / 10)) * minuteMillis
          }
        case "guardrail":
        case "sampleRatio":
          return { finding: yield* ofExperiments({ ...judged, watch }, now), nextAt: now + hourMillis }
        case "cohort":
          return { finding: yield* ofCohorts(judged, watch.cohortId, now), nextAt: now + 5 * minuteMillis }
      }
    })

    /** Looks at what an alert watches as it is now. */
    const judge = watched

    return { judge, windows, findingOfWindows } as const
  })
}) {}
