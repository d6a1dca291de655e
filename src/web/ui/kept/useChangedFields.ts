import type { SyntheticEvent } from "react"
import { useRef } from "react"

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Fields whose content is no work: what is searched for is not kept, and a password is typed again without thinking. */
const passing: ReadonlySet<string> = new Set(["search", "password"])

const fieldOf = (target: EventTarget): Field | null =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && !passing.has(target.type))
    ? target
    : null

const isTicked = (field: Field): field is HTMLInputElement => field.type === "checkbox" || field.type === "radio"

const valueOf = (field: Field): string => (isTicked(field) ? String(field.checked) : field.value)

/** Buttons of a form that show what was chosen with them. */
const choosing = "[role=radio], [role=switch], [role=checkbox], [role=combobox], [aria-pressed]"

const chosenOf = (button: Element): string =>
  ["aria-checked", "aria-pressed"].map((name) => button.getAttribute(name) ?? "").join() +
  (button.role === "combobox" ? button.textContent : "")

/** What the buttons of a form showed, and how many fields it had: others add and remove some. */
interface Before {
  readonly buttons: ReadonlyMap<Element, string>
  readonly fields: number
}

const fieldsIn = (form: Element): number => form.querySelectorAll("input, textarea, select").length

const hasOtherButtons = ([form, { buttons, fields }]: readonly [Element, Before]): boolean =>
  form.isConnected &&
  (fieldsIn(form) !== fields ||
    [...buttons].some(([button, chosen]) => button.isConnected && chosenOf(button) !== chosen))

/**
 * Whether somebody has typed or chosen something in the fields of an element, and has not taken it back. The fields need not know of it,
 * whoever keeps their values; those that are gone, such as one that was saved where it stood, count no more. Buttons count within a form:
 * elsewhere they choose what is looked at.
 */
export const useChangedFields = () => {
  const before = useRef(new Map<Field, string>())
  const forms = useRef(new Map<Element, Before>())
  const noteForm = ({ target }: SyntheticEvent) => {
    const form = target instanceof Element && target.closest("button") !== null ? target.closest("form") : null
    if (form === null || forms.current.has(form)) return
    const buttons = new Map([...form.querySelectorAll(choosing)].map((button) => [button, chosenOf(button)]))
    forms.current.set(form, { buttons, fields: fieldsIn(form) })
  }
  return {
    isChanged: () =>
      [...before.current].some(([field, value]) => field.isConnected && valueOf(field) !== value) ||
      [...forms.current].some(hasOtherButtons),
    /** Before the button that is pressed has done anything. */
    onClickCapture: noteForm,
    onKeyDownCapture: noteForm,
    onFocus: ({ target }: SyntheticEvent) => {
      const field = fieldOf(target)
      if (field !== null && !before.current.has(field)) before.current.set(field, valueOf(field))
    },
    // Safari ticks boxes without giving them the focus.
    onInput: ({ target }: SyntheticEvent) => {
      const field = fieldOf(target)
      if (field === null || before.current.has(field)) return
      before.current.set(field, isTicked(field) ? String(!field.checked) : "")
    }
  } as const
}
