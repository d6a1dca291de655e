import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, FiberRef, Layer } from "effect"
import { MemoryStores } from "../../../src/app/Layers.ts"
import type { OrganizationId } from "../../../src/domain/Ids.ts"
import { AuditRepo } from "../../../src/ports/operations/AuditRepo.ts"
import { askingOrganization } from "../../../src/ports/operations/AskingOrganization.ts"
import { mintPersonalToken, openStudio, type Studio } from "../../support/access/Studio.ts"
import { bearer } from "../../support/Caller.ts"
import { testApp } from "../../support/TestApp.ts"

/** The organizations for which lists of changes were read. */
const asked: Array<OrganizationId | null> = []

const RecordingAuditRepo = Layer.effect(
  AuditRepo,
  Effect.map(AuditRepo, (repo) => ({
    ...repo,
    list: (...given: Parameters<typeof repo.list>) =>
      FiberRef.getWith(askingOrganization, (organization) => {
        asked.push(organization)
        return repo.list(...given)
      })
  }))
)

describe("what a store does for a request", () => {
  const { request } = testApp(Layer.provideMerge(RecordingAuditRepo, MemoryStores))
  let studios: ReadonlyArray<Studio> = []

  beforeAll(async () => {
    studios = [await openStudio(request, "ada"), await openStudio(request, "bea")]
  })

  it("is told of the organization it is for, whoever asks", async () => {
    asked.length = 0
    for (const studio of studios) {
      const path = `/organization/${studio.organizationId}/audit-log`
      const token = await mintPersonalToken(request, studio, { permissions: ["audit:read"] })
      for (const headers of [studio.cookie, bearer(token)]) {
        assert.strictEqual((await request("GET", path, { headers })).status, 200)
      }
    }
    assert.deepStrictEqual(
      asked.map(String),
      studios.flatMap(({ organizationId }) => [organizationId, organizationId]).map(String)
    )
  })
})
