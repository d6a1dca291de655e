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

/**
 * Whether somebody has typed or chosen something in the fields of an element, and has not taken it back. The fields need not know of it,
 * whoever keeps their values; those that are gone, such as one that was saved where it stood, count no more.
 */
export const useChangedFields = () => {
  const before = useRef(new Map<Field, string>())
  return {
    isChanged: () => [...before.current].some(([field, value]) => field.isConnected && valueOf(field) !== value),
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
