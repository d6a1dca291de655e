import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { setUpFactor } from "../../support/access/Authenticators.ts"
import { softAuthenticator } from "../../support/access/SoftAuthenticator.ts"
import { cookieOf, enter, password, signIn } from "../../support/access/Person.ts"
import { fetchRequest, gamekeeper, startServer, withFolder } from "../../support/Server.ts"

const email = "ada@studio.test"
const admin = { GAMEKEEPER_ADMIN_PASSWORD: password }

describe("the operator's commands for people", () => {
  it("work beside a running server, which is none the worse for it", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      const reset = ["reset-password", "--email", email, "--data", data]
      const server = await startServer(data)
      const request = fetchRequest(server.url)
      const nobody = await gamekeeper(reset).ended
      assert.deepStrictEqual([nobody.code, nobody.out], [1, ""])
      assert.match(nobody.err, /Nobody has the e-mail address ada@studio\.test/)

      const made = await gamekeeper(["create-admin", "--email", email, "--data", data], admin).ended
      assert.deepStrictEqual([made.code, made.out], [0, `${email} can sign in now\n`])
      const signedIn = await signIn(request, email)
      assert.strictEqual(signedIn.status, 200)
      const headers = { cookie: cookieOf(signedIn) ?? "" }
      const [{ applications }] = signedIn.body.organizations
      assert.strictEqual((await request("GET", `/application/${applications[0].id}`, { headers })).status, 200)

      const link = await gamekeeper(reset).ended
      assert.strictEqual(link.code, 0)
      const [, token = ""] = /^http:\/\/127\.0\.0\.1:\d+\/reset-password#([A-Za-z0-9_-]{43})\n$/.exec(link.out) ?? []
      const next = { token, password: "another battery staple" }
      assert.strictEqual((await request("POST", "/users/auth/password-reset", { body: next })).status, 204)
      assert.strictEqual((await request("GET", "/users/me", { headers })).status, 401)
      const again = { email, password: next.password }
      assert.strictEqual((await request("POST", "/users/auth/signin", { body: again })).status, 200)

      const removal = ["remove-second-factor", "--email", email, "--data", data]
      const none = await gamekeeper(removal).ended
      assert.deepStrictEqual([none.code, none.out], [1, ""])
      assert.match(none.err, /The account of ada@studio\.test has no second factor/)
      const renewed = { cookie: cookieOf(await request("POST", "/users/auth/signin", { body: again })) ?? "" }
      await setUpFactor(request, renewed.cookie, next.password)
      assert.strictEqual((await request("POST", "/users/auth/signin", { body: again })).status, 401)
      const removed = await gamekeeper(removal).ended
      assert.deepStrictEqual([removed.code, removed.out], [0, `${email} signs in with the password alone now\n`])
      assert.strictEqual((await request("POST", "/users/auth/signin", { body: again })).status, 200)

      const told = await request("GET", `/organization/${signedIn.body.organizations[0].id}/audit-log`, {
        headers: { cookie: cookieOf(await request("POST", "/users/auth/signin", { body: again })) ?? "" }
      })
      const audited: ReadonlyArray<{ operation: string; actor: { kind: string }; object: object; reason: string }> =
        told.body.items
      assert.deepStrictEqual(
        audited.toReversed().map(({ operation, actor, reason }) => [operation, actor.kind, reason]),
        [
          ["passwordResets.create", "system", "gamekeeper reset-password, by the operator of the server"],
          ["secondFactors.removeOfMember", "system", "gamekeeper remove-second-factor, by the operator of the server"]
        ]
      )
      await server.stop()

      // Every page has its checksum, also those that a command wrote.
      const sound = await gamekeeper(["doctor", "--data", data]).ended
      assert.strictEqual(sound.code, 0, sound.out)
      const restarted = await startServer(data)
      const answer = await fetchRequest(restarted.url)("POST", "/users/auth/signin", { body: again })
      assert.strictEqual(answer.status, 200)
      await restarted.stop()
      const unused = await gamekeeper(reset).ended
      assert.strictEqual(unused.code, 0)
      const taken = await gamekeeper(["create-admin", "--email", email, "--data", data], admin).ended
      assert.deepStrictEqual([taken.code, taken.out], [0, `${email} was there already and has the new password now\n`])
      const last = await startServer(data)
      // A new password ends sessions and links.
      const before = { headers: { cookie: cookieOf(answer) ?? "" } }
      assert.strictEqual((await fetchRequest(last.url)("GET", "/users/me", before)).status, 401)
      const late = { token: /#(\S+)/.exec(unused.out)?.[1], password: next.password }
      const refused = await fetchRequest(last.url)("POST", "/users/auth/password-reset", { body: late })
      assert.notStrictEqual(refused.status, 204)
      const own = await signIn(fetchRequest(last.url), email)
      const log = await fetchRequest(last.url)("GET", `/organization/${signedIn.body.organizations[0].id}/audit-log`, {
        headers: { cookie: cookieOf(own) ?? "" }
      })
      assert.deepStrictEqual(
        log.body.items
          .slice(0, 2)
          .map(({ operation, object }: { operation: string; object: { name: string } }) => [operation, object.name]),
        [
          ["passwordResets.setByOperator", email],
          ["passwordResets.create", email]
        ]
      )
      await last.stop()
    }))

  it("take an account from whoever has registered its address before, passkeys included", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      const place = { origin: "http://localhost:4210", domain: "localhost" }
      const server = await startServer(data, ["--public-url", place.origin])
      const request = fetchRequest(server.url)
      const headers = { cookie: await enter(request, email) }
      const authenticator = softAuthenticator(place)
      const begun = { headers, body: { currentPassword: password } }
      const { challenge } = (await request("POST", "/users/me/passkeys/options", begun)).body
      const made = { name: "Left behind", response: authenticator.make({ challenge }) }
      assert.strictEqual((await request("POST", "/users/me/passkeys", { headers, body: made })).status, 201)
      const enterByIt = async () => {
        const asked = (await request("POST", "/users/auth/passkey/options")).body
        const body = { response: authenticator.use({ challenge: asked.challenge }) }
        return (await request("POST", "/users/auth/passkey", { body })).status
      }
      assert.strictEqual(await enterByIt(), 200)
      assert.strictEqual((await gamekeeper(["create-admin", "--email", email, "--data", data], admin).ended).code, 0)
      assert.strictEqual(await enterByIt(), 401)
      await server.stop()
    }))

  it("say that there is no data folder, and make none", () =>
    withFolder(async (folder) => {
      const data = join(folder, "mistyped")
      for (const command of ["reset-password", "remove-second-factor"]) {
        const { code, out, err } = await gamekeeper([command, "--email", email, "--data", data]).ended
        const said = `gamekeeper: There is no data folder ${data}: --data names that of the server\n`
        assert.deepStrictEqual([code, out, err], [1, "", said])
      }
      const to = join(folder, "to")
      for (const command of ["backup", "export-all"]) {
        const { code, out, err } = await gamekeeper([command, "--to", to, "--data", data]).ended
        const said = `gamekeeper: There is no data folder ${data}: --data names that of the server\n`
        assert.deepStrictEqual([code, out, err], [1, "", said])
      }
      assert.isFalse(existsSync(data) || existsSync(to))
    }))

  it("leave to a killed server's next start what they wrote", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      const server = await startServer(data)
      assert.strictEqual((await gamekeeper(["create-admin", "--email", email, "--data", data], admin).ended).code, 0)
      server.process.kill("SIGKILL")
      await server.ended
      const restarted = await startServer(data)
      assert.strictEqual((await signIn(fetchRequest(restarted.url), email)).status, 200)
      assert.notInclude(restarted.output().err, "damaged")
      await restarted.stop()
    }))
})
