import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { Link, useLocation, useSearch } from "wouter"
import { meet } from "../../domain/experiments/PathLock.ts"
import { call } from "../api/client.ts"
import { place, propertiesQuery, useExperiments } from "../api/queries.ts"
import { useSettled } from "../ui/useSettled.ts"
import { locksOn } from "../configurations/Locks.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { Callout } from "../ui/States.tsx"
import { BaseCard } from "./create/BaseCard.tsx"
import { DurationCard } from "./create/DurationCard.tsx"
import { GoalsCard } from "./create/GoalsCard.tsx"
import { askedMetrics, countedFilters, isCondition, planBody, section } from "./create/PlanBody.ts"
import type { PlanDraft } from "./create/PlanDraft.ts"
import { draftKey, forgetDraft, freshPlan, keepDraft, keptDraft } from "./create/PlanDraft.ts"
import { countProblems, laneOf, problemsOf, timeOf } from "./create/PlanProblems.ts"
import { useContextProperties, useEstimate } from "./create/PlanQueries.ts"
import { WhatCard } from "./create/WhatCard.tsx"
import { WhoCard } from "./create/WhoCard.tsx"
import { lacking } from "./ExperimentWords.ts"
import type { Experiment } from "./ExperimentWords.ts"
import { lanesOf, windowAt } from "./Lanes.ts"
import { refusalWords } from "./setup/useExperimentWrites.ts"
import "../theme/configurations.css"
import "../theme/experiments.css"
import "../theme/experimentSetup.css"
import "../theme/experimentPlan.css"

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

/** What it takes to make the plan: what is known of players and other experiments, and what is wrong. */
const usePlan = (draft: PlanDraft, now: number) => {
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
  return {
    types,
    estimate,
    estimates,
    isCounting: estimate.isFetching || JSON.stringify(settled) !== JSON.stringify(body),
    lanes: lanes.filter(
      ({ id, status, startsAt, endsAt }) =>
        id === null || (status !== "terminated" && status !== "completed" && meet({ startsAt, endsAt }, time))
    ),
    locks: draft.baseId === null ? [] : locksOn(meeting, draft.baseId),
    layers,
    share: ((Math.min(100, ...shares) / 100) * (Number(draft.percent) / 100)) / (others + 1),
    problems: problemsOf(draft, own?.collisions ?? [], timezone, now),
    properties: [...types.keys()].toSorted((left, right) => left.localeCompare(right)),
    uncounted: draft.conditions
      .filter(isCondition)
      .map(({ property }) => property.trim())
      .filter((name) => !name.startsWith(section) || !counted.has(name.slice(section.length)))
  }
}

/** A new experiment on one page. The draft stays in this browser until it is made. */
export const NewExperiment = () => {
  const { applicationId, environmentId, environment, timezone, may } = useProject()
  const where = useWhere()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const cohort = Number(new URLSearchParams(useSearch()).get("cohort"))
  const key = draftKey(applicationId, environmentId)
  const [now] = useState(() => Date.now())
  const [draft, setDraft] = useState<PlanDraft>(() =>
    cohort > 0 ? freshPlan([cohort]) : (keptDraft(key) ?? freshPlan())
  )
  const [isKept, setKept] = useState(() => keptDraft(key) !== null)
  const [isTried, setTried] = useState(false)
  const plan = usePlan(draft, now)
  const { problems } = plan
  const isAllowed = may("experiments:write")
  const list = `/p/${applicationId}/${environment.alias}/experiments`
  const count = countProblems(problems)
  const change = (part: Partial<PlanDraft>) => {
    setDraft((present) => ({ ...present, ...part }))
    setKept(true)
  }
  useEffect(() => {
    if (isKept) keepDraft(key, draft)
  }, [draft, isKept, key])
  const creating = useMutation({
    mutationFn: () => call("experiments.create", { ...place(where), body: planBody(draft, timezone, plan.types) }),
    onSuccess: async ({ id }) => {
      setKept(false)
      forgetDraft(key)
      await client.invalidateQueries({ queryKey: ["experiments"] })
      navigate(`${list}/${id}?tab=setup`)
    }
  })
  const create = () => {
    setTried(true)
    if (count === 0 && isAllowed) creating.mutate()
  }
  const discard = () => {
    forgetDraft(key)
    setKept(false)
    setTried(false)
    setDraft(freshPlan())
  }
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <p className="crumbs">
            <Link href={list}>Experiments</Link>
          </p>
          <h1>New experiment</h1>
          <p>Some players get other values, and what they do is compared. Nobody sees this draft but you.</p>
        </div>
        {isKept && (
          <button type="button" className="button" onClick={discard}>
            Discard the draft
          </button>
        )}
      </header>
      {!isAllowed && <Callout>You may plan an experiment here, not make it. {lacking}</Callout>}
      <WhatCard draft={draft} problem={isTried ? problems.name : null} onChange={change} />
      <BaseCard draft={draft} problems={problems} locks={plan.locks} isTried={isTried} onChange={change} />
      <WhoCard
        draft={draft}
        problems={problems}
        isTried={isTried}
        estimate={plan.estimate.data}
        isCounting={plan.isCounting}
        uncounted={plan.uncounted}
        layers={plan.layers}
        properties={plan.properties}
        onChange={change}
      />
      <GoalsCard
        draft={draft}
        isTried={isTried}
        estimates={plan.estimates}
        error={plan.estimate.error}
        onChange={change}
      />
      <DurationCard
        draft={draft}
        problems={problems}
        estimate={plan.estimate.data}
        estimates={plan.estimates}
        share={plan.share}
        lanes={plan.lanes}
        now={now}
        onChange={change}
      />
      <div className="draft-bar" role="region" aria-label="Make the experiment">
        <span role="status">
          {creating.error !== null ? (
            <span className="form-error">{refusalWords(creating.error)}</span>
          ) : isTried && count > 0 ? (
            <span className="form-error">
              {count === 1 ? "One thing is" : `${count} things are`} not right yet; see above.
            </span>
          ) : draft.startDay === "" ? (
            `It starts in ${environment.name} as soon as it is made.`
          ) : (
            `It starts in ${environment.name} on ${draft.startDay}.`
          )}
        </span>
        <button
          type="button"
          className="button button-primary"
          disabled={!isAllowed || creating.isPending}
          title={isAllowed ? undefined : lacking}
          onClick={create}
        >
          {creating.isPending ? "Making …" : draft.startDay === "" ? "Start the experiment" : "Make the experiment"}
        </button>
      </div>
    </div>
  )
}
