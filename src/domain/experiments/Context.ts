import { Either } from "effect"
import type { Scalar, Value } from "../analytics/markers/Event.ts"

export type ContextValue = Scalar | null | ReadonlyArray<Scalar>

/** What the game says of a unit, by full path: `properties.level`, `roblox.country`. */
export type Context = Readonly<Record<string, ContextValue>>

/** What the server knows of a unit better than its game does: what clients send in this section is passed over. */
const serverSection = "unit"

/** Whether the server itself says what the property of this full path is. */
export const isOfServer = (path: string): boolean => path.startsWith(`${serverSection}.`)

/** The most properties, and the most characters or items, that a context may have. */
export const limits = { properties: 100, nameLength: 128, listLength: 100, distinctIdLength: 256 } as const

/** What a game sends: `{properties: {level: 3}, roblox: {country: "DE"}}`. */
export type ContextSections = Readonly<Record<string, unknown>>

export interface ContextFailure {
  readonly reason: "TooManyProperties" | "SectionInvalid" | "NameInvalid" | "ValueInvalid"
  /** The path of the property or section at fault; null when there are too many properties. */
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

/** Properties by names that carry no section, as older game servers send them; limits as in `flatten`. */
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

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The path of a key in its section. Some clients write the section into the key as well: `properties: {"properties.level": 3}`. */
const pathOf = (section: string, key: string): string => (key.startsWith(`${section}.`) ? key : `${section}.${key}`)

/**
 * The properties of all sections by full path. At most 100 in all, each with a name of 1 to 128 characters: one bad property
 * refuses the whole context, so that no unit is enrolled by half of what its game said.
 */
export const flatten = (sections: ContextSections): Either.Either<Context, ContextFailure> => {
  const context: Array<readonly [string, ContextValue]> = []
  for (const [section, properties] of Object.entries(sections)) {
    if (!isName(section)) return Either.left({ reason: "NameInvalid", name: section })
    if (!isRecord(properties)) return Either.left({ reason: "SectionInvalid", name: section })
    if (section === serverSection) continue
    for (const key of Object.keys(properties)) {
      const value = properties[key]
      const name = pathOf(section, key)
      if (!isName(key)) return Either.left({ reason: "NameInvalid", name })
      if (!isValue(value)) return Either.left({ reason: "ValueInvalid", name })
      if (context.length === limits.properties) return Either.left({ reason: "TooManyProperties", name: null })
      context.push([name, value])
    }
  }
  return Either.right(Object.fromEntries(context))
}

/** The sections of a context, as a client sends it: the first dot of a path separates section and key. */
export const sectionsOf = (context: Context): ContextSections => {
  const sections = new Map<string, Record<string, ContextValue>>()
  for (const [path, value] of Object.entries(context)) {
    const section = path.slice(0, path.indexOf("."))
    const properties = sections.get(section) ?? {}
    properties[path] = value
    sections.set(section, properties)
  }
  return Object.fromEntries(sections)
}

/** The value of a property as filters see it; null is no value. */
export const valueOf = (context: Context, name: string): Value | undefined =>
  Object.hasOwn(context, name) ? (context[name] ?? undefined) : undefined
