import { assert, describe, it } from "@effect/vitest"
import { laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const many = 12

describe.each(stores)("E8: a list of experiments over %s", (_, store) => {
  const { request } = testApp(store)

  it("is read and written one experiment after the other, between which other requests are handled", async () => {
    const lab = await laboratoryOf(request, "ada")
    for (let count = 0; count < many; count++) {
      const { path } = await lab.begin()
      // What has ended is not compared with its base, which takes turns too.
      await lab.end(path)
    }
    let turns = 0
    let next = setImmediate(function turn() {
      turns++
      next = setImmediate(turn)
    })
    const { body } = await lab.call("GET", `${lab.root}/experiments`)
    clearImmediate(next)
    assert.isAtLeast(turns, 2 * many)
    assert.lengthOf(body, many)
    const ids = body.map((each: { readonly id: number }) => each.id)
    assert.deepStrictEqual(
      ids,
      ids.toSorted((one: number, other: number) => one - other)
    )
  })
})
