import type { Where } from "../api/queries.ts"
import type { Choice } from "../ui/Picker.tsx"
import { Picker } from "../ui/Picker.tsx"
import { nameOf, sourceOf } from "./FieldChoices.ts"
import type { FilterFields } from "./useFilterFields.ts"
import type { FilterState } from "./Filters.ts"
import { operatorOf, operators } from "./Filters.ts"
import { RemoveButton } from "../ui/Button.tsx"
import { useFieldText } from "../ui/useFieldText.ts"
import { ValuePicker } from "./ValuePicker.tsx"

interface Props extends FilterFields {
  readonly where: Where
  readonly filters: ReadonlyArray<FilterState>
  readonly match: "all" | "any"
  /** Said after the names of controls where a page has several lists: ` of metric A`. */
  readonly of?: string
  readonly onChange: (filters: ReadonlyArray<FilterState>) => void
  readonly onMatch: (match: "all" | "any") => void
}

interface NumberProps {
  readonly filter: FilterState
  readonly onChange: (values: ReadonlyArray<string>) => void
}

const NumberField = ({ filter, onChange }: NumberProps) => {
  const value = filter.values[0] ?? ""
  const field = useFieldText(value)
  return (
    <input
      key={filter.name + filter.operator}
      ref={field}
      className="input"
      type="number"
      step="any"
      defaultValue={value}
      aria-label={`Value of ${filter.name}`}
      onChange={(event) => onChange(event.target.value === "" ? [] : [event.target.value])}
    />
  )
}

interface PropertyProps {
  readonly where: Where
  readonly filter: FilterState
  readonly isNumber: boolean
  readonly onChange: (part: Partial<FilterState>) => void
}

const operatorsFor = ({ source }: FilterState, isNumber: boolean): ReadonlyArray<Choice> =>
  operators
    .filter(({ kind }) =>
      source === "cohort" || kind === "members"
        ? (source === "cohort") === (kind === "members")
        : kind === "none" || (kind === "number") === isNumber
    )
    .map(({ value, label }) => ({ value, label }))

const Comparison = ({ filter, isNumber, onChange }: Omit<PropertyProps, "where">) => (
  <Picker
    label="Comparison"
    tone="quiet"
    value={filter.operator}
    choices={operatorsFor(filter, isNumber)}
    onChoose={(operator) => onChange({ operator: operatorOf(operator).value })}
  />
)

const Values = ({ where, filter, onChange }: Omit<PropertyProps, "isNumber">) => {
  const { kind } = operatorOf(filter.operator)
  if (kind === "text") return <ValuePicker where={where} filter={filter} onChange={(values) => onChange({ values })} />
  return kind === "number" ? <NumberField filter={filter} onChange={(values) => onChange({ values })} /> : null
}

/** How a value is compared, and with what, within a sentence that names it. */
export const PropertyValues = (props: PropertyProps) => (
  <>
    <Comparison {...props} />
    <Values {...props} />
  </>
)

/** Conditions, each a field, a comparison and values; between them the word that says whether all must hold. */
export const FilterList = ({ where, filters, match, of = "", fields, isNumber, onChange, onMatch }: Props) => {
  const update = (index: number, change: Partial<FilterState>) =>
    onChange(filters.map((filter, each) => (each === index ? { ...filter, ...change } : filter)))
  const fresh = (field: string): FilterState => {
    const source = sourceOf(field)
    if (source !== "cohort") {
      return { source, name: nameOf(field), operator: isNumber(field) ? "equal" : "is", values: [] }
    }
    const name = fields.find(({ value }) => value === field)?.label ?? field
    return { source, name, operator: "isIn", values: [nameOf(field)] }
  }
  const add = (field: string) => onChange([...filters, fresh(field)])
  return (
    <>
      {filters.map((filter, index) => (
        <div className="filter" key={`${index} ${filter.name}`}>
          {index > 0 && (
            <button type="button" className="filter-match" onClick={() => onMatch(match === "all" ? "any" : "all")}>
              {match === "all" ? "and" : "or"}
              <span className="unseen">: change to {match === "all" ? "or" : "and"}</span>
            </button>
          )}
          <div className="filter-row">
            <b>{filter.name}</b>
            <Comparison
              filter={filter}
              isNumber={isNumber(`${filter.source}:${filter.name}`)}
              onChange={(part) => update(index, part)}
            />
            <RemoveButton
              label={`Remove the filter ${filter.name}${of}`}
              onRemove={() => onChange(filters.filter((_, each) => each !== index))}
            />
          </div>
          <Values where={where} filter={filter} onChange={(part) => update(index, part)} />
        </div>
      ))}
      <Picker
        label={`Add a filter${of}`}
        tone="quiet"
        value=""
        placeholder="+ Filter"
        choices={fields}
        onChoose={add}
      />
    </>
  )
}
