import { assert, describe, it } from "@effect/vitest"
import { seeded } from "../support/Seeded.ts"
import { withFolder } from "../support/Server.ts"
import { startBudget } from "../support/sdk/StartBudget.ts"
import { torture } from "../support/sdk/Torture.ts"

describe("the client for games", () => {
  it("stores every marker exactly once, through a bad network and four kills", () =>
    withFolder(async (folder) => {
      const { isSent, stored, harms } = await torture(folder, { markers: 600, kills: 4, chance: seeded(7) })
      assert.isTrue(isSent)
      assert.deepStrictEqual(stored, [600, 600])
      assert.isAbove(
        Object.values(harms).reduce((sum, each) => sum + each, 0),
        0
      )
    }))

  it("reads its first value with one request, and with none answered where a copy is kept", () =>
    withFolder(async (folder) => {
      const { withoutCopy, withCopy } = await startBudget(folder, 1)
      assert.deepStrictEqual([withoutCopy.price, withoutCopy.requests], [5, 1])
      assert.isBelow(withoutCopy.sentBytes + withoutCopy.receivedBytes, 2000)
      assert.deepStrictEqual([withCopy.price, withCopy.receivedBytes], [5, 0])
    }))
})
