import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { FilterList } from "./FilterList.tsx"
import type { Filtering } from "./Filters.ts"
import { useFilterFields } from "./useFilterFields.ts"

interface ConditionProps {
  readonly where: Where
  readonly filtering: Filtering
  /** What the filters are of, as the end of a label: ` of metric A`. */
  readonly of?: string
  readonly args: Answer<"markers.arguments">
  readonly properties: Answer<"markers.properties">
  readonly onChange: (part: Partial<Filtering>) => void
}

const Conditions = ({ where, filtering, of, args, properties, onChange }: ConditionProps) => (
  <FilterList
    where={where}
    {...(of === undefined ? {} : { of })}
    filters={filtering.filters}
    match={filtering.match}
    {...useFilterFields(where, properties, args)}
    onChange={(filters) => onChange({ filters })}
    onMatch={(match) => onChange({ match })}
  />
)

type Props = Omit<ConditionProps, "filtering" | "of"> & { readonly question: Filtering }

/** The part of a question that says which markers count. */
export const OnlyWhere = ({ question, ...others }: Props) => (
  <fieldset>
    <legend>Only where</legend>
    <Conditions {...others} filtering={question} />
  </fieldset>
)

interface MarkerProps extends ConditionProps {
  readonly marker: string
  /** `metric A`. */
  readonly of: string
}

/** Which markers of one part of a question count, beside what the whole question says. Its marker has some of the arguments only. */
export const MarkerFilters = ({ marker, of, args, ...others }: MarkerProps) => (
  <div className="metric-filters">
    <Conditions {...others} of={` of ${of}`} args={args.filter(({ markerTypes }) => markerTypes.includes(marker))} />
  </div>
)
