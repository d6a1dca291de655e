import type { Answer } from "../api/Wire.ts"
import type { Choice } from "../ui/Picker.tsx"
import { numberText } from "../text/Numbers.ts"
import type { FilterState } from "./Filters.ts"

type Types = Answer<"markers.types">
type Fields = Answer<"markers.arguments">

/** Marker types, the most frequent first. */
export const markerChoices = (types: Types): ReadonlyArray<Choice> =>
  types
    .filter(({ status }) => status !== "hidden")
    .sort((left, right) => right.count30d - left.count30d)
    .map(({ name, displayName, count30d }) => ({ value: name, label: displayName ?? name, hint: numberText(count30d) }))

/** What a picker says of a name that is none of its choices: they are not there yet, or somebody has hidden it since. */
export const chosenText = (name: string): string => (name === "" ? "Choose" : name)

/** Arguments that have numbers to calculate with, of one marker. */
export const numberChoices = (fields: Fields, marker: string): ReadonlyArray<Choice> =>
  fields
    .filter(({ dataType, markerTypes }) => dataType === "number" && markerTypes.includes(marker))
    .map(({ name, unit }) => (unit === null ? { value: name, label: name } : { value: name, label: name, hint: unit }))

/** Those of the filters that markers of the type can pass: it has some of the arguments only. */
export const filtersFor = (
  marker: string,
  filters: ReadonlyArray<FilterState>,
  args: Fields
): ReadonlyArray<FilterState> => {
  const own = new Set(args.filter(({ markerTypes }) => markerTypes.includes(marker)).map(({ name }) => name))
  return filters.filter(({ source, name }) => source !== "argument" || own.has(name))
}

/** What a question can be filtered and broken down by: `property:platform`. */
export const fieldChoices = (properties: Fields, args: Fields): ReadonlyArray<Choice> => [
  ...properties.map(({ name }) => ({ value: `property:${name}`, label: name, hint: "property" })),
  ...args.map(({ name }) => ({ value: `argument:${name}`, label: name, hint: "argument" }))
]

/** Cohorts that a question can be narrowed to: `cohort:12`. */
export const cohortChoices = (cohorts: Answer<"cohorts.list">): ReadonlyArray<Choice> =>
  cohorts.map(({ id, name }) => ({ value: `cohort:${id}`, label: name, hint: "cohort" }))

/** Those of them that have numbers. */
export const numberFields = (properties: Fields, args: Fields): ReadonlySet<string> => {
  const ofNumbers = (fields: Fields) => fields.filter(({ dataType }) => dataType === "number")
  return new Set(fieldChoices(ofNumbers(properties), ofNumbers(args)).map(({ value }) => value))
}

export const sourceOf = (value: string) =>
  value.startsWith("argument:")
    ? ("argument" as const)
    : value.startsWith("cohort:")
      ? ("cohort" as const)
      : ("property" as const)

export const nameOf = (value: string): string => value.slice(value.indexOf(":") + 1)
