import { Effect } from "effect"
import type { DataType } from "../../../domain/analytics/question/Question.ts"
import { LruCache, mebibyte, textBytes } from "../../../domain/LruCache.ts"
import type { ClickHouseProblem, Rows } from "../ClickHouse.ts"
import type { ConditionValues } from "./Conditions.ts"
import type { Paths } from "./Paths.ts"
import type { Ground } from "./Where.ts"

/** The names of an environment with the types of their values, as texts. Those of markers that are gone may be among them. */
export type SeenTypes = ReadonlySet<string>

const dataTypes: Readonly<Record<keyof Paths, DataType>> = {
  number: "number",
  text: "string",
  boolean: "boolean",
  list: "array"
}

export const valueTypes: ReadonlyArray<keyof Paths> = ["number", "text", "boolean", "list"]

const keyOf = (source: string, name: string, type: string): string => JSON.stringify([source, name, type])

/** Whether any marker may have such a value. */
export const hasType = (seen: SeenTypes, { source, name, type }: ConditionValues): boolean =>
  seen.has(keyOf(source, name.toWellFormed(), dataTypes[type]))

/** What was seen until a marker's sequence. */
interface Remembered {
  readonly highest: number
  readonly seen: SeenTypes
}

/**
 * Tells which types of values there are from the catalogue, which has every marker that a question can see: most names have one type only,
 * so that markers need not be read for the others. What was found is remembered until there are more markers.
 */
export const makeSeenTypes = () => {
  const known = new LruCache<Remembered, number>(16 * mebibyte, ({ seen }) =>
    [...seen].reduce((sum, text) => sum + textBytes(text), 0)
  )
  return ({ environment, highest }: Ground, rows: Rows): Effect.Effect<SeenTypes, ClickHouseProblem> =>
    Effect.suspend(() => {
      const remembered = known.get(environment)
      if (remembered?.highest === highest) return Effect.succeed(remembered.seen)
      return Effect.map(
        rows<readonly [source: string, name: string, type: string]>(
          `select distinct source, name, value from catalogue where environment = ${environment} and kind = 'name'`
        ),
        (found) => {
          const seen = new Set(found.map(([source, name, type]) => keyOf(source, name, type)))
          known.set(environment, { highest, seen })
          return seen
        }
      )
    })
}
