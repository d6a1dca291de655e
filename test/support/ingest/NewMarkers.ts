import { randomUUID } from "node:crypto"

/** The keys of the counts that an ingestion answers. */
export const countKeys = [
  "clampedMarkers",
  "duplicateMarkers",
  "duplicateMarkersCount",
  "ingestedMarkersCount",
  "rejectedMarkers",
  "rejectedMarkersCount",
  "staleMarkers",
  "staleMarkersCount"
]

export const resultKeys = [...countKeys, "environment", "message"]

export const now = () => new Date().toISOString()

/** A marker of now that nobody has sent before. */
export const marker = (change: object = {}) => ({
  markerId: randomUUID(),
  timestamp: now(),
  type: "Login",
  userId: 1,
  ...change
})

let types = 0

/** A type that no other marker of this run has. */
export const freshType = () => `Type${++types}`
