import {
  Combobox,
  ComboboxItem,
  ComboboxList,
  ComboboxProvider,
  Select,
  SelectItem,
  SelectPopover,
  SelectProvider
} from "@ariakit/react"
import { useMemo, useState } from "react"
import { Icon } from "./Icon.tsx"

export interface Choice {
  readonly value: string
  readonly label: string
  /** Said in small letters on the right: a count, a kind. */
  readonly hint?: string
  /** Said below the label. */
  readonly help?: string
}

interface Props {
  readonly label: string
  readonly value: string
  readonly choices: ReadonlyArray<Choice>
  readonly onChoose: (value: string) => void
  readonly tone?: "strong" | "quiet"
  /** What stands on the button where nothing is chosen. */
  readonly placeholder?: string
}

/** From this number of choices on the list can be searched. */
const searchedFrom = 8

/** The one picker of the product, with search and keyboard: for markers, measures, arguments and values. */
export const Picker = ({ label, value, choices, onChoose, tone = "strong", placeholder = "Choose" }: Props) => {
  const [typed, setTyped] = useState("")
  const found = useMemo(() => {
    const words = typed.toLowerCase()
    return choices.filter((choice) => `${choice.label} ${choice.hint ?? ""}`.toLowerCase().includes(words))
  }, [choices, typed])
  const chosen = choices.find((choice) => choice.value === value)
  const isSearched = choices.length >= searchedFrom
  return (
    <ComboboxProvider resetValueOnHide setValue={setTyped}>
      <SelectProvider
        value={value}
        setValue={(next: string) => {
          if (next !== value) onChoose(next)
        }}
      >
        <Select className={`picker picker-${tone}`} aria-label={`${label}: ${chosen?.label ?? placeholder}`}>
          <span className={chosen === undefined ? "picker-empty" : ""}>{chosen?.label ?? placeholder}</span>
          <Icon name="chevron" size={14} />
        </Select>
        <SelectPopover gutter={4} className="popup" portal unmountOnHide aria-label={label}>
          {isSearched && (
            <div className="popup-search">
              <Icon name="search" size={14} />
              <Combobox autoSelect placeholder="Search" aria-label={`Search ${label.toLowerCase()}`} />
            </div>
          )}
          <ComboboxList aria-label={label} alwaysVisible>
            {found.map((choice) => (
              <SelectItem key={choice.value} value={choice.value} className="popup-item" render={<ComboboxItem />}>
                <span>
                  {choice.label}
                  {choice.help !== undefined && <small className="popup-help">{choice.help}</small>}
                </span>
                {choice.hint !== undefined && <small>{choice.hint}</small>}
              </SelectItem>
            ))}
          </ComboboxList>
          {found.length === 0 && <p className="popup-nothing">Nothing is called “{typed}”</p>}
        </SelectPopover>
      </SelectProvider>
    </ComboboxProvider>
  )
}
