import { useMemo } from "react"
import type { Where } from "../api/queries.ts"
import { useArguments, useCohorts, useMarkerTypes, useProperties } from "../api/queries.ts"
import { fieldChoices, markerChoices, numberChoices, numberFields } from "../builder/FieldChoices.ts"
import type { Choice } from "../ui/Picker.tsx"
import { useExperiments } from "./CohortQueries.ts"
import type { ConditionGroup, Rule } from "./Rules.ts"
import type { Names } from "./RuleWords.ts"

/** What the pickers of the editor offer, and the names of what conditions refer to. */
export interface Choices {
  readonly where: Where
  readonly markers: ReadonlyArray<Choice>
  readonly argumentsOf: (marker: string) => ReadonlyArray<Choice>
  readonly fields: ReadonlyArray<Choice>
  readonly isNumber: (field: string) => boolean
  readonly properties: ReadonlyArray<Choice>
  readonly cohorts: ReadonlyArray<Choice>
  readonly experiments: ReadonlyArray<Choice>
  readonly groupsOf: (experimentId: number) => ReadonlyArray<Choice>
  readonly names: Names
  /** Why some of it could not be had. */
  readonly error: Error | null
  /** Asks once more for what could not be had. */
  readonly retry: () => void
}

const labelOf = (choices: ReadonlyArray<Choice>, id: number): string | null =>
  choices.find(({ value }) => value === String(id))?.label ?? null

const numbered = (all: ReadonlyArray<{ readonly id: number; readonly name: string }>): ReadonlyArray<Choice> =>
  all.map(({ id, name }) => ({ value: String(id), label: name }))

/** Whether rules refer to experiments, so that their names are needed. */
export const namesExperiments = (rule: Rule | ConditionGroup): boolean =>
  rule.type === "group" ? rule.children.some(namesExperiments) : rule.type === "condition" && rule.kind === "experiment"

/** `own` is the cohort that is edited: it cannot refer to itself. */
export const useChoices = (where: Where, own: number | null, hasExperiments: boolean): Choices => {
  const types = useMarkerTypes(where)
  const args = useArguments(where)
  const properties = useProperties(where)
  const cohorts = useCohorts(where)
  const experiments = useExperiments(where, hasExperiments)
  const failed = [types, args, properties, cohorts, experiments].filter(
    ({ error, data }) => error !== null && data === undefined
  )
  const retry = () => failed.forEach(({ refetch }) => void refetch())
  const choices = useMemo((): Omit<Choices, "error" | "retry"> => {
    const [fieldsOfMarkers, fieldsOfPlayers] = [args.data ?? [], properties.data ?? []]
    const numbers = numberFields(fieldsOfPlayers, fieldsOfMarkers)
    const everyCohort = numbered(cohorts.data ?? [])
    const everyExperiment = numbered(experiments.data ?? [])
    const groupsOf = (experimentId: number) =>
      numbered(experiments.data?.find(({ id }) => id === experimentId)?.groups ?? [])
    return {
      where,
      markers: markerChoices(types.data ?? []),
      argumentsOf: (marker) => numberChoices(fieldsOfMarkers, marker),
      fields: fieldChoices(fieldsOfPlayers, fieldsOfMarkers),
      isNumber: (field) => numbers.has(field),
      properties: fieldsOfPlayers.map(({ name }) => ({ value: name, label: name })),
      cohorts: everyCohort.filter(({ value }) => value !== String(own)),
      experiments: everyExperiment,
      groupsOf,
      names: {
        cohort: (id) => labelOf(everyCohort, id),
        experiment: (id) => labelOf(everyExperiment, id),
        group: (experimentId, groupId) => labelOf(groupsOf(experimentId), groupId)
      }
    }
  }, [args.data, cohorts.data, experiments.data, own, properties.data, types.data, where])
  return { ...choices, error: failed[0]?.error ?? null, retry }
}
