import { assert, describe, it } from "@effect/vitest"
import { impossible, keyPermissions } from "../../../src/domain/access/KeyPermissions.ts"
import { allPermissions } from "../../../src/domain/access/Permission.ts"
import { builtinRoles } from "../../../src/domain/access/Role.ts"
import { signUpRule } from "../../../src/domain/access/User.ts"

describe("what a key allows", () => {
  it("B5: is its list, or its type's default where the list is empty", () => {
    const held = (type: "public" | "secret" | "personal", permissions: Parameters<typeof impossible>[1]) => [
      ...keyPermissions({ type, permissions })
    ]
    assert.deepStrictEqual(held("public", []), ["sdk:ingest", "sdk:read"])
    assert.deepStrictEqual(held("public", ["sdk:read"]), ["sdk:read"])
    assert.deepStrictEqual(held("public", ["queries:write", "analytics:read"]), ["queries:write"])
    assert.deepStrictEqual(held("secret", []), [])
    assert.deepStrictEqual(held("secret", ["analytics:read"]), ["analytics:read"])
    assert.deepStrictEqual(held("personal", []), [])
  })

  it("B5: has permissions that no public key can hold", () => {
    assert.deepStrictEqual(impossible("public", ["sdk:ingest", "players:delete", "queries:write"]), ["players:delete"])
    assert.deepStrictEqual(impossible("secret", allPermissions), [])
  })
})

describe("built-in roles", () => {
  it("each hold what the next lower one holds, and only the owner's is the whole catalogue by definition", () => {
    const { Owner, Admin, Developer, Analyst, Viewer } = builtinRoles
    for (const [higher, lower] of [
      [Owner, Admin],
      [Admin, Developer],
      [Developer, Analyst],
      [Analyst, Viewer]
    ] as const) {
      assert.isTrue(lower.permissions.every((permission) => higher.permissions.includes(permission)))
      assert.strictEqual(new Set(lower.permissions).size, lower.permissions.length)
    }
    assert.deepStrictEqual([...Owner.permissions], [...allPermissions])
    assert.isTrue(Viewer.permissions.every((permission) => permission.endsWith(":read") && permission !== "sdk:read"))
    const refused = ["organization:write", "members:write", "roles:write", "players:delete"] as const
    assert.isFalse(refused.some((permission) => Developer.permissions.includes(permission)))
  })
})

describe("sign-up", () => {
  it("F3: closes with the first owner where the operator says nothing", () => {
    assert.strictEqual(signUpRule(null, false), "open")
    assert.strictEqual(signUpRule(null, true), "invited")
    assert.strictEqual(signUpRule("open", true), "open")
    assert.strictEqual(signUpRule("off", false), "off")
  })
})
