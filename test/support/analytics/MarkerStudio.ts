import { assert } from "@effect/vitest"
import type { Request } from "../access/Studio.ts"
import { mintKey, openStudio } from "../access/Studio.ts"
import type { Call } from "../TestApp.ts"
import { marker, minute, start } from "./SentMarkers.ts"

/** The keys of an argument or property as `markers/arguments` and `markers/properties` answer it. */
export const fieldKeys = ["dataType", "decimals", "description", "lastSeenAt", "markerTypes", "name", "unit"]

/** A studio whose game has sent five levels, a minute apart, and a start in development. */
export const markerStudioOf = async (request: Request, name: string) => {
  const studio = await openStudio(request, name)
  const publicKey = await mintKey(request, studio, { type: "public" })

  /** An endpoint about markers, in development unless another environment is named. */
  const at = (path: string, environmentId = studio.development, headers: Record<string, string> = studio.cookie) => {
    const call = (method: string, rest: Call = {}) =>
      request(method, `/application/${studio.applicationId}/analytics/v1/markers/${path}`, {
        ...rest,
        headers: { environment_id: String(environmentId), ...headers }
      })
    return {
      get: () => call("GET"),
      put: (body: unknown) => call("PUT", { body }),
      post: (body: unknown) => call("POST", { body })
    }
  }

  const send = (markers: ReadonlyArray<object>, headers: Record<string, string> = {}) =>
    request("POST", "/sdk/v1/markers", { headers: { authorization: publicKey, ...headers }, body: { markers } })

  const level = (index: number) =>
    marker("Level", start + index * minute, {
      value: { number: index, mode: index % 2 === 0 ? "hard" : "easy", tags: ["a", "b"] },
      userId: index < 3 ? "u1" : "u2",
      sessionId: "s1"
    })
  const sent = await send([
    ...Array.from({ length: 5 }, (_each, index) => level(index)),
    marker("$start", start, { value: { number: "one" }, properties: { platform: "web", position: [1, 2, 3] } })
  ])
  assert.strictEqual(sent.body.ingestedMarkersCount, 6)
  return { studio, publicKey, at, send }
}

export type MarkerStudio = Awaited<ReturnType<typeof markerStudioOf>>
