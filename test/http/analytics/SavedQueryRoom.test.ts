import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mostSavedQueries } from "../../../src/domain/analytics/question/SavedQueryRoom.ts"
import { ApplicationId } from "../../../src/domain/Ids.ts"
import { SavedQueryRepo } from "../../../src/ports/analytics/SavedQueryRepo.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { analystOf, savedInsight } from "../../support/analytics/Analyst.ts"
import { aSavedQuery } from "../../support/analytics/SavedQueries.ts"
import { refused } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("saved queries of a project over %s", (label, store) => {
  const { request, run } = testApp(store)

  it("have 16 MiB at most, and may be changed and removed where there is no more room", async () => {
    const studio = await openStudio(request, `room-${label}`)
    const analyst = analystOf(request, studio)
    const { body: small } = await analyst.save(savedInsight)
    const large = {
      ...aSavedQuery(ApplicationId.make(studio.applicationId)),
      definition: "x".repeat(mostSavedQueries.characters)
    }
    await run(Effect.flatMap(SavedQueryRepo, (queries) => queries.insert(large)))
    refused(await analyst.save(savedInsight), 409, "SAVED_QUERY_LIMIT_REACHED")
    const described = { ...savedInsight, description: "It grows" }
    refused(await analyst.call("PUT", `/${small.id}`, described), 409, "SAVED_QUERY_LIMIT_REACHED")
    assert.strictEqual((await analyst.call("PUT", `/${small.id}`, { ...savedInsight, name: "Other" })).status, 200)
    assert.strictEqual((await analyst.call("DELETE", `/${large.id}`)).status, 204)
    assert.strictEqual((await analyst.call("PUT", `/${small.id}`, described)).status, 200)
    assert.strictEqual((await analyst.save(savedInsight)).status, 201)
  })
})
