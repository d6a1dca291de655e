import { assert, beforeAll, describe, it } from "@effect/vitest"
import { bearer, refused } from "../../support/Caller.ts"
import { mintPersonalToken } from "../../support/access/Studio.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("who writes a winner to the base over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  const ending = async (path: string, permissions: ReadonlyArray<string>, body: object) => {
    const token = await mintPersonalToken(request, lab.studio, { permissions })
    const headers = { ...bearer(token), environment_id: String(lab.studio.development) }
    return request("POST", `${path}/terminate`, { headers, body })
  }

  it("may write configurations too; to end an experiment it is enough to write experiments", async () => {
    const { configuration, experiment, path } = await lab.begin()
    const won = { winnerGroupId: experiment.groups[1].id }
    const versionOf = async () => (await lab.call("GET", `${lab.root}/configuration/${configuration.id}`)).body.version
    for (const permissions of [["experiments:write"], ["experiments:write", "configurations:read"]]) {
      refused(await ending(path, permissions, { ...won, applyToBase: true }), 403, "FORBIDDEN")
    }
    refused(await ending(path, ["configurations:write"], { ...won, applyToBase: true }), 403, "FORBIDDEN")
    assert.strictEqual((await lab.call("GET", path)).body.status, "active")
    const both = ["experiments:write", "configurations:write"]
    assert.strictEqual(await versionOf(), 1)
    assert.strictEqual((await ending(path, both, { ...won, applyToBase: true })).status, 200)
    assert.strictEqual(await versionOf(), 2)
    const other = await lab.begin()
    const ended = await ending(other.path, ["experiments:write"], { winnerGroupId: other.experiment.groups[1].id })
    assert.strictEqual(ended.status, 200)
  })
})
