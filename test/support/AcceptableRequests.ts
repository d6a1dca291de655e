import { Arbitrary, Array, FastCheck as fc, Option, Schema } from "effect"
import type { CredentialKind } from "../../schema/access/Auth.ts"
import type { Endpoint } from "./Endpoints.ts"
import { endpoints } from "./Endpoints.ts"

export const kinds: ReadonlyArray<CredentialKind> = ["session", "personal", "secret", "public"]

/** Sessions need no permission to list the organizations they belong to; tokens do. */
export const needs = ({ name, requirement }: Endpoint, kind: CredentialKind) =>
  requirement !== undefined &&
  requirement.permission !== "none" &&
  !(name === "organizations.list" && kind === "session")

export const guarded = endpoints().filter((endpoint) => endpoint.kinds.length > 0)

const bodies = new Map<string, unknown>([
  // One that demands a second factor would take all rights away from sessions that a test goes on with.
  ["organizations.update", { name: "Renamed" }],
  ["ingest.markers", { markers: [{ type: "Login", timestamp: "2026-11-20T10:00:00Z" }] }]
])

/** Parameters that an endpoint cannot do without; `pathIn` fills in their ids. */
export const parameters = new Map([
  ["cohorts.membership", "?userId=player-1"],
  ["markers.argumentValues", "?name=level"],
  ["markers.propertyValues", "?name=platform"],
  ["configurations.diff", "?from=1&to=1"],
  ["notes.list", "?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z"],
  ["live.stream", "?environmentId=:environmentId"],
  ["sdkLegacy.assignment", "?configName=main&id=player-1"]
])

/** A body that decodes, the same in every run. */
export const bodyOf = ({ name, payload }: Endpoint): unknown => {
  if (payload !== undefined && !bodies.has(name)) {
    const encode = Schema.encodeOption(payload)
    const samples = fc.sample(Arbitrary.make(payload), { numRuns: 50, seed: 7 })
    bodies.set(name, Option.getOrThrow(Array.findFirst(samples, (value) => encode(value))))
  }
  return bodies.get(name)
}
