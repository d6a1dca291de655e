import { Either } from "effect"
import type { Scalar, Value } from "../analytics/markers/Event.ts"

export type ContextValue = Scalar | null | ReadonlyArray<Scalar>

/**
 * The properties that a game sends about a unit, with names such as `properties.level`, `roblox.country`,
 * `unit.isNewUser`.
 */
export type Context = Readonly<Record<string, ContextValue>>

/** The context property by which a game says that a unit is new. */
export const isNewUser = "unit.isNewUser"

/** The most properties, and the most characters or items, that a context may have. */
export const limits = { properties: 100, nameLength: 128, listLength: 100, distinctIdLength: 256 } as const

export interface ContextFailure {
  readonly reason: "TooManyProperties" | "NameInvalid" | "ValueInvalid"
  /** The offending property; null if there are too many. */
  readonly name: string | null
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))

const isList = (value: unknown): value is ReadonlyArray<Scalar> =>
  Array.isArray(value) &&
  value.length <= limits.listLength &&
  value.every((item) => isScalar(item) && typeof item === typeof value[0])

/** Whether the value is a scalar, null, or a list of at most 100 scalars of one type. */
export const isValue = (value: unknown): value is ContextValue => value === null || isScalar(value) || isList(value)

/** Whether the text may be the name of a context property. */
export const isName = (name: string): boolean => name.length >= 1 && name.length <= limits.nameLength

/** Whether the text may be the id of a unit. */
export const isDistinctId = (id: string): boolean => id.length >= 1 && id.length <= limits.distinctIdLength

/** Checks a context: at most 100 properties, all valid. One invalid property refuses the whole context. */
export const validate = (properties: Readonly<Record<string, unknown>>): Either.Either<Context, ContextFailure> => {
  const entries = Object.entries(properties)
  if (entries.length > limits.properties) return Either.left({ reason: "TooManyProperties", name: null })
  const context: Array<readonly [string, ContextValue]> = []
  for (const [name, value] of entries) {
    if (!isName(name)) return Either.left({ reason: "NameInvalid", name })
    if (!isValue(value)) return Either.left({ reason: "ValueInvalid", name })
    context.push([name, value])
  }
  return Either.right(Object.fromEntries(context))
}

/** The value of a property as filters see it; null counts as missing. */
export const valueOf = (context: Context, name: string): Value | undefined =>
  Object.hasOwn(context, name) ? (context[name] ?? undefined) : undefined
