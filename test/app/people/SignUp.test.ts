import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { cookieOf, password, signIn, signUp } from "../../support/access/Person.ts"
import { rolesOf, caller } from "../../support/Caller.ts"
import { fetchRequest, gamekeeper, startServer, withFolder } from "../../support/Server.ts"

const admin = "ada@studio.test"

type Case = readonly [
  said: string,
  args: ReadonlyArray<string>,
  env: Record<string, string>,
  invited: number,
  stranger: number
]

const cases: ReadonlyArray<Case> = [
  ["--sign-up open", ["--sign-up", "open"], {}, 201, 201],
  ["--sign-up invited", ["--sign-up", "invited"], { GAMEKEEPER_SIGN_UP: "open" }, 201, 403],
  ["--sign-up off", ["--sign-up", "off"], {}, 403, 403],
  ["GAMEKEEPER_SIGN_UP=open", [], { GAMEKEEPER_SIGN_UP: "open" }, 201, 201],
  ["GAMEKEEPER_SIGN_UP=invited", [], { GAMEKEEPER_SIGN_UP: "invited" }, 201, 403],
  ["GAMEKEEPER_SIGN_UP=off", [], { GAMEKEEPER_SIGN_UP: "off" }, 403, 403]
]

describe("F3: a server with an owner", () => {
  it("takes sign-ups as --sign-up and GAMEKEEPER_SIGN_UP say", () =>
    withFolder(async (folder) => {
      const made = gamekeeper(["create-admin", "--email", admin, "--data", folder], {
        GAMEKEEPER_ADMIN_PASSWORD: password
      })
      assert.strictEqual((await made.ended).code, 0)
      for (const [index, [said, args, env, invited, stranger]] of cases.entries()) {
        const server = await startServer(folder, args, env)
        const request = fetchRequest(server.url)
        const signedIn = await signIn(request, admin)
        const call = caller(request, { cookie: cookieOf(signedIn) ?? "" })
        const [{ id }] = signedIn.body.organizations
        const { Viewer: roleId } = await rolesOf(call, id)
        const guest = `guest-${index}@studio.test`
        const invitation = await call("POST", `/organization/${id}/invitations`, { email: guest, roleId })
        assert.strictEqual(invitation.status, 201, said)
        const answers = [await signUp(request, guest), await signUp(request, `stranger-${index}@studio.test`)]
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [invited, stranger],
          said
        )
        await server.stop()
      }
    }))

  it("and its commands judge a password that is chosen, if --password-strength does not leave any", () =>
    withFolder(async (folder) => {
      const easy = "password123"
      const judged = { GAMEKEEPER_PASSWORD_STRENGTH: "1", GAMEKEEPER_ADMIN_PASSWORD: easy }
      const command = ["create-admin", "--email", admin, "--data", folder]
      const refused = await gamekeeper(command, judged).ended
      assert.strictEqual(refused.code, 1)
      assert.match(refused.err, /^gamekeeper: [^\n]*easy to guess[^\n]*\n$/)
      assert.strictEqual((await gamekeeper([...command, "--password-strength", "0"], judged).ended).code, 0)
      const server = await startServer(folder, ["--sign-up", "open"], judged)
      const guest = { name: "Guest", motive: "", email: "guest@studio.test" }
      const chosen = (text: string) =>
        fetchRequest(server.url)("POST", "/users/auth/signup", { body: { ...guest, password: text } })
      const weak = await chosen(easy)
      assert.deepStrictEqual([weak.status, weak.body.code], [422, "PASSWORD_TOO_WEAK"])
      assert.strictEqual((await chosen(password)).status, 201)
      await server.stop()
    }))

  it("does not start where the setting is none of the three", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      for (const [args, env] of [
        [["--sign-up", "maybe"], {}],
        [[], { GAMEKEEPER_SIGN_UP: "maybe" }]
      ] as const) {
        const { code, out, err } = await gamekeeper(["--data", data, "--port", "0", ...args], env).ended
        assert.strictEqual(code, 1)
        assert.match(out + err, /open, invited(,| or) off/)
      }
    }))
})
