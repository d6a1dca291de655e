import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { meet } from "../../../domain/experiments/PathLock.ts"
import { propertiesQuery, useExperiments } from "../../api/queries.ts"
import { locksOn } from "../../configurations/Locks.ts"
import { useProject, useWhere } from "../../shell/Project.tsx"
import { useSettled } from "../../ui/useSettled.ts"
import type { Experiment } from "../ExperimentWords.ts"
import type { Lane } from "../Lanes.ts"
import { lanesOf, windowAt } from "../Lanes.ts"
import { askedMetrics, countedFilters, isCondition, section } from "./PlanBody.ts"
import type { PlanDraft } from "./PlanDraft.ts"
import { laneOf, problemsOf, timeOf } from "./PlanProblems.ts"
import { useContextProperties, useEstimate } from "./PlanQueries.ts"

/** Milliseconds without a change after which players are counted. */
const patience = 400

const none: ReadonlyArray<Experiment> = []

/** Layers of the environment with the number of experiments that share each now. */
const layersOf = (experiments: ReadonlyArray<Experiment>) => {
  const names = new Set(experiments.flatMap(({ exclusionLayer }) => exclusionLayer ?? []))
  return [...names].map((name) => ({
    name,
    running: experiments.filter(
      ({ exclusionLayer, status }) => exclusionLayer === name && (status === "active" || status === "paused")
    ).length
  }))
}

/** The plan's own lane, and those that hold one of its paths: the calendar draws the first of many. */
const concernsPlan = ({ id, collisions }: Lane): boolean =>
  id === null || collisions.some((collision) => collision.id === null)

/** What it takes to make the plan: what is known of players and other experiments, and what is wrong. */
export const usePlan = (draft: PlanDraft, now: number) => {
  const { timezone, may } = useProject()
  const where = useWhere()
  const experiments = useExperiments(where, may("experiments:read"))
  const context = useContextProperties(where)
  const ofMarkers = useQuery({ ...propertiesQuery(where), enabled: may("markers:read") })
  const types = useMemo(
    () =>
      new Map([
        ...(ofMarkers.data ?? []).map(({ name, dataType }) => [`${section}${name}`, dataType] as const),
        ...(context.data ?? []).map(({ name, dataType }) => [name, dataType] as const)
      ]),
    [context.data, ofMarkers.data]
  )
  const counted = useMemo(() => new Set(ofMarkers.data?.map(({ name }) => name)), [ofMarkers.data])
  const asked = askedMetrics(draft.metrics)
  const body = {
    metrics: asked.map((each) => each.body),
    filters: countedFilters(draft, counted, types)
  }
  const settled = useSettled(body, patience)
  const estimate = useEstimate(where, settled)
  const byId = new Map(estimate.data?.metrics.map((metric) => [metric.id, metric]))
  const estimates = new Map(
    asked.flatMap(({ key, body: { id } }) => {
      const found = byId.get(id)
      return found === undefined ? [] : [[key, found] as const]
    })
  )
  const all = experiments.data ?? none
  const window = windowAt(now, 6)
  const lanes = lanesOf(all, now, window.to, laneOf(draft, timezone, now))
  const own = lanes.find(({ id }) => id === null)
  const time = timeOf(draft, timezone, now)
  const meeting = all.filter(({ startsAt, endsAt }) =>
    meet({ startsAt: Date.parse(startsAt), endsAt: endsAt === null ? null : Date.parse(endsAt) }, time)
  )
  const layers = layersOf(all)
  const others = layers.find(({ name }) => name === draft.layer.trim())?.running ?? 0
  const shares = draft.groups.map(({ percent }) => Number(percent)).filter((percent) => percent > 0)
  const [taken, heldOut] = [Number(draft.percent) / 100, Number(draft.holdout) / 100]
  return {
    types,
    estimate,
    estimates,
    isCounting: estimate.isFetching || JSON.stringify(settled) !== JSON.stringify(body),
    lanes: lanes
      .filter(
        ({ id, status, startsAt, endsAt }) =>
          id === null || (status !== "terminated" && status !== "completed" && meet({ startsAt, endsAt }, time))
      )
      .toSorted((left, right) => Number(concernsPlan(right)) - Number(concernsPlan(left))),
    locks: draft.baseId === null ? [] : locksOn(meeting, draft.baseId),
    layers,
    share: ((Math.min(100, ...shares) / 100) * taken * (1 - heldOut)) / (others + 1),
    problems: problemsOf(draft, own?.collisions ?? [], timezone, now),
    properties: [...types.keys()].toSorted((left, right) => left.localeCompare(right)),
    uncounted: draft.conditions
      .filter(isCondition)
      .map(({ property }) => property.trim())
      .filter((name) => !name.startsWith(section) || !counted.has(name.slice(section.length)))
  }
}

export type Plan = ReturnType<typeof usePlan>
