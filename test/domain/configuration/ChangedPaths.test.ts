import { assert, describe, it } from "@effect/vitest"
import { changedPaths } from "../../../src/domain/configuration/ChangedPaths.ts"
import type { Operation } from "../../../src/domain/configuration/Changeset.ts"
import { ExperimentId } from "../../../src/domain/Ids.ts"

const of = (id: number, ...operations: ReadonlyArray<Operation>) => ({
  experimentId: ExperimentId.make(id),
  unitType: "user" as const,
  changeset: { operations }
})

describe("paths that experiments change", () => {
  it("name the experiment whose change stands in the end", () => {
    const document = { price: 1, shop: { open: true, banner: "x" } }
    const told = changedPaths(document, [
      of(3, { op: "set", path: ["price"], value: 3 }, { op: "delete", path: ["shop", "banner"] }),
      of(
        2,
        { op: "set", path: ["price"], value: 2 },
        { op: "set", path: ["shop"], value: { open: false, banner: "y" } },
        { op: "set", path: ["nowhere", "deep"], value: 1 },
        { op: "delete", path: ["missing"] }
      )
    ]).map(({ path, experimentId }) => [path.join("."), experimentId])
    assert.deepStrictEqual(told, [
      ["shop", 2],
      ["price", 3],
      ["shop.banner", 3]
    ])
  })
})
