import { isObject } from "../Collector.ts"
import { quotedCsv } from "../CsvMapping.ts"
import type { ExportDialect } from "./ExportDialect.ts"
import { type ExportedEvent, listed } from "./ExportedEvent.ts"

/** The parts of `event_id`, which GameAnalytics joins by colons, in their order. */
const partNames: ReadonlyMap<unknown, ReadonlyArray<string>> = new Map([
  ["design", ["event_id_01", "event_id_02", "event_id_03", "event_id_04", "event_id_05"]],
  ["progression", ["progression_status", "progression_01", "progression_02", "progression_03"]],
  ["business", ["item_type", "item_id"]],
  ["resource", ["flow_type", "currency", "item_type", "item_id"]]
])

/** The event with the parts of its `event_id` as fields of their own, by the names of GameAnalytics' data warehouse. */
const normalized = (event: ExportedEvent): ExportedEvent => {
  const data = event["data"]
  if (!isObject(data)) return event
  const names = partNames.get(data["category"]) ?? []
  const id = data["event_id"]
  const parts = typeof id === "string" ? id.split(":") : []
  const named = names.flatMap((name, i) => {
    const part = i === names.length - 1 ? parts.slice(i).join(":") : parts[i]
    return part === undefined || part === "" ? [] : [[name, part]]
  })
  return { ...event, data: { ...Object.fromEntries(named), ...data } }
}

export const gameAnalytics: ExportDialect = {
  hasEvents: () => true,
  csv: quotedCsv,
  normalized,
  eventsIn: listed,
  samePlayer: () => undefined,
  mapping: {
    id: ["data.event_uuid"],
    timestamp: ["data.client_ts", "arrival_ts"],
    unitId: ["data.user_id"],
    sessionId: ["data.session_id"],
    type: ["data.category"],
    types: {},
    arguments: {
      from: ["data"],
      keep: [
        "event_id*",
        "value",
        "score",
        "attempt_num",
        "session_num",
        "length",
        "progression_*",
        "flow_type",
        "currency",
        "amount",
        "item_type",
        "item_id",
        "cart_type",
        "transaction_num",
        "severity",
        "message",
        "ad_*",
        "custom_*"
      ],
      drop: [],
      names: {},
      as: {}
    },
    properties: {
      platform: ["data.platform"],
      country: ["country_code"],
      device: ["data.device"],
      deviceSubType: ["data.manufacturer"],
      appVersion: ["data.build"],
      sdkPlatform: ["data.sdk_version"]
    }
  }
}
