import { useState } from "react"
import type { Where } from "../api/queries.ts"
import { useValues, valuesAsked } from "../api/queries.ts"
import { numberText } from "../text/Numbers.ts"
import { Icon } from "../ui/Icon.tsx"
import type { Choice } from "../ui/Picker.tsx"
import { Picker } from "../ui/Picker.tsx"
import { useSettled } from "../ui/useSettled.ts"
import type { FilterState, OperatorName } from "./Filters.ts"

interface Props {
  readonly where: Where
  readonly filter: FilterState
  readonly onChange: (values: ReadonlyArray<string>) => void
}

/** Milliseconds for which nobody types before the server is asked. */
const settledAfter = 150

/** The longest text that the server searches for. */
const longestSearch = 256

const searchesIn: ReadonlySet<OperatorName> = new Set(["contains", "notContains"])

/** The values, and what was typed where it is none of them: who looks for a part of a value means just that. */
const withTyped = (values: ReadonlyArray<Choice>, typed: string, { operator }: FilterState): ReadonlyArray<Choice> => {
  if (typed.trim() === "" || values.some(({ value }) => value === typed)) return values
  const own = { value: typed, label: typed, hint: "as typed" }
  return searchesIn.has(operator) ? [own, ...values] : [...values, own]
}

/** Values of a condition. The most frequent are there at once; the server looks for others as one types. */
export const ValuePicker = ({ where, filter, onChange }: Props) => {
  const [typed, type] = useState("")
  const settled = useSettled(typed, settledAfter)
  const source = filter.source === "argument" ? "argument" : "property"
  const frequent = useValues(where, source, filter.name)
  const hasMore = frequent.data === undefined || frequent.data.length >= valuesAsked
  const found = useValues(where, source, filter.name, hasMore ? settled.slice(0, longestSearch) : "")
  const values = (found.data ?? [])
    .map(({ value, count }) => ({ value: String(value), label: String(value), hint: numberText(count) }))
    .filter(({ value }) => !filter.values.includes(value))
  return (
    <div className="filter-values">
      {filter.values.map((value) => (
        <button
          key={value}
          type="button"
          className="tag"
          aria-label={`Remove ${value}`}
          onClick={() => onChange(filter.values.filter((each) => each !== value))}
        >
          {value}
          <Icon name="cross" size={12} />
        </button>
      ))}
      <Picker
        label={`Value of ${filter.name}`}
        tone="quiet"
        value=""
        placeholder={filter.values.length === 0 ? "Choose a value" : "or"}
        choices={filter.values.includes(typed) ? values : withTyped(values, typed, filter)}
        search={{ onType: type, isAsking: hasMore && (typed !== settled || found.isFetching) }}
        onChoose={(value) => onChange([...filter.values, value])}
      />
    </div>
  )
}
