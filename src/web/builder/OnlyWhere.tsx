import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { FilterList } from "./FilterList.tsx"
import type { Filtering } from "./Filters.ts"
import { useFilterFields } from "./useFilterFields.ts"

interface Props {
  readonly where: Where
  readonly question: Filtering
  readonly args: Answer<"markers.arguments">
  readonly properties: Answer<"markers.properties">
  readonly onChange: (part: Partial<Filtering>) => void
}

/** The part of a question that says which markers count. */
export const OnlyWhere = ({ where, question, args, properties, onChange }: Props) => (
  <fieldset>
    <legend>Only where</legend>
    <FilterList
      where={where}
      filters={question.filters}
      match={question.match}
      {...useFilterFields(where, properties, args)}
      onChange={(filters) => onChange({ filters })}
      onMatch={(match) => onChange({ match })}
    />
  </fieldset>
)
