import { assert, beforeAll, describe, it } from "@effect/vitest"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

interface Rejected {
  readonly index: number
  readonly code: string
  readonly reason: string
}

describe.each(stores)("ids of imported assignments over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  it.each([
    ["application/json", (lines: ReadonlyArray<string>) => `[${lines.join(",")}]`],
    ["application/x-ndjson", (lines: ReadonlyArray<string>) => lines.join("\n")]
  ])("that no store could keep are refused one by one, so that all others can be read: %s", async (type, bodyOf) => {
    const { experiment, path } = await lab.begin()
    const lines = ["half \\ud800", "nothing \\u0000", "whole"].map(
      (distinctId) => `{"distinctId":"${distinctId}","groupId":${experiment.groups[0].id}}`
    )
    const { body } = await request("POST", `${path}/assignments/import`, {
      headers: { ...lab.studio.cookie, environment_id: String(lab.studio.development), "content-type": type },
      raw: bodyOf(lines)
    })
    assert.deepStrictEqual(
      body.rejected.map(({ index, code, reason }: Rejected) => [index, code, reason]),
      [
        [0, "VALIDATION_FAILED", "distinctId: expected well-formed Unicode text"],
        [1, "VALIDATION_FAILED", "distinctId: expected text without the character U+0000"]
      ]
    )
    const listed = await lab.call("GET", `${path}/assignments`)
    assert.deepStrictEqual([listed.status, listed.body.total, listed.body.items[0].distinctId], [200, 1, "whole"])
  })
})
