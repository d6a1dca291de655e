import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { FilterList } from "../builder/FilterList.tsx"
import type { Filtering } from "../builder/Filters.ts"
import { useFilterFields } from "../builder/useFilterFields.ts"
import type { MetricState } from "./Question.ts"

interface Props {
  readonly where: Where
  readonly metric: MetricState
  readonly letter: string
  readonly args: Answer<"markers.arguments">
  readonly properties: Answer<"markers.properties">
  readonly onChange: (part: Partial<Filtering>) => void
}

/** Which markers of one metric count, beside what the whole question says. Its marker has some of the arguments only. */
export const MetricFilters = ({ where, metric, letter, args, properties, onChange }: Props) => {
  const own = args.filter(({ markerTypes }) => markerTypes.includes(metric.marker))
  return (
    <div className="metric-filters">
      <FilterList
        where={where}
        of={` of metric ${letter}`}
        filters={metric.filters}
        match={metric.match}
        {...useFilterFields(where, properties, own)}
        onChange={(filters) => onChange({ filters })}
        onMatch={(match) => onChange({ match })}
      />
    </div>
  )
}
