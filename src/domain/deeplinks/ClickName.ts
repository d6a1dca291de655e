import type { Event } from "../analytics/markers/Event.ts"

/** The names of arguments and properties that name a click. */
export const clickNames: ReadonlyArray<string> = ["deeplinkData.interactionId", "gk_click"]
const maxCharacters = 64

type Values = Pick<Event, "arguments" | "properties">

/** The click that a marker names as the one it came of; null if it names none. */
export const interactionOf = ({ arguments: own, properties }: Values): string | null => {
  for (const name of clickNames) {
    const value = own[name] ?? properties[name]
    if (typeof value === "string" && value !== "" && value.length <= maxCharacters) return value
  }
  return null
}

/** Whether a marker names the click that it came of. */
export const namesClick = (marker: Values): boolean => interactionOf(marker) !== null
