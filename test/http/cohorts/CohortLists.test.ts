import { assert, beforeAll, describe, it } from "@effect/vitest"
import { gzipSync } from "node:zlib"
import { largestList } from "../../../schema/cohorts/CohortRequests.ts"
import { keysOf, refused } from "../../support/Caller.ts"
import { type CohortStudio, cohortStudioOf } from "../../support/cohorts/CohortStudio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const mebibyte = 1024 * 1024
const json = { "content-type": "application/json" }
const gzip = { ...json, "content-encoding": "gzip" }

/** As many ids as a list may have, as long as UUIDs, and no two alike. */
const uuids = Array.from(
  { length: largestList },
  (_, at) => `${(at * 40_503).toString(16).padStart(8, "0")}-ceea-467f-a8a3-${at.toString(16).padStart(12, "0")}`
)

describe.each(stores)("long lists of members over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: CohortStudio["studio"]
  let name: CohortStudio["name"]
  let path: string

  beforeAll(async () => {
    ;({ studio, name } = await cohortStudioOf(request, "ada"))
    path = `/application/${studio.applicationId}/analytics/v1/cohorts`
  })

  const send = (method: string, to: string, headers: Record<string, string>, raw: string | Uint8Array) =>
    request(method, to, {
      raw,
      headers: { ...studio.cookie, environment_id: String(studio.production), ...headers }
    })
  const cohort = (unitIds: ReadonlyArray<string>, space?: number) =>
    JSON.stringify({ name: name(), kind: "static", unitIds }, null, space)

  it("are taken whole where the ids are UUIDs, plain, spaced and as gzip", async () => {
    const created = await send("POST", path, json, cohort(uuids))
    assert.deepStrictEqual([created.status, created.body.memberCount], [201, largestList])
    const one = `${path}/${created.body.id}`
    const replaced = await send("PUT", one, gzip, gzipSync(cohort(uuids.slice(1))))
    assert.deepStrictEqual([replaced.status, replaced.body.memberCount], [200, largestList - 1])
    const again = await send("PUT", one, json, cohort(uuids, 2))
    assert.deepStrictEqual([again.status, keysOf(again.body)], [200, keysOf(created.body)])
    assert.strictEqual(again.body.memberCount, largestList)
  }, 60_000)

  it("are refused past 8 MiB, and other bodies past one", async () => {
    const long = " ".repeat(8 * mebibyte)
    refused(await send("POST", path, json, cohort([]) + long), 413, "PAYLOAD_TOO_LARGE")
    refused(await send("POST", path, gzip, gzipSync(cohort(uuids) + long)), 413, "PAYLOAD_TOO_LARGE")
    const other = `/application/${studio.applicationId}/v2/configuration`
    const body = JSON.stringify({ name: name() }) + long.slice(0, mebibyte)
    const answer = await send("POST", other, json, body)
    refused(answer, 413, "PAYLOAD_TOO_LARGE")
    assert.strictEqual(answer.body.message, "A body may have at most 1048576 bytes")
  })
})
