import { afterAll, assert, describe, it } from "@effect/vitest"
import { clientId, openIdServer } from "../../../support/access/OpenIdServer.ts"
import { missingBrowser, sayWhatIsMissing } from "../../../support/Browser.ts"
import { inBrowser, isOpenEverywhere } from "../../InBrowser.ts"

sayWhatIsMissing()

const provider = await openIdServer()
afterAll(provider.close)
const settings = ["--oidc-issuer", provider.issuer, "--oidc-client-id", clientId, "--oidc-name", "Studio login"]
const ada = { sub: "1", email: "ada@studio.example", email_verified: true, name: "Ada" }

describe.skipIf(missingBrowser !== null)("single sign-on", () => {
  const server = inBrowser(settings)
  const strict = inBrowser([...settings, "--oidc-only", "on", "--owner", "owner@studio.example"])

  it("leads to the page where somebody wanted to go, and stands in their account", async () => {
    provider.leadsTo(server.server.url)
    provider.is({ ...ada, email_verified: false })
    const { page, leave } = await server.visit()
    await page.goto("/signin")
    await page.getByRole("link", { name: "Sign in with Studio login" }).click()
    await page.getByText("The provider has not verified your e-mail address").waitFor()
    await isOpenEverywhere(page, "a refused sign-in through the provider")

    provider.is(ada)
    await page.getByRole("link", { name: "Sign in with Studio login" }).click()
    await page.waitForURL(/\/p\/\d+\//)
    const [, place] = /(\/p\/\d+\/[^/]+)/.exec(page.url()) ?? []
    await page.goto(`${place}/settings/account`)
    const own = page.getByRole("region", { name: "Single sign-on" })
    await own.getByText(`ada@studio.example at ${new URL(provider.issuer).host}`).waitFor()
    assert.isTrue(await own.getByRole("button", { name: "Unlink" }).isDisabled())
    await page.getByText("Signed in through the provider").waitFor()
    await isOpenEverywhere(page, "an account with an identity")
    // The provider is the only other server that the browser goes to.
    const others = (await leave()).filter((each) => !each.startsWith(`asks ${provider.issuer}/authorize`))
    assert.deepStrictEqual(others, [])
  })

  it("leaves passwords to owners of the server", async () => {
    provider.leadsTo(strict.server.url)
    const { page, context, leave } = await strict.visit()
    await page.goto("/signin")
    await page.getByRole("link", { name: "Sign in with Studio login" }).waitFor()
    assert.isFalse(await page.getByLabel("Password").isVisible())
    await page.getByText("Owners of this server sign in with a password").click()
    await page.getByLabel("Password").waitFor()
    await isOpenEverywhere(page, "a sign-in page where passwords are for owners")
    const refused = await context.request.post(`${strict.server.url}/users/auth/signin`, {
      data: { email: ada.email, password: "correct horse battery staple" }
    })
    assert.strictEqual(refused.status(), 403)
    assert.deepStrictEqual(await leave(), [])
  })
})
