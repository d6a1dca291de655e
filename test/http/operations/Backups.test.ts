import { assert, beforeAll, describe, it } from "@effect/vitest"
import { signUp } from "../../support/access/Person.ts"
import { refused } from "../../support/Caller.ts"
import { mintPersonalToken, openStudio, type Studio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const name = /^gamekeeper-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

describe.each(stores)("backups over %s", (_, store) => {
  const { request } = testApp(store, { owner: "other@studio.test, Ada@Studio.test" })
  let ada: Studio
  let bea: Studio

  beforeAll(async () => {
    ada = await openStudio(request, "ada")
    bea = await openStudio(request, "bea")
  })

  const ended = async () => {
    for (;;) {
      const { status, body } = await request("GET", "/backups", { headers: ada.cookie })
      assert.strictEqual(status, 200)
      if (body.running === null && body.last !== null) return body
    }
  }

  it("are begun, listed and tried by owners of the server", async () => {
    const before = await request("GET", "/backups", { headers: ada.cookie })
    assert.deepStrictEqual(before.body, { place: "memory", everyHours: 24, running: null, last: null, items: [] })
    const begun = await request("POST", "/backups", { headers: ada.cookie })
    assert.strictEqual(begun.status, 202)
    assert.deepInclude(begun.body, { kind: "backup", backupId: null })
    const { items, last } = await ended()
    assert.deepInclude(last, { kind: "backup", isGood: true })
    assert.deepStrictEqual(
      items.map((item: object) => Object.keys(item)),
      [["id", "instant", "bytes", "markers", "version", "state"]]
    )
    assert.match(items[0].id, name)
    const drill = await request("POST", `/backups/${items[0].id}/drill`, { headers: ada.cookie })
    assert.deepStrictEqual([drill.status, drill.body.backupId], [202, items[0].id])
    assert.deepInclude((await ended()).last, { kind: "drill", isGood: true, message: `${items[0].id} can be restored` })
  })

  it("belong to nobody who signs up with an owner's address later on, not even by an invitation", async () => {
    const home = `/organization/${bea.organizationId}`
    const [{ id: roleId }] = (await request("GET", `${home}/v2/roles`, { headers: bea.cookie })).body
    const invitation = { headers: bea.cookie, body: { email: "other@studio.test", roleId } }
    assert.strictEqual((await request("POST", `${home}/invitations`, invitation)).status, 201)
    for (const email of ["other@studio.test", "Other@Studio.test"])
      refused(await signUp(request, email), 403, "SIGN_UP_CLOSED")
  })

  const refusals: ReadonlyArray<readonly [string, number, string, () => ReturnType<typeof request>]> = [
    ["nobody", 401, "UNAUTHENTICATED", () => request("POST", "/backups")],
    ["the owner of another organization", 403, "FORBIDDEN", () => request("POST", "/backups", { headers: bea.cookie })],
    ["who may not list them", 403, "FORBIDDEN", () => request("GET", "/backups", { headers: bea.cookie })],
    ["who may not try them", 403, "FORBIDDEN", () => request("POST", "/backups/any/drill", { headers: bea.cookie })],
    [
      "a token of an owner",
      401,
      "CREDENTIAL_NOT_ACCEPTED",
      async () => {
        const token = await mintPersonalToken(request, ada, { permissions: ["organization:read"] })
        return request("GET", "/backups", { headers: { authorization: `Bearer ${token}` } })
      }
    ],
    [
      "a backup that is not there",
      404,
      "BACKUP_NOT_FOUND",
      () => request("POST", "/backups/gamekeeper-none/drill", { headers: ada.cookie })
    ]
  ]
  it.each(refusals)("refuse %s", async (_case, status, code, call) => {
    const { status: answered, body } = await call()
    assert.deepStrictEqual([answered, body.code], [status, code])
    if (status === 403) assert.include(body.message, "--owner")
  })
})
