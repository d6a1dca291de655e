import { Effect } from "effect"
import { exposedGroups, type Memberships } from "../../../domain/analytics/filter/Memberships.ts"
import type { StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import { ClickHouse } from "../ClickHouse.ts"

/** The cohorts and experiments that a plan refers to. */
export interface References {
  readonly cohorts: ReadonlySet<number>
  readonly experiments: ReadonlySet<number>
}

const numbersOf = (value: unknown): ReadonlyArray<number> =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "number")

const collect = (value: unknown, cohorts: Set<number>, experiments: Set<number>): void => {
  if (typeof value !== "object" || value === null) return
  if (Array.isArray(value)) return value.forEach((each) => collect(each, cohorts, experiments))
  if ("cohortIds" in value) for (const id of numbersOf(value.cohortIds)) cohorts.add(id)
  if ("cohortId" in value) for (const id of numbersOf(value.cohortId)) cohorts.add(id)
  if ("experimentId" in value) for (const id of numbersOf(value.experimentId)) experiments.add(id)
  for (const each of Object.values(value)) collect(each, cohorts, experiments)
}

/** All references of a plan, at whatever depth. */
export const referencesOf = (plan: unknown): References => {
  const [cohorts, experiments] = [new Set<number>(), new Set<number>()]
  collect(plan, cohorts, experiments)
  return { cohorts, experiments }
}

/** The latest generation of each cohort that counts, as an instant (epoch ms). */
export type Generations = ReadonlyMap<number, number>

/** The rows of the stays that were finished at the instant of a generation; null when no cohort has any. */
export const finishedStays = (environment: number, generations: Generations): string | null => {
  const each = [...generations].map(([cohort, at]) => `cohort = ${cohort} and at <= ${at}`)
  return each.length === 0 ? null : `environment = ${environment} and (${each.join(" or ")})`
}

/** Who is a member of each of the cohorts. */
export const membersOf = (environment: number, generations: Generations) =>
  Effect.gen(function* () {
    const { rows } = yield* ClickHouse
    const members = new Map<number, Set<string>>()
    const where = finishedStays(environment, generations)
    if (where === null) return members
    const found = yield* rows<readonly [cohort: number, unit: string]>(
      `select cohort, unit from stay where ${where} group by cohort, unit having argMax(entered, at)`
    )
    for (const [cohort, unit] of found) members.set(cohort, (members.get(cohort) ?? new Set()).add(unit))
    return members
  })

/** Resolves references by the members of cohorts and the markers of exposures. */
export const membershipsOf = (
  members: ReadonlyMap<number, ReadonlySet<string>>,
  exposed: ReadonlyArray<StoredEvent>
): Memberships => ({
  cohort: (id) => members.get(id) ?? new Set(),
  experiment: (id) => exposedGroups(exposed, id)
})
