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

interface MarkerProps {
  readonly where: Where
  readonly marker: string
  readonly filtering: Filtering
  /** What the filters are of: `metric A`. */
  readonly of: string
  readonly args: Answer<"markers.arguments">
  readonly properties: Answer<"markers.properties">
  readonly onChange: (part: Partial<Filtering>) => void
}

/** Which markers of one part of a question count, beside what the whole question says. Its marker has some of the arguments only. */
export const MarkerFilters = ({ where, marker, filtering, of, args, properties, onChange }: MarkerProps) => {
  const own = args.filter(({ markerTypes }) => markerTypes.includes(marker))
  return (
    <div className="metric-filters">
      <FilterList
        where={where}
        of={` of ${of}`}
        filters={filtering.filters}
        match={filtering.match}
        {...useFilterFields(where, properties, own)}
        onChange={(filters) => onChange({ filters })}
        onMatch={(match) => onChange({ match })}
      />
    </div>
  )
}
