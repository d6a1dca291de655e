import { assert, describe, it } from "@effect/vitest"
import { refused } from "../../support/Caller.ts"
import { laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

/** So many drafts of a million characters each have room in an environment. */
const most = 16

describe.each(stores)("drafts of experiments over %s", (_, store) => {
  const { request } = testApp(store)

  it("have at most 16 MiB together, copies and what is changed of them included", async () => {
    const lab = await laboratoryOf(request, "ada")
    const { id } = await lab.configure()
    const control = { name: "control", weight: 5000, isControl: true, changeset: { operations: [] } }
    const groups = (letters: number) => {
      const changeset = lab.changing(["shop", "banner"], "x".repeat(letters))
      return [control, { name: "other", weight: 5000, changeset }]
    }
    const draft = (letters: number) => lab.create(id, { status: "draft", groups: groups(letters) })
    const pathOf = ({ body }: { readonly body: { readonly id: number } }) => `${lab.root}/experiments/${body.id}`
    const small = pathOf(await draft(1))
    const large: Array<string> = []
    while (large.length < most) large.push(pathOf(await draft(1_000_000)))
    const [first = ""] = large
    const grown = lab.plan(id, { groups: groups(1_000_000) })
    refused(await draft(1_000_000), 409, "EXPERIMENT_LIMIT_REACHED")
    refused(await lab.call("POST", `${first}/copy`), 409, "EXPERIMENT_LIMIT_REACHED")
    refused(await lab.call("PUT", small, grown), 409, "EXPERIMENT_LIMIT_REACHED")
    assert.strictEqual((await lab.call("GET", `${lab.root}/experiments`)).body.length, most + 1)
    assert.strictEqual((await lab.call("DELETE", first)).status, 204)
    assert.strictEqual((await lab.call("PUT", small, grown)).status, 200)
  })
})
