import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { useCohorts } from "../api/queries.ts"
import type { Choice } from "../ui/Picker.tsx"
import { cohortChoices, fieldChoices, numberFields } from "./FieldChoices.ts"

/** What a question can be filtered by, and which of it has numbers. */
export interface FilterFields {
  readonly fields: ReadonlyArray<Choice>
  /** Whether the field, `argument:level`, has numbers. */
  readonly isNumber: (field: string) => boolean
}

type Fields = Answer<"markers.arguments">

/** Who may not see cohorts filters by everything else. */
export const useFilterFields = (where: Where, properties: Fields, args: Fields): FilterFields => {
  const cohorts = useCohorts(where)
  const numbers = numberFields(properties, args)
  return {
    fields: [...fieldChoices(properties, args), ...cohortChoices(cohorts.data ?? [])],
    isNumber: (field) => numbers.has(field)
  }
}
