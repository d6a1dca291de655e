import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { closeSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import { cookieOf, enter, password, signIn } from "../../support/access/Person.ts"
import { caller } from "../../support/Caller.ts"
import { fetchRequest, gamekeeper, startServer, withFolder } from "../../support/Server.ts"

const pageSize = 4096

/** Overwrites the only page of a small table. */
const destroy = (data: string, table: string) => {
  const file = join(data, "metadata.sqlite")
  const database = new Database(file, { readonly: true })
  const page = Number(database.prepare("select max(pageno) from dbstat where name = ?").pluck().get(table))
  database.close()
  const descriptor = openSync(file, "r+")
  writeSync(descriptor, new Uint8Array(pageSize).fill(0x5a), 0, pageSize, (page - 1) * pageSize)
  closeSync(descriptor)
}

const ownerOf = (data: string, organization: number, email: string) =>
  gamekeeper(["make-owner", "--organization", String(organization), "--email", email, "--data", data]).ended

describe("make-owner", () => {
  it("gives an organization of a running server another owner, and its log says who did", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      const server = await startServer(data, ["--sign-up", "open"])
      const request = fetchRequest(server.url)
      const ada = caller(request, { cookie: await enter(request, "ada@studio.test") })
      const [{ id, name }] = (await ada("GET", "/organization")).body
      const bob = caller(request, { cookie: await enter(request, "bob@studio.test") })
      assert.strictEqual((await bob("GET", `/organization/${id}/members`)).status, 404)

      const stranger = await ownerOf(data, id, "eve@studio.test")
      assert.deepStrictEqual([stranger.code, stranger.out], [1, ""])
      assert.include(stranger.err, "Nobody has the e-mail address eve@studio.test: gamekeeper create-admin makes")
      const nowhere = await ownerOf(data, 4711, "bob@studio.test")
      assert.deepStrictEqual([nowhere.code, nowhere.out], [1, ""])
      assert.include(nowhere.err, "Organization 4711 does not exist")

      const made = await ownerOf(data, id, "BOB@studio.test")
      assert.strictEqual(made.code, 0, made.err)
      assert.match(
        made.out,
        new RegExp(
          `^bob@studio\\.test \\(Ada, whose account was made on [\\d-]+\\) owns organization ${id} \\(${name}\\) now\\n$`
        )
      )
      // He goes on in the session that he has, and may do what only owners may.
      const members: ReadonlyArray<{ membershipId: number; role: { name: string } }> = (
        await bob("GET", `/organization/${id}/members`)
      ).body.items
      assert.deepStrictEqual(
        members.map(({ role }) => role.name),
        ["Owner", "Owner"]
      )
      const removed = await bob("DELETE", `/organization/${id}/members/${members[0]?.membershipId}`)
      assert.strictEqual(removed.status, 204, removed.text)
      const { items } = (await bob("GET", `/organization/${id}/audit-log?operation=organizations.setMemberRole`)).body
      assert.lengthOf(items, 1)
      const [{ actor, reason, object, changes }] = items
      assert.deepStrictEqual(
        [actor.kind, reason, object.name, changes],
        [
          "system",
          "gamekeeper make-owner, by the operator of the server",
          "bob@studio.test",
          [{ path: "role", after: '"Owner"', before: null }]
        ]
      )

      const again = await ownerOf(data, id, "bob@studio.test")
      assert.deepStrictEqual([again.code, / owned already organization /.test(again.out)], [0, true])
      const log = (await bob("GET", `/organization/${id}/audit-log/verification`)).body
      assert.isTrue(log.intact)
      await server.stop()
      const sound = await gamekeeper(["doctor", "--deep", "--data", data]).ended
      assert.strictEqual(sound.code, 0, sound.out)
    }))

  it("is the way back into an organization whose people and roles were lost", () =>
    withFolder(async (folder) => {
      const [data, to] = [join(folder, "data"), join(folder, "to")]
      const server = await startServer(data)
      const request = fetchRequest(server.url)
      const ada = caller(request, { cookie: await enter(request, "ada@studio.test") })
      const [{ id, applications }] = (await ada("GET", "/organization")).body
      await server.stop()
      for (const table of ["users", "roles"]) destroy(data, table)
      const repaired = await gamekeeper(["repair", "--data", data, "--to", to]).ended
      assert.include(
        repaired.out,
        `unless you make somebody its owner: gamekeeper make-owner --organization ${id} --email ADDRESS`
      )

      const admin = { GAMEKEEPER_ADMIN_PASSWORD: password }
      const created = await gamekeeper(["create-admin", "--email", "ada@studio.test", "--data", to], admin).ended
      assert.strictEqual(created.code, 0, created.err)
      const made = await ownerOf(to, id, "ada@studio.test")
      assert.strictEqual(made.code, 0, made.err)

      const restarted = await startServer(to)
      const cookie = cookieOf(await signIn(fetchRequest(restarted.url), "ada@studio.test")) ?? ""
      const back = caller(fetchRequest(restarted.url), { cookie })
      assert.strictEqual((await back("PATCH", `/application/${applications[0].id}`, { name: "Ours" })).status, 200)
      const roles: ReadonlyArray<{ name: string }> = (await back("GET", `/organization/${id}/v2/roles`)).body
      assert.deepStrictEqual(
        roles.map(({ name }) => name),
        ["Owner", "Admin", "Developer", "Analyst", "Viewer"]
      )
      const invited = await back("POST", `/organization/${id}/invitations`, {
        email: "bob@studio.test",
        roleId: (await back("GET", `/organization/${id}/v2/roles`)).body[1].id
      })
      assert.strictEqual(invited.status, 201, invited.text)
      await restarted.stop()
    }))
})
