import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { Secrets } from "../../../src/ports/access/Secrets.ts"
import { caller, joinAs, keysOf, refused, rolesOf } from "../../support/Caller.ts"
import { enter } from "../../support/access/Person.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const recordKeys = [
  "acceptedAt",
  "createdAt",
  "email",
  "expiresAt",
  "id",
  "invitedBy",
  "organizationId",
  "role",
  "status"
]
const day = 86_400_000

describe.each(stores)("invitations over %s", (_, store) => {
  const { request, run } = testApp(store)

  const open = async (name: string) => {
    const studio = await openStudio(request, name)
    const call = caller(request, studio.cookie)
    const home = `/organization/${studio.organizationId}`
    const roles = await rolesOf(call, studio.organizationId)
    const invite = (email: string, role = "Viewer", rest = {}) =>
      call("POST", `${home}/invitations`, { email, roleId: roles[role], ...rest })
    return { studio, call, home, roles, invite }
  }

  const accept = async (token: string, email: string) => {
    const call = caller(request, { cookie: await enter(request, email) })
    return { call, answer: await call("POST", `/users/invitations/${token}/accept`) }
  }

  const stored = (token: string) =>
    run(
      Effect.gen(function* () {
        const { hash } = yield* Secrets
        return yield* Effect.flatMap(OrganizationRepo, (repo) =>
          repo.findInvitationByHash(hash(Redacted.make(token)))
        ).pipe(Effect.map(Option.getOrThrow))
      })
    )

  const expire = async (token: string) => {
    const invitation = await stored(token)
    const expiresAt = DateTime.subtract(invitation.createdAt, { seconds: 1 })
    await run(Effect.flatMap(OrganizationRepo, (repo) => repo.updateInvitation({ ...invitation, expiresAt })))
  }

  it("shows its token once, and keeps only a hash", async () => {
    const { call, home, roles, invite } = await open("once")
    const created = await invite("guest@studio.test")
    assert.strictEqual(created.status, 201)
    assert.deepStrictEqual(keysOf(created.body), [...recordKeys, "acceptUrl", "mail", "token"].sort())
    const { token, acceptUrl, mail, ...record } = created.body
    assert.strictEqual(mail, "off")
    assert.match(token, /^[A-Za-z0-9_-]{43}$/)
    assert.strictEqual(acceptUrl, `http://127.0.0.1:4210/invite/${token}`)
    assert.strictEqual(Date.parse(record.expiresAt) - Date.parse(record.createdAt), 7 * day)
    assert.deepStrictEqual(record.role, { id: roles["Viewer"], name: "Viewer" })
    assert.strictEqual(record.invitedBy.email, "once@studio.test")
    const listed = await call("GET", `${home}/invitations`)
    assert.deepStrictEqual(listed.body, { items: [record], nextCursor: null })
    assert.notInclude(listed.text, token)
    assert.notInclude(JSON.stringify(await stored(token)), token)
  })

  it("is accepted by the address invited, whatever its case, and again without effect", async () => {
    const { call, home, invite } = await open("host")
    const created = await invite("Guest.Two@Studio.test", "Analyst")
    const guest = await accept(created.body.token, "guest.two@studio.test")
    assert.strictEqual(guest.answer.status, 200)
    assert.strictEqual(guest.answer.body.role.name, "Analyst")
    assert.deepStrictEqual((await guest.call("GET", home)).body, guest.answer.body)
    const again = await guest.call("POST", `/users/invitations/${created.body.token}/accept`)
    assert.deepStrictEqual([again.status, again.body], [200, guest.answer.body])
    const [invitation] = (await call("GET", `${home}/invitations`)).body.items
    assert.strictEqual(invitation.status, "accepted")
    assert.isString(invitation.acceptedAt)
    assert.lengthOf((await call("GET", `${home}/members`)).body.items, 2)
  })

  it("is accepted once where it is accepted twice at the same time", async () => {
    const { call, home, invite } = await open("twice")
    const created = await invite("hasty@studio.test")
    const guest = caller(request, { cookie: await enter(request, "hasty@studio.test") })
    const path = `/users/invitations/${created.body.token}/accept`
    const answers = await Promise.all([guest("POST", path), guest("POST", path)])
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 200]
    )
    assert.lengthOf((await call("GET", `${home}/members`)).body.items, 2)
  })

  it("opens to nobody else, nor after its end, nor once it was taken back or used", async () => {
    const { studio, call, home, invite } = await open("shut")
    const created = await invite("wanted@studio.test")
    refused((await accept(created.body.token, "thief@studio.test")).answer, 403, "FORBIDDEN")
    refused((await accept("unknown", "stranger@studio.test")).answer, 404, "INVITATION_NOT_FOUND")
    await expire(created.body.token)
    refused((await accept(created.body.token, "wanted@studio.test")).answer, 404, "INVITATION_NOT_FOUND")
    assert.strictEqual((await call("GET", `${home}/invitations`)).body.items[0].status, "expired")

    const revoked = await invite("revoked@studio.test")
    assert.strictEqual((await call("DELETE", `${home}/invitations/${revoked.body.id}`)).status, 204)
    refused((await accept(revoked.body.token, "revoked@studio.test")).answer, 404, "INVITATION_NOT_FOUND")
    refused(await call("DELETE", `${home}/invitations/${revoked.body.id}`), 404, "INVITATION_NOT_FOUND")

    const used = await invite("removed@studio.test")
    const guest = await accept(used.body.token, "removed@studio.test")
    await call("DELETE", `${home}/members/${guest.answer.body.membershipId}`)
    refused(await guest.call("POST", `/users/invitations/${used.body.token}/accept`), 404, "INVITATION_NOT_FOUND")
    const members = (await call("GET", `${home}/members`)).body.items
    assert.deepStrictEqual(
      members.map(({ membershipId }: { membershipId: number }) => membershipId),
      [studio.membershipId]
    )
  })

  it("is refused once whoever sent it could not send it any more, and good again once they could", async () => {
    const { studio, call, home, roles } = await open("fading")
    const sender = await joinAs(request, studio, "fading-sender", "Admin")
    const invite = async (email: string, role: string) =>
      (await sender.call("POST", `${home}/invitations`, { email, roleId: roles[role] })).body.token
    const guests = { admin: "a@fading.test", viewer: "b@fading.test", late: "c@fading.test" }
    const tokens = {
      admin: await invite(guests.admin, "Admin"),
      viewer: await invite(guests.viewer, "Viewer"),
      late: await invite(guests.late, "Viewer")
    }
    const role = `${home}/members/${sender.membershipId}/role`
    const members = async () => (await call("GET", `${home}/members`)).body.items.length

    await call("PUT", role, { roleId: roles["Developer"] })
    for (const guest of ["admin", "viewer"] as const) {
      refused((await accept(tokens[guest], guests[guest])).answer, 403, "INVITER_LACKS_RIGHTS")
    }
    const inviting = { name: "Inviting", permissions: ["members:read", "members:write"] }
    const { id } = (await call("POST", `${home}/v2/roles`, inviting)).body
    await call("PUT", role, { roleId: id })
    refused((await accept(tokens.viewer, guests.viewer)).answer, 403, "INVITER_LACKS_RIGHTS")
    assert.strictEqual(await members(), 2)

    await call("PUT", role, { roleId: roles["Admin"] })
    assert.strictEqual((await accept(tokens.viewer, guests.viewer)).answer.status, 200)
    await call("DELETE", `${home}/members/${sender.membershipId}`)
    for (const guest of ["admin", "late"] as const) {
      refused((await accept(tokens[guest], guests[guest])).answer, 403, "INVITER_LACKS_RIGHTS")
    }
    assert.strictEqual((await accept(tokens.viewer, guests.viewer)).answer.status, 200)
    assert.strictEqual(await members(), 2)
    const all = (await call("GET", `${home}/invitations`)).body.items
    assert.sameDeepMembers(
      all.flatMap((each: any) => (each.email.endsWith("@fading.test") ? [[each.email, each.status]] : [])),
      [
        [guests.admin, "pending"],
        [guests.viewer, "accepted"],
        [guests.late, "pending"]
      ]
    )
  })

  it("replaces the invitation the address still has", async () => {
    const { call, home, invite } = await open("again")
    const first = await invite("slow@studio.test")
    const second = await invite("SLOW@studio.test", "Developer")
    refused((await accept(first.body.token, "slow@studio.test")).answer, 404, "INVITATION_NOT_FOUND")
    assert.deepStrictEqual(
      (await call("GET", `${home}/invitations`)).body.items.map(({ id }: { id: number }) => id),
      [second.body.id]
    )
  })

  it("replaces one of the address that has ended, whatever its role was, and none that was accepted", async () => {
    const { studio, call, home, invite, roles } = await open("lapsed")
    const admin = await joinAs(request, studio, "lapsed-admin", "Admin")
    const listed = async () => (await call("GET", `${home}/invitations`)).body.items.map(({ id }: { id: number }) => id)
    const [accepted] = await listed()
    const ended = await invite("late@studio.test", "Owner")
    await expire(ended.body.token)
    const again = await admin.call("POST", `${home}/invitations`, {
      email: "late@studio.test",
      roleId: roles["Viewer"]
    })
    assert.strictEqual(again.status, 201, again.text)
    assert.deepStrictEqual(await listed(), [accepted, again.body.id])
  })

  it("F3: POST members invites too, and gives no role to whoever registered the address", async () => {
    const { call, home, roles } = await open("unproven")
    const squatter = caller(request, { cookie: await enter(request, "boss@studio.test") })
    const added = await call("POST", `${home}/members`, { email: "boss@studio.test", roleId: roles["Admin"] })
    assert.strictEqual(added.status, 201)
    assert.deepStrictEqual(keysOf(added.body), [...recordKeys, "acceptUrl", "mail", "token"].sort())
    refused(await squatter("GET", home), 404, "ORGANIZATION_NOT_FOUND")
    assert.lengthOf((await call("GET", `${home}/members`)).body.items, 1)
    assert.strictEqual((await squatter("POST", `/users/invitations/${added.body.token}/accept`)).status, 200)
    assert.strictEqual((await squatter("GET", home)).body.role.name, "Admin")
  })

  it("refuses what does not fit, and changes nothing", async () => {
    const { studio, call, home, roles } = await open("picky")
    const other = await open("picky-other")
    const foreign = await other.invite("someone@studio.test")
    const admin = await joinAs(request, studio, "picky-admin", "Admin")
    const developer = await joinAs(request, studio, "picky-developer", "Developer")
    const path = `${home}/invitations`
    const before = (await call("GET", path)).text
    const email = "new@studio.test"
    const cases: ReadonlyArray<readonly [number, string, typeof call, string, string, unknown]> = [
      [400, "VALIDATION_FAILED", call, "POST", path, { email: "nobody", roleId: roles["Viewer"] }],
      [400, "VALIDATION_FAILED", call, "POST", path, { email: `\u200b${email}`, roleId: roles["Viewer"] }],
      [400, "VALIDATION_FAILED", call, "POST", path, { email, roleId: roles["Viewer"], expiresInDays: 91 }],
      [404, "ROLE_NOT_FOUND", call, "POST", path, { email, roleId: other.roles["Viewer"] }],
      [409, "ALREADY_MEMBER", call, "POST", path, { email: admin.email.toUpperCase(), roleId: roles["Viewer"] }],
      [403, "ESCALATION", admin.call, "POST", path, { email, roleId: roles["Owner"] }],
      [403, "FORBIDDEN", developer.call, "POST", path, { email, roleId: roles["Viewer"] }],
      [403, "FORBIDDEN", developer.call, "DELETE", `${path}/1`, undefined],
      [404, "INVITATION_NOT_FOUND", call, "DELETE", `${path}/${foreign.body.id}`, undefined]
    ]
    for (const [status, code, by, method, at, body] of cases) refused(await by(method, at, body), status, code)
    assert.strictEqual((await call("GET", path)).text, before)
    assert.lengthOf((await other.call("GET", `${other.home}/invitations`)).body.items, 1)
  })
})
