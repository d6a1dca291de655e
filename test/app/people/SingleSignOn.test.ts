import { afterAll, assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { clientId, clientSecret, openIdServer, sessionOf, signInThrough } from "../../support/access/OpenIdServer.ts"
import { password } from "../../support/access/Person.ts"
import type { Call } from "../../support/TestApp.ts"
import { gamekeeper, startServer, withFolder } from "../../support/Server.ts"

const issuer = "https://login.studio.test"
const id = ["--oidc-client-id", clientId]

/** Settings with which no server starts, and the flag that its message names. */
const refusals: ReadonlyArray<readonly [args: ReadonlyArray<string>, env: Record<string, string>, named: string]> = [
  [["--oidc-issuer", "http://login.studio.test", ...id], {}, "--oidc-issuer"],
  [["--oidc-issuer", "login.studio.test", ...id], {}, "--oidc-issuer"],
  [["--oidc-issuer", `${issuer}?a=b`, ...id], {}, "--oidc-issuer"],
  [["--oidc-issuer", "https://user:secret@login.studio.test", ...id], {}, "--oidc-issuer"],
  [["--oidc-issuer", issuer], {}, "--oidc-client-id"],
  [id, {}, "--oidc-issuer"],
  [[], { GAMEKEEPER_OIDC_CLIENT_SECRET: clientSecret }, "--oidc-issuer"],
  [["--oidc-only", "on"], {}, "--oidc-issuer"],
  [["--oidc-issuer", issuer, ...id, "--oidc-only", "maybe"], {}, "on"],
  [["--oidc-issuer", issuer, ...id, "--oidc-roles", "crew=Developer"], {}, "--oidc-roles"],
  [["--oidc-issuer", issuer, ...id], { GAMEKEEPER_OIDC_ROLES: "crew=0:Viewer" }, "GAMEKEEPER_OIDC_ROLES"],
  [["--oidc-issuer", issuer, ...id, "--oidc-name", " "], {}, "--oidc-name"]
]

/** Asks the server, and goes nowhere that it leads to. */
const withoutFollowing =
  (base: string) =>
  async (method: string, path: string, call: Call = {}) => {
    const response = await fetch(base + path, { method, headers: { ...call.headers }, redirect: "manual" })
    const text = await response.text()
    const body = text === "" ? undefined : JSON.parse(text)
    return { status: response.status, headers: response.headers, text, body }
  }

describe("a server with single sign-on", () => {
  it("does not start where its settings are none, says which, and never the secret", () =>
    withFolder(async (folder) => {
      for (const [args, env, named] of refusals) {
        const data = join(folder, "data")
        const { code, out, err } = await gamekeeper(["--data", data, "--port", "0", ...args], env).ended
        assert.notStrictEqual(code, 0, args.join(" "))
        assert.include(out + err, named)
        assert.notInclude(out + err, clientSecret)
      }
    }))

  it("signs people in through a provider, and gives them the role of their group", async () => {
    const provider = await openIdServer()
    afterAll(provider.close)
    await withFolder(async (folder) => {
      const made = gamekeeper(["create-admin", "--email", "ada@studio.test", "--data", folder], {
        GAMEKEEPER_ADMIN_PASSWORD: password
      })
      assert.strictEqual((await made.ended).code, 0)
      const server = await startServer(
        folder,
        [
          ...["--oidc-issuer", provider.issuer, ...id],
          ...["--oidc-name", "Studio login", "--oidc-groups-claim", "teams", "--oidc-only", "on"],
          ...["--sign-up", "invited"]
        ],
        { GAMEKEEPER_OIDC_CLIENT_SECRET: clientSecret, GAMEKEEPER_OIDC_ROLES: "crew=1:Developer" }
      )
      const request = withoutFollowing(server.url)
      assert.deepStrictEqual((await request("GET", "/users/auth/oidc")).body, { name: "Studio login", only: true })
      provider.is({ sub: "1", email: "crew@studio.test", email_verified: true, teams: ["crew"] })
      const entered = await signInThrough(request, "", "/p/1")
      assert.deepStrictEqual([entered.status, entered.headers.get("location")], [302, "/p/1"])
      const headers = { cookie: sessionOf(entered) }
      const [organization] = (await request("GET", "/organization", { headers })).body
      assert.deepStrictEqual([organization.id, organization.role.name], [1, "Developer"])
      const credentials = Buffer.from(provider.asked.at(-1)?.replace("Basic ", "") ?? "", "base64").toString()
      assert.strictEqual(decodeURIComponent(credentials.replaceAll("+", " ")), `${clientId}:${clientSecret}`)
      provider.is({ sub: "2", email: "bea@studio.test", email_verified: false, teams: ["crew"] })
      await signInThrough(request)
      provider.is({ sub: "3", email: "cyd@studio.test", email_verified: true })
      await signInThrough(request)
      const state = "state-of-somebody-else"
      await request("GET", `/users/auth/oidc/callback?state=${state}&code=x`)
      const { out, err } = await server.stop()
      for (const reason of [
        "the e-mail address of 2 is not verified",
        "cyd@studio.test has no account. Only invited people can sign up",
        "the browser has no cookie of a sign-in"
      ])
        assert.include(out + err, `Single sign-on was refused: ${reason}`)
      assert.notInclude(out + err, state)
      assert.notInclude(out + err, clientSecret)
    })
  })
})
