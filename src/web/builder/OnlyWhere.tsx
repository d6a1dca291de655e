import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { useCohorts } from "../api/queries.ts"
import { cohortChoices, fieldChoices, numberFields } from "./FieldChoices.ts"
import { FilterList } from "./FilterList.tsx"
import type { FilterState } from "./Filters.ts"

interface Filtering {
  readonly filters: ReadonlyArray<FilterState>
  readonly match: "all" | "any"
}

interface Props {
  readonly where: Where
  readonly question: Filtering
  readonly args: Answer<"markers.arguments">
  readonly properties: Answer<"markers.properties">
  readonly onChange: (part: Partial<Filtering>) => void
}

/** The part of a question that says which markers count. */
export const OnlyWhere = ({ where, question, args, properties, onChange }: Props) => {
  const numbers = numberFields(properties, args)
  // Who may not see cohorts filters by everything else.
  const cohorts = useCohorts(where)
  return (
    <fieldset>
      <legend>Only where</legend>
      <FilterList
        where={where}
        filters={question.filters}
        match={question.match}
        fields={[...fieldChoices(properties, args), ...cohortChoices(cohorts.data ?? [])]}
        isNumber={(field) => numbers.has(field)}
        onChange={(filters) => onChange({ filters })}
        onMatch={(match) => onChange({ match })}
      />
    </fieldset>
  )
}
