import { useState } from "react"
import { FilterList } from "../builder/FilterList.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Picker } from "../ui/Picker.tsx"
import type { Choices } from "./Choices.ts"
import type { Marked } from "./Rules.ts"

interface Props {
  readonly label: string
  readonly choices: Choices
  readonly marked: Marked
  readonly onChange: (marked: Marked) => void
}

/** The markers that count: of one name or of any of several. */
export const MarkerNames = ({ label, choices, marked, onChange }: Props) => {
  const [first = "", ...others] = marked.names
  const setNames = (names: ReadonlyArray<string>) => onChange({ ...marked, names: [...new Set(names)] })
  return (
    <>
      <span className="sentence-marker">
        <Picker
          label={label}
          value={first}
          placeholder="Choose a marker"
          choices={choices.markers}
          onChoose={(name) => setNames([name, ...others])}
        />
      </span>
      {others.map((name) => (
        <button
          key={name}
          type="button"
          className="tag"
          aria-label={`Remove ${name}`}
          onClick={() => setNames(marked.names.filter((each) => each !== name))}
        >
          or {name}
          <Icon name="cross" size={12} />
        </button>
      ))}
      {first !== "" && (
        <Picker
          label={`${label}, another`}
          tone="quiet"
          value=""
          placeholder="or …"
          choices={choices.markers.filter(({ value }) => !marked.names.includes(value))}
          onChoose={(name) => setNames([...marked.names, name])}
        />
      )}
    </>
  )
}

/** Which of these markers count, by their values. Closed while there is no condition. */
export const MarkedFilters = ({ label, choices, marked, onChange }: Props) => {
  const [isOpen, setOpen] = useState(false)
  if (marked.filters.length === 0 && !isOpen) {
    return (
      <button type="button" className="button button-small button-quiet" onClick={() => setOpen(true)}>
        <Icon name="filter" size={14} />
        Only some of them<span className="unseen">: {label}</span>
      </button>
    )
  }
  return (
    <div className="sentence-filters" role="group" aria-label={`Only where: ${label}`}>
      <FilterList
        where={choices.where}
        filters={marked.filters}
        match={marked.match}
        fields={choices.fields}
        isNumber={choices.isNumber}
        onChange={(filters) => onChange({ ...marked, filters })}
        onMatch={(match) => onChange({ ...marked, match })}
      />
    </div>
  )
}
