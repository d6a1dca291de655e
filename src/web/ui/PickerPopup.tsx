import {
  Combobox,
  ComboboxItem,
  ComboboxList,
  ComboboxProvider,
  SelectItem,
  SelectPopover,
  useComboboxStore,
  useSelectStore,
  useStoreState
} from "@ariakit/react"
import { useIsFetching } from "@tanstack/react-query"
import type { RefObject } from "react"
import { useEffect, useLayoutEffect, useMemo } from "react"
import { folded } from "../text/Search.ts"
import { Icon } from "./Icon.tsx"
import type { Choice, Search } from "./Picker.tsx"
import "../theme/popup.css"

interface Props {
  readonly id: string
  /** What opens the list; the list stands at it and gives the focus back to it. */
  readonly button: RefObject<HTMLButtonElement | null>
  readonly label: string
  readonly value: string
  readonly choices: ReadonlyArray<Choice>
  /** What was typed before the field could take it. */
  readonly early: string
  readonly isOpen: boolean
  readonly onShow: (isOpen: boolean) => void
  readonly onChoose: (value: string) => void
  readonly search?: Search
}

/** From this number of choices on the list can be searched. */
const searchedFrom = 8

/** Choices that are drawn; who searches finds the others. */
const mostDrawn = 60

/** Choices that come after the list was opened bring its field, which then takes the focus that the list has had for want of it. */
const takeFocus = (field: HTMLInputElement | null): void => {
  if (field?.closest(".popup")?.contains(document.activeElement) === true) field.focus()
}

/** The list of a picker. */
export const PickerPopup = ({ id, button, label, value, choices, early, isOpen, onShow, onChoose, search }: Props) => {
  const combobox = useComboboxStore({ resetValueOnHide: true })
  const select = useSelectStore({
    combobox,
    value,
    setValue: (next: string) => {
      if (next !== value) onChoose(next)
    },
    open: isOpen,
    setOpen: (open) => {
      if (open !== isOpen) onShow(open)
    }
  })
  useLayoutEffect(() => {
    select.setAnchorElement(button.current)
    select.setDisclosureElement(button.current)
    select.setSelectElement(button.current)
  }, [button, select])
  useLayoutEffect(() => {
    if (early !== "") combobox.setValue(early)
  }, [combobox, early])
  const typed = useStoreState(combobox, "value")
  const onType = search?.onType
  useEffect(() => onType?.(typed), [onType, typed])
  const isAsking = search?.isAsking === true
  // Who gave no choices may still be asking for them.
  const isComing = useIsFetching() > 0
  const found = useMemo(() => {
    const words = folded(typed)
    return choices.filter(({ label, hint }) => folded(`${label} ${hint ?? ""}`).includes(words))
  }, [choices, typed])
  return (
    <ComboboxProvider store={combobox}>
      <SelectPopover
        id={id}
        store={select}
        gutter={4}
        className="popup"
        portal
        unmountOnHide
        finalFocus={button}
        aria-label={label}
      >
        {(search !== undefined || choices.length >= searchedFrom) && (
          <div className="popup-search">
            <Icon name="search" size={14} />
            <Combobox ref={takeFocus} autoSelect placeholder="Search" aria-label={`Search ${label.toLowerCase()}`} />
          </div>
        )}
        <ComboboxList aria-label={label} alwaysVisible>
          {found.slice(0, mostDrawn).map((choice) => (
            <SelectItem key={choice.value} value={choice.value} className="popup-item" render={<ComboboxItem />}>
              <span>
                {choice.label}
                {choice.help !== undefined && <small className="popup-help">{choice.help}</small>}
              </span>
              {choice.hint !== undefined && <small>{choice.hint}</small>}
            </SelectItem>
          ))}
        </ComboboxList>
        {found.length > mostDrawn && (
          <p className="popup-nothing">{found.length - mostDrawn} more: search to find them</p>
        )}
        {isAsking ? (
          <p className="popup-nothing">Searching …</p>
        ) : (
          found.length === 0 && (
            <p className="popup-nothing">
              {choices.length > 0 || typed !== ""
                ? `Nothing is called “${typed}”`
                : isComing
                  ? "Loading …"
                  : "There is nothing to choose from"}
            </p>
          )
        )}
      </SelectPopover>
    </ComboboxProvider>
  )
}
