import type { KeyboardEvent } from "react"
import { useId, useRef, useState } from "react"
import { Icon } from "./Icon.tsx"
import { loadable } from "./Loadable.tsx"

export interface Choice {
  readonly value: string
  readonly label: string
  /** Said in small letters on the right: a count, a kind. */
  readonly hint?: string
  /** Said below the label. */
  readonly help?: string
}

/** How somebody else than the picker looks for choices: it is told what is typed, and answers with other choices. */
export interface Search {
  readonly onType: (text: string) => void
  /** Whether the choices are not yet those of the text. */
  readonly isAsking: boolean
}

interface Props {
  readonly label: string
  readonly value: string
  readonly choices: ReadonlyArray<Choice>
  readonly onChoose: (value: string) => void
  readonly tone?: "strong" | "quiet"
  /** What stands on the button where nothing is chosen, or where what is chosen is no choice, or none yet. */
  readonly placeholder?: string
  /** Where the choices are some of many. */
  readonly search?: Search
}

/** The list comes with the primitives, a third of the first load; a page shows its answer before anybody opens one. */
const PickerPopup = loadable(() => import("./PickerPopup.tsx").then((chunk) => ({ default: chunk.PickerPopup })))

const isCharacter = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.length === 1 && !altKey && !ctrlKey && !metaKey

/** The one picker of the product, with search and keyboard: for markers, measures, arguments and values. */
export const Picker = ({ label, value, choices, onChoose, tone = "strong", placeholder = "Choose", search }: Props) => {
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  /** Characters typed before the field of the list had the focus. */
  const [early, setEarly] = useState("")
  const chosen = choices.find((choice) => choice.value === value)
  const show = (open: boolean) => {
    setOpen(open)
    if (open) setOpened(true)
    setEarly("")
  }
  /** What the list needs is there before a click opens it, which then has only the list to draw. */
  const prepare = () => void PickerPopup.load().then(() => setOpened(true))
  const onKeyDown = (event: KeyboardEvent) => {
    if (isOpen && isCharacter(event)) {
      event.preventDefault()
      setEarly((typed) => typed + event.key)
    }
    if (!isOpen && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault()
      show(true)
    }
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        role="combobox"
        className={`picker picker-${tone}`}
        aria-label={`${label}: ${chosen?.label ?? placeholder}`}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={id}
        onPointerEnter={prepare}
        onFocus={() => void PickerPopup.load()}
        onKeyDown={onKeyDown}
        onClick={() => show(!isOpen)}
      >
        <span className={chosen === undefined ? "picker-empty" : ""}>{chosen?.label ?? placeholder}</span>
        <Icon name="chevron" size={14} />
      </button>
      {wasOpened && (
        <PickerPopup
          id={id}
          button={button}
          label={label}
          value={value}
          choices={choices}
          early={early}
          isOpen={isOpen}
          onShow={show}
          onChoose={onChoose}
          {...(search === undefined ? {} : { search })}
        />
      )}
    </>
  )
}
