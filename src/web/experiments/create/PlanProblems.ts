import { dayStart } from "../../builder/Period.ts"
import type { Collision, DraftLane } from "../Lanes.ts"
import { isCondition, lackOf } from "./PlanBody.ts"
import type { PlanDraft } from "./PlanDraft.ts"

/** What keeps an experiment from being made, by the field that it stands at. */
export interface PlanProblems {
  readonly name: string | null
  readonly base: string | null
  readonly groups: string | null
  readonly changes: string | null
  readonly targeting: string | null
  readonly percent: string | null
  readonly holdout: string | null
  readonly metrics: string | null
  readonly time: string | null
  readonly collisions: ReadonlyArray<Collision>
}

const isPercent = (text: string): boolean => text.trim() !== "" && Number(text) >= 0 && Number(text) <= 100

/** The sum of the groups' shares in basis points. */
export const sumOf = (groups: PlanDraft["groups"]): number =>
  groups.reduce((sum, { percent }) => sum + Math.round(Number(percent) * 100), 0)

const problemOfGroups = ({ groups }: PlanDraft): string | null => {
  const names = groups.map(({ name }) => name.trim())
  if (names.includes("")) return "Give every group a name"
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return `Two groups are called ${twice}`
  if (!groups.every(({ percent }) => isPercent(percent))) return "Shares are numbers from 0 to 100"
  const sum = sumOf(groups)
  return sum === 10_000 ? null : `The shares add up to ${Number((sum / 100).toFixed(2))} %, not to 100 %`
}

/** Starts and ends of the plan (epoch ms); without a day it starts now and has no end. */
export const timeOf = ({ startDay, endDay }: PlanDraft, timezone: string, now: number) => ({
  startsAt: startDay === "" ? now : Math.max(now, Date.parse(dayStart(startDay, timezone))),
  endsAt: endDay === "" ? null : Date.parse(dayStart(endDay, timezone))
})

/** The plan as the calendar draws it. */
export const laneOf = (draft: PlanDraft, timezone: string, now: number): DraftLane => {
  const paths = draft.groups.flatMap(({ operations }) => operations.map(({ path }) => path))
  return {
    name: draft.name.trim() === "" ? "This experiment" : draft.name.trim(),
    layer: draft.layer.trim() === "" ? null : draft.layer.trim(),
    ...timeOf(draft, timezone, now),
    baseConfigurationId: draft.baseId,
    paths: [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()],
    percent: isPercent(draft.percent) ? Number(draft.percent) : 0
  }
}

const problemOfTime = (draft: PlanDraft, timezone: string, now: number): string | null => {
  const { startsAt, endsAt } = timeOf(draft, timezone, now)
  if (endsAt !== null && endsAt <= startsAt) return "It must end after it starts"
  if (draft.steps.some(({ at }) => Date.parse(at) <= now)) return "A planned step lies in the past"
  return endsAt !== null && draft.steps.some(({ at }) => Date.parse(at) >= endsAt)
    ? "A step lies after the planned end"
    : null
}

export const problemsOf = (
  draft: PlanDraft,
  collisions: ReadonlyArray<Collision>,
  timezone: string,
  now: number
): PlanProblems => ({
  name: draft.name.trim() === "" ? "Give it a name" : null,
  base: draft.baseId === null ? "Choose the configuration that the groups change" : null,
  groups: problemOfGroups(draft),
  changes: draft.groups.every(({ operations }) => operations.length === 0)
    ? "No group changes anything yet, so there is nothing to compare"
    : null,
  targeting: draft.conditions.every(isCondition) ? null : "A condition has no value yet",
  percent: isPercent(draft.percent) ? null : "The share of players is a number from 0 to 100",
  holdout: isPercent(draft.holdout) ? null : "The share that stays out is a number from 0 to 100",
  metrics: draft.metrics.map(lackOf).find((lack) => lack !== null) ?? null,
  time: problemOfTime(draft, timezone, now),
  collisions
})

/** What keeps the plan from being saved as a draft, which may be unfinished in everything else. */
export const draftProblems = ({ name, base, percent, holdout }: PlanProblems, { groups }: PlanDraft): number => {
  const isWritten = groups.every((group) => group.name.trim() !== "" && isPercent(group.percent))
  return [name, base, percent, holdout].filter((problem) => problem !== null).length + (isWritten ? 0 : 1)
}

/** How many fields are not right yet. */
export const countProblems = ({ collisions, ...fields }: PlanProblems): number =>
  Object.values(fields).filter((problem) => problem !== null).length + (collisions.length > 0 ? 1 : 0)
