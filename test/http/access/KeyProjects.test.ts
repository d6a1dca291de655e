import { assert, describe, it } from "@effect/vitest"
import { caller } from "../../support/Caller.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("projects of keys over %s", (_, store) => {
  const { request } = testApp(store)

  it("that are taken away take their environments along, for good", async () => {
    const studio = await openStudio(request, "ada")
    const call = caller(request, studio.cookie)
    const home = `/organization/${studio.organizationId}`
    const [one, two] = [studio.applicationId, (await call("POST", `${home}/projects`, { name: "Second" })).body.id]
    const elsewhere = (await call("GET", `/application/${two}/environments`)).body[0].id
    const scope = {
      name: "Script",
      projectScope: { allProjects: false, applicationIds: [one, two] },
      environmentIds: [studio.production, elsewhere]
    }
    const kinds = [
      [`${home}/api-keys`, { type: "secret", ...scope }],
      ["/users/personal-access-tokens", { organizationId: studio.organizationId, ...scope }]
    ] as const
    for (const [path, key] of kinds) {
      const place = `${path}/${(await call("POST", path, key)).body.id}`
      const moved = async (change: object) => (await call("PUT", `${place}/projects`, change)).body.environmentIds
      assert.deepStrictEqual(await moved({ applicationIds: [two, one] }), [studio.production, elsewhere])
      assert.deepStrictEqual(await moved({ applicationIds: [two] }), [elsewhere])
      assert.deepStrictEqual(await moved({ allProjects: true }), [elsewhere])
      assert.deepStrictEqual(await moved({ applicationIds: [one] }), [])
      assert.deepStrictEqual(await moved({ applicationIds: [one, two] }), [])
      const { body } = await call("PUT", `${place}/environments`, { environmentIds: [studio.production] })
      assert.deepStrictEqual(body.environmentIds, [studio.production])
    }
  })
})
