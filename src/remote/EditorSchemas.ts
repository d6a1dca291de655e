import { Either, JSONSchema, Schema } from "effect"
import { JsonObject } from "../../schema/Json.ts"
import type { Document, Json } from "../domain/configuration/Document.ts"
import { isObject } from "../domain/configuration/Document.ts"
import type { ManagedKind } from "./ManagedKind.ts"
import { fileSchemas } from "./FileSchemas.ts"

/** Fields whose ids files write as names. */
const names: Readonly<Record<string, string>> = {
  cohortId: "cohort",
  experimentId: "experiment",
  groupId: "group",
  queryId: "query"
}

const identifiers = new Set(["CohortId", "ExperimentId", "ExperimentGroupId", "QueryId", "HeatmapId"])

const nameOrId = { anyOf: [{ type: "string" }, { type: "integer" }] }

const renamed = (key: string): string => names[key] ?? key

const isReference = (key: string, value: Json): boolean =>
  key in names ||
  (isObject(value) && typeof value["$ref"] === "string" && identifiers.has(value["$ref"].split("/").at(-1) ?? ""))

/** The properties of a filter by cohort or group, whose values are names too. */
const isMembership = ({ source, value }: Document): boolean =>
  isObject(source) &&
  Array.isArray(source["enum"]) &&
  source["enum"].length === 1 &&
  ["cohort", "experiment"].includes(String(source["enum"][0])) &&
  isObject(value)

const adapted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => (typeof item === "string" ? renamed(item) : adapted(item)))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]): [string, Json] => {
      if (key === "value" && isMembership(value) && isObject(item)) return [key, { ...item, items: nameOrId }]
      if (isReference(key, item)) return [renamed(key), nameOrId]
      return [key, adapted(item)]
    })
  )
}

const document = Schema.decodeUnknownEither(JsonObject)

const withTop = (schema: Document): Document => {
  const { properties } = schema
  if (!isObject(properties)) return schema
  const more = { $schema: { type: "string" }, id: { anyOf: [{ type: "string" }, { type: "integer" }] } }
  return { ...schema, properties: { ...properties, ...more } }
}

const make = <A, I>(schema: Schema.Schema<A, I>): Document =>
  Either.match(document(JSON.parse(JSON.stringify(JSONSchema.make(schema)))), {
    onLeft: () => ({}),
    onRight: (found) => {
      const value = adapted(found)
      if (!isObject(value)) return {}
      const { anyOf } = value
      return Array.isArray(anyOf)
        ? { ...value, anyOf: anyOf.map((each: Json) => (isObject(each) ? withTop(each) : each)) }
        : withTop(value)
    }
  })

/** The JSON Schema of the files of each kind, which editors complete and check by. */
export const editorSchemas = (): Record<ManagedKind, Document> => ({
  configurations: make(fileSchemas.configurations),
  cohorts: make(fileSchemas.cohorts),
  queries: make(fileSchemas.queries),
  boards: make(fileSchemas.boards),
  roles: make(fileSchemas.roles)
})
