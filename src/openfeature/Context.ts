import type { EvaluationContext, TrackingEventDetails } from "@openfeature/core"
import type { PropertyValue, Unit } from "../sdk/Evaluation.ts"

const isScalar = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value)

/** What the server can hold of a value: texts, numbers, booleans, null, lists of these, and dates as texts. Objects are left out, and dates that are none. */
const propertyOf = (value: unknown): PropertyValue | undefined => {
  if (value === null || isScalar(value)) return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  return Array.isArray(value) && value.every(isScalar) ? value : undefined
}

const propertiesOf = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, PropertyValue>> => {
  const properties: Record<string, PropertyValue> = {}
  for (const [name, value] of Object.entries(values)) {
    const property = propertyOf(value)
    if (property !== undefined) properties[name] = property
  }
  return properties
}

/** Whom a context is about: its targeting key is the player's distinct id. Null where it names nobody. */
export const unitOf = ({ targetingKey, ...rest }: EvaluationContext, type: Unit["type"]): Unit | null =>
  targetingKey === undefined || targetingKey === ""
    ? null
    : { type, distinctId: targetingKey, properties: propertiesOf(rest) }

/** Whose marker it is that stands for what was tracked; whoever the client is about where the context names nobody. */
export const trackedFor = ({ targetingKey }: EvaluationContext): { readonly distinctId?: string } =>
  targetingKey === undefined || targetingKey === "" ? {} : { distinctId: targetingKey }

/** The properties of a marker that stands for what was tracked. */
export const markerProperties = (details: TrackingEventDetails): Readonly<Record<string, PropertyValue>> =>
  propertiesOf(details)
