import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import {
  claimsOf,
  flowIn,
  flowMillis,
  groupRolesIn,
  isFlowOver,
  longestReturn,
  nameOf,
  returnPath,
  rolesOfGroups,
  signedOf,
  writtenFlow
} from "../../../src/domain/access/OpenId.ts"

const secret = "s".repeat(43)

describe("the list of groups and their roles", () => {
  it.each([
    ["", []],
    ["  ", []],
    ["live-ops=12:Developer", [{ group: "live-ops", organizationId: 12, role: "Developer" }]],
    [
      " a=1:Viewer, b b=2:Level designer ",
      [
        { group: "a", organizationId: 1, role: "Viewer" },
        { group: "b b", organizationId: 2, role: "Level designer" }
      ]
    ],
    [
      "cn=crew,ou=games=3:Viewer,/x/y=4:Admin",
      [
        { group: "cn=crew,ou=games", organizationId: 3, role: "Viewer" },
        { group: "/x/y", organizationId: 4, role: "Admin" }
      ]
    ]
  ])("reads %s", (text, expected) => assert.deepStrictEqual(groupRolesIn(text), expected))

  it.each(["a", "a=", "a=1", "a=1:", "=1:Viewer", "a=0:Viewer", "a=x:Viewer", "a=1:Viewer,b", "a=1:Viewer:Admin"])(
    "refuses %s",
    (text) => assert.isUndefined(groupRolesIn(text))
  )

  it("gives in each organization the role that stands first", () => {
    const list = groupRolesIn("a=1:Admin,b=1:Viewer,b=2:Viewer,c=2:Owner") ?? []
    assert.deepStrictEqual(
      [...rolesOfGroups(list, ["b", "a"])],
      [
        [1, "Admin"],
        [2, "Viewer"]
      ]
    )
    assert.deepStrictEqual([...rolesOfGroups(list, ["c", "d"])], [[2, "Owner"]])
    assert.deepStrictEqual([...rolesOfGroups(list, [])], [])
    assert.deepStrictEqual([...rolesOfGroups(list, ["A"])], [])
  })
})

describe("claims", () => {
  const email = "ada@studio.test"
  it.each([
    [{ email, email_verified: true }, email],
    [{ email: ` ${email} `, email_verified: "true" }, email],
    [{ email, email_verified: false }, null],
    [{ email, email_verified: "yes" }, null],
    [{ email, email_verified: 1 }, null],
    [{ email }, null],
    [{ email: "ada", email_verified: true }, null],
    [{ email: "ada@studio..test", email_verified: true }, null],
    [{ email: [email], email_verified: true }, null],
    [{ email: `${"x".repeat(250)}@studio.test`, email_verified: true }, null],
    [{ email: "\u212aim@studio.test", email_verified: true }, null],
    [{ email: "ada\u200b@studio.test", email_verified: true }, null],
    [{ email_verified: true }, null]
  ])("%o prove the address %s", (told, expected) =>
    assert.strictEqual(claimsOf(told, "groups").verifiedEmail, expected)
  )

  it.each([
    [
      ["a", "b"],
      ["a", "b"]
    ],
    ["a", ["a"]],
    [[1, "a", null, "", "x".repeat(257)], ["a"]],
    [undefined, []],
    [{ a: true }, []],
    [
      Array.from({ length: 3000 }, (_, index) => String(index)),
      Array.from({ length: 2000 }, (_, index) => String(index))
    ]
  ])("name groups", (groups, expected) => {
    assert.deepStrictEqual(claimsOf({ teams: groups }, "teams").groups, expected)
    assert.deepStrictEqual(claimsOf({ teams: groups }, "groups").groups, [])
  })

  it("name the person, or the address does", () => {
    assert.strictEqual(claimsOf({ name: " Ada ", preferred_username: "al" }, "groups").name, "Ada")
    assert.strictEqual(claimsOf({ name: "", preferred_username: "al" }, "groups").name, "al")
    assert.isNull(claimsOf({ name: "x".repeat(101) }, "groups").name)
    assert.strictEqual(nameOf({ name: null }, "Ada.Lovelace@studio.test"), "ada.lovelace")
    assert.strictEqual(nameOf({ name: "Ada" }, email), "Ada")
  })
})

describe("the page to which a sign-in leads back", () => {
  it("is of this server, whatever is asked for", () => {
    const base = "https://here.test"
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `/${text}`)
        ),
        (wanted) => {
          const path = returnPath(wanted)
          assert.strictEqual(new URL(path, base).origin, base)
          assert.match(path, /^\/(?![/\\])/)
          assert.isAtMost(path.length, longestReturn)
          assert.strictEqual(returnPath(path), path)
        }
      )
    )
  })

  it("stays as it is where it is a page", () => {
    for (const path of ["/", "/p/1/production/markers?a=%2F&b=ä", "/invite/abc#x"]) {
      assert.strictEqual(decodeURI(returnPath(path)), decodeURI(path))
    }
    assert.strictEqual(returnPath(undefined), "/")
    // A page that shows so much that its address is too long is come back to nevertheless.
    assert.strictEqual(returnPath(`/p/1/production/insights?question=${"a".repeat(1000)}`), "/p/1/production/insights")
    assert.strictEqual(returnPath(`/${"ä".repeat(500)}`), "/")
  })
})

describe("the cookie of a sign-in", () => {
  it("brings back what was written, in letters that cookies take", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.string().map((text) => returnPath(`/${text}`)),
        (startedAt, returnTo) => {
          const written = writtenFlow({ secret, startedAt, returnTo })
          assert.match(written, /^[\w.-]{1,2000}$/)
          assert.deepStrictEqual(flowIn(written), { secret, startedAt, returnTo })
        }
      )
    )
  })

  it("leads nowhere else by whatever stands in it", () => {
    const elsewhere = writtenFlow({ secret, startedAt: 1, returnTo: "//elsewhere.test" })
    assert.strictEqual(flowIn(elsewhere)?.returnTo, "/")
    for (const cookie of ["", "a.b.c", `${secret}.1`, `${secret}.1.!`, `${secret}.1.${"a".repeat(1401)}`]) {
      assert.isUndefined(flowIn(cookie))
    }
  })

  it("is over after ten minutes, and before it began", () => {
    const flow = { secret, startedAt: 1000, returnTo: "/" }
    assert.deepStrictEqual(
      [999, 1000, 999 + flowMillis, 1000 + flowMillis].map((now) => isFlowOver(flow, now)),
      [true, false, false, true]
    )
  })

  it("signs each use, instant and page apart", () => {
    const flow = { secret, startedAt: 1, returnTo: "/" }
    const all = [
      signedOf("state", flow),
      signedOf("nonce", flow),
      signedOf("verifier", flow),
      signedOf("state", { ...flow, startedAt: 2 }),
      signedOf("state", { ...flow, returnTo: "/p" })
    ]
    assert.strictEqual(new Set(all).size, all.length)
    for (const each of all) assert.notInclude(each, secret)
  })
})
