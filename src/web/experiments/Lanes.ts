import { dayMillis } from "../../domain/Durations.ts"
import { meet } from "../../domain/experiments/PathLock.ts"
import { meets } from "../configurations/Draft.ts"
import type { AnyExperiment } from "../api/Started.ts"
import type { Status } from "./ExperimentWords.ts"
import { isOpen, pathsOf } from "./ExperimentWords.ts"

type Paths = ReadonlyArray<ReadonlyArray<string>>

/** A stretch of constant percent (epoch ms); planned where it has not come yet. */
export interface Segment {
  readonly from: number
  readonly to: number
  readonly percent: number
  readonly isPlanned: boolean
}

/** Another experiment that holds a path of the same configuration at the same time. */
export interface Collision {
  readonly id: number | null
  readonly name: string
  readonly path: ReadonlyArray<string>
}

/** An experiment as the calendar draws it. Instants are epoch ms. */
export interface Lane {
  /** Null for one that is not made yet. */
  readonly id: number | null
  readonly name: string
  readonly status: Status
  readonly layer: string | null
  readonly startsAt: number
  /** Null: no end is planned. */
  readonly endsAt: number | null
  readonly segments: ReadonlyArray<Segment>
  readonly baseConfigurationId: number | null
  readonly paths: Paths
  readonly collisions: ReadonlyArray<Collision>
}

type Timed = Pick<Lane, "id" | "name" | "startsAt" | "endsAt" | "baseConfigurationId" | "paths">

/** The first path that both hold, in one configuration at one time. */
const shared = (one: Timed, other: Timed): ReadonlyArray<string> | undefined =>
  one.baseConfigurationId !== null && one.baseConfigurationId === other.baseConfigurationId && meet(one, other)
    ? one.paths.find((path) => other.paths.some((held) => meets(held, path)))
    : undefined

const collisionsOf = (lane: Timed, others: ReadonlyArray<Timed>): ReadonlyArray<Collision> =>
  others.flatMap((other) => {
    const path = other === lane ? undefined : shared(lane, other)
    return path === undefined ? [] : [{ id: other.id, name: other.name, path }]
  })

const endOf = ({ endsAt, terminatedAt }: AnyExperiment): number | null => {
  const end = terminatedAt ?? endsAt
  return end === null ? null : Date.parse(end)
}

/** When it starts (epoch ms): a draft now, unless it plans to start later. */
const startOf = ({ startsAt, status }: AnyExperiment, now: number): number => {
  const start = startsAt === null ? now : Date.parse(startsAt)
  return status === "draft" ? Math.max(now, start) : start
}

/** What has been, by its phases, and what is planned from `now` on; what has no end is drawn until `horizon`. */
const segmentsOf = (experiment: AnyExperiment, now: number, horizon: number): ReadonlyArray<Segment> => {
  const { phases, rollout, status } = experiment
  const end = endOf(experiment) ?? horizon
  const past = phases.map(({ from, percent }) => ({ at: Date.parse(from), percent }))
  const percent = past.at(-1)?.percent ?? rollout.percent
  const planned =
    isOpen(experiment) || status === "draft"
      ? [
          { at: phases.length === 0 ? startOf(experiment, now) : now, percent },
          ...rollout.steps
            .map((step) => ({ at: Date.parse(step.at), percent: step.percent }))
            .filter(({ at }) => at > now)
        ]
      : []
  const starts = [
    ...past.map((each) => ({ ...each, isPlanned: false })),
    ...planned.map((each) => ({ ...each, isPlanned: true }))
  ]
  return starts
    .map(({ at, percent: share, isPlanned }, index) => ({
      from: at,
      to: Math.min(starts[index + 1]?.at ?? end, end),
      percent: share,
      isPlanned
    }))
    .filter(({ from, to }) => to > from)
}

/** An experiment that somebody is about to make. */
export type DraftLane = Pick<Lane, "name" | "layer" | "startsAt" | "endsAt" | "baseConfigurationId" | "paths"> & {
  readonly percent: number
}

/** The lanes of all experiments, and of one that is not made yet; drawn until `horizon` where no end is planned. */
export const lanesOf = (
  experiments: ReadonlyArray<AnyExperiment>,
  now: number,
  horizon: number,
  draft: DraftLane | null = null
): ReadonlyArray<Lane> => {
  const lanes = experiments.map((experiment): Lane => {
    const { id, name, status, exclusionLayer, baseConfigurationId, groups } = experiment
    return {
      id,
      name,
      status,
      layer: exclusionLayer,
      startsAt: startOf(experiment, now),
      endsAt: endOf(experiment),
      segments: segmentsOf(experiment, now, horizon),
      baseConfigurationId,
      paths: pathsOf(groups),
      collisions: []
    }
  })
  const drafted: ReadonlyArray<Lane> =
    draft === null
      ? []
      : [
          {
            ...draft,
            id: null,
            status: "draft",
            segments: [
              { from: draft.startsAt, to: draft.endsAt ?? horizon, percent: draft.percent, isPlanned: true }
            ].filter(({ from, to }) => to > from),
            collisions: []
          }
        ]
  const all = [...drafted, ...lanes]
  // A draft holds nothing yet: what it would collide with is said of it alone.
  const holding = all.filter(({ id, status }) => id === null || isOpen({ status }))
  return all.map((lane) =>
    lane.status === "draft" || holding.includes(lane) ? { ...lane, collisions: collisionsOf(lane, holding) } : lane
  )
}

/** Lanes by layer: those without one last. */
export const byLayer = (
  lanes: ReadonlyArray<Lane>
): ReadonlyArray<readonly [layer: string | null, lanes: ReadonlyArray<Lane>]> => {
  const layers = [...new Set(lanes.map(({ layer }) => layer))].toSorted((left, right) =>
    left === null ? 1 : right === null ? -1 : left.localeCompare(right)
  )
  return layers.map((layer) => [layer, lanes.filter((lane) => lane.layer === layer)])
}

const weekMillis = 7 * dayMillis
export const weeksShown = 12
const weeksBefore = 8

/** What the calendar shows: twelve weeks from a Monday, eight of them before the present week, moved by `weeks`. */
export const windowAt = (now: number, weeks: number): { readonly from: number; readonly to: number } => {
  // The first day of 1970 was a Thursday.
  const monday = Math.floor((now + 3 * dayMillis) / weekMillis) * weekMillis - 3 * dayMillis
  const from = monday + (weeks - weeksBefore) * weekMillis
  return { from, to: from + weeksShown * weekMillis }
}

/** Mondays of the window, every second one. */
export const ticksIn = ({ from, to }: { readonly from: number; readonly to: number }): ReadonlyArray<number> =>
  Array.from({ length: Math.ceil((to - from) / (2 * weekMillis)) }, (_, index) => from + index * 2 * weekMillis)
