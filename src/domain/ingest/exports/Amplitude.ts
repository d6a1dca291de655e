import { quotedCsv } from "../CsvMapping.ts"
import type { ExportDialect } from "./ExportDialect.ts"
import { type ExportedEvent, idOf, listed } from "./ExportedEvent.ts"

/** Amplitude gives events outside of any session the session -1. */
const normalized = (event: ExportedEvent): ExportedEvent => {
  const { session_id: sessionId, ...rest } = event
  return sessionId === undefined || Number(sessionId) === -1 ? rest : event
}

/** What happened on a device before somebody signed in there is of whoever did first. */
const samePlayer = ({ device_id: deviceId, user_id: userId }: ExportedEvent) => {
  const [from, to] = [idOf(deviceId), idOf(userId)]
  return from === undefined || to === undefined ? undefined : { from, to, isForced: false }
}

export const amplitude: ExportDialect = {
  hasEvents: () => true,
  csv: quotedCsv,
  normalized,
  eventsIn: listed,
  samePlayer,
  mapping: {
    id: ["uuid", "{device_id} {$insert_id}"],
    timestamp: ["event_time", "client_event_time", "server_received_time"],
    unitId: ["user_id", "device_id"],
    sessionId: ["{device_id}:{session_id}", "{user_id}:{session_id}"],
    type: ["event_type"],
    types: { $identify: null, $groupidentify: null },
    arguments: {
      from: ["event_properties"],
      keep: ["*"],
      drop: ["$*"],
      names: {
        $revenue: "revenue",
        $price: "price",
        $quantity: "quantity",
        $productId: "productId",
        $revenueType: "revenueType"
      },
      as: {}
    },
    properties: {
      platform: ["platform"],
      country: ["country"],
      language: ["language"],
      device: ["device_type", "device_family"],
      deviceSubType: ["device_model"],
      appVersion: ["version_name"],
      sdkPlatform: ["library"]
    }
  }
}
