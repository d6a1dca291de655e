import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { StoredPermissions } from "../../../src/adapters/sql/access/StoredPermissions.ts"

describe("stored permissions", () => {
  it("F6: one that an older version granted and this one does not know allows nothing", () => {
    const read = Schema.decodeSync(StoredPermissions)
    assert.deepStrictEqual(read('["of-later:read","players:read","of-later:write"]'), ["players:read"])
    assert.strictEqual(Schema.encodeSync(StoredPermissions)(["players:read"]), '["players:read"]')
  })
})
