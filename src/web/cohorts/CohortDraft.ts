import type { Shape } from "../ui/kept/Kept.ts"
import type { Cohort } from "./CohortQueries.ts"
import type { PlayerList } from "./PlayerList.ts"
import type { ConditionGroup } from "./Rules.ts"
import { freshCondition, freshGroup } from "./Rules.ts"
import { groupOf } from "./RulesOf.ts"

/** A cohort as it is typed. */
export interface CohortDraft {
  readonly kind: Cohort["kind"]
  readonly name: string
  readonly description: string
  readonly group: ConditionGroup
  /** Null until one is given. */
  readonly list: PlayerList | null
  /** When the cohort that is changed here was changed last before; null of a new one. */
  readonly basedOn: string | null
}

/** The name by which this browser keeps a new cohort of an environment, or what is not saved yet of one that has an id. */
export const cohortPlace = (environmentId: number, id: number | null): string =>
  `cohort-${environmentId}${id === null ? "" : `-${id}`}`

export const cohortShape: Shape<CohortDraft> = {
  version: 1,
  read: (kept) => (Array.isArray(kept.group.children) ? kept : null)
}

/** What there is before anything is typed. Days of its conditions are of the zone. */
export const cohortDraft = (cohort: Cohort | null, timezone: string): CohortDraft => {
  const definition = cohort?.definition ?? null
  return {
    kind: cohort?.kind ?? "dynamic",
    name: cohort?.name ?? "",
    description: cohort?.description ?? "",
    group: definition === null ? freshGroup([freshCondition()]) : groupOf(definition, timezone),
    list: null,
    basedOn: cohort?.updatedAt ?? null
  }
}
