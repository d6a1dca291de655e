import { Schema } from "effect"

/** The products whose exports can be imported. */
export const exportOrigins = ["posthog", "gameanalytics", "amplitude", "talo"] as const
export type ExportOrigin = (typeof exportOrigins)[number]

/**
 * Where a value of an event is found, the first that is there: a path of names with dots between them, or a text with paths in braces, which is
 * there where all of them are.
 */
const Places = Schema.Array(Schema.NonEmptyString)
export type Places = typeof Places.Type

/** New names; null leaves what has the name out. */
const Names = Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.NonEmptyString) })

const ValueType = Schema.Literal("number", "string", "boolean")
export type ValueType = typeof ValueType.Type

/** Names; one that ends with `*` stands for all that begin so. */
const Patterns = Schema.Array(Schema.NonEmptyString)

/** How the events of an export become markers. */
export const ExportMapping = Schema.Struct({
  /** What names an event among all others of the export. */
  id: Places,
  timestamp: Places,
  unitId: Places,
  sessionId: Places,
  type: Places,
  /** Marker types by the type of the event. */
  types: Names,
  arguments: Schema.Struct({
    /** The objects whose entries become arguments. */
    from: Places,
    keep: Patterns,
    drop: Patterns,
    /** Arguments by the name in the export: they are kept whatever `keep` and `drop` say. */
    names: Names,
    /** The type that the values of an argument have, by its name in the marker. */
    as: Schema.Record({ key: Schema.String, value: ValueType })
  }),
  /** Properties of the marker. */
  properties: Schema.Record({ key: Schema.NonEmptyString, value: Places })
})
export type ExportMapping = typeof ExportMapping.Type

const partial = Schema.partialWith({ exact: true })

/** What a file says otherwise than the default mapping. */
export const MappingChanges = Schema.Struct({
  ...ExportMapping.fields,
  arguments: partial(ExportMapping.fields.arguments)
}).pipe(partial)
export type MappingChanges = typeof MappingChanges.Type

/** A mapping with the changes of a file: `types`, `names`, `as` and `properties` are changed name by name, all else is replaced. */
export const changedMapping = (mapping: ExportMapping, changes: MappingChanges): ExportMapping => ({
  ...mapping,
  ...changes,
  types: { ...mapping.types, ...changes.types },
  properties: { ...mapping.properties, ...changes.properties },
  arguments: {
    ...mapping.arguments,
    ...changes.arguments,
    names: { ...mapping.arguments.names, ...changes.arguments?.names },
    as: { ...mapping.arguments.as, ...changes.arguments?.as }
  }
})
