import { isObject } from "../Collector.ts"
import { quotedCsv } from "../CsvMapping.ts"
import type { ExportDialect } from "./ExportDialect.ts"
import { type ExportedEvent, idOf, isBrokenObject, listed, objectOf, typedCell } from "./ExportedEvent.ts"

/**
 * Batch exports as JSON lines hold `properties` as an object, Parquet and CSV files as its JSON; the CSV files of the events page have a column
 * for each property instead, and put `*.` before all names.
 */
const normalized = (event: ExportedEvent): ExportedEvent => {
  const fields: Array<[string, unknown]> = []
  const properties: Array<[string, unknown]> = []
  for (const [key, value] of Object.entries(event)) {
    if (value === "") continue
    const name = key.startsWith("*.") ? key.slice(2) : key
    if (name === "properties" && isBrokenObject(value)) return { ...event, properties: value }
    if (name === "properties") properties.push(...Object.entries(objectOf(value) ?? {}))
    else if (name.startsWith("properties.")) properties.push([name.slice("properties.".length), typedCell(value)])
    else fields.push([name, value])
  }
  return Object.fromEntries([...fields, ["properties", Object.fromEntries(properties)]])
}

/**
 * Beside a list, a page of its API is read: `results` of events, or rows under the `columns` of a query; and the `batch` in which its clients send.
 */
const eventsIn = (content: unknown): ReadonlyArray<unknown> => {
  if (!isObject(content) || content["event"] !== undefined) return listed(content)
  const { results, columns, batch } = content
  if (Array.isArray(results) && Array.isArray(columns)) {
    return results.map((row: unknown) =>
      Array.isArray(row) ? Object.fromEntries(columns.map((name, at) => [String(name), row[at]])) : row
    )
  }
  const page = Array.isArray(results) ? results : batch
  return Array.isArray(page) && page.every(isObject) ? page : [content]
}

/** Ids that clients send where they know none: PostHog never merges them. */
const nobody =
  /^(anonymous|guest|distinctid|distinct_id|id|not_authenticated|email|undefined|true|false|\[object object\]|nan|none|null|0)$/i

/** The event that names another id of a player, by the property that has it. */
const named = { $identify: "$anon_distinct_id", $create_alias: "alias", $merge_dangerously: "alias" }

const isNaming = (type: unknown): type is keyof typeof named => typeof type === "string" && Object.hasOwn(named, type)

const samePlayer = ({ event: type, distinct_id: own, properties }: ExportedEvent) => {
  if (!isNaming(type) || !isObject(properties)) return undefined
  const from = idOf(properties[named[type]])
  const to = idOf(own) ?? idOf(properties["distinct_id"])
  if (from === undefined || to === undefined || nobody.test(from) || nobody.test(to)) return undefined
  return { from, to, isForced: type === "$merge_dangerously" }
}

export const posthog: ExportDialect = {
  hasEvents: () => true,
  csv: quotedCsv,
  normalized,
  eventsIn,
  samePlayer,
  mapping: {
    id: ["uuid", "id"],
    timestamp: ["timestamp"],
    unitId: ["distinct_id", "properties.distinct_id"],
    sessionId: ["properties.$session_id"],
    type: ["event"],
    types: {
      $identify: null,
      $create_alias: null,
      $merge_dangerously: null,
      $set: null,
      $groupidentify: null,
      $feature_flag_called: null
    },
    arguments: { from: ["properties"], keep: ["*"], drop: ["$*", "token", "distinct_id"], names: {}, as: {} },
    properties: {
      platform: ["properties.$os", "properties.$os_name"],
      country: ["properties.$geoip_country_code"],
      language: ["properties.$browser_language", "properties.$locale"],
      device: ["properties.$device_type"],
      deviceSubType: ["properties.$device_model"],
      appVersion: ["properties.$app_version"],
      sdkPlatform: ["properties.$lib"]
    }
  }
}
