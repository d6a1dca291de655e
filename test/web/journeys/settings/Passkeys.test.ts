import { afterAll, assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { connect, createServer } from "node:net"
import { missingBrowser, sayWhatIsMissing } from "../../../support/Browser.ts"
import { visit } from "../../../support/Visitor.ts"
import { codeOf } from "../../../support/access/Authenticators.ts"
import { inBrowser, isOpenEverywhere } from "../../InBrowser.ts"
import { apiOf, password } from "../../Team.ts"

sayWhatIsMissing()

/** Browsers bind passkeys to a domain, and the server listens at an address of numbers: this leads from one to the other. */
let target = 0
const door = createServer((socket) => {
  const server = connect(target, "127.0.0.1")
  socket.pipe(server)
  server.pipe(socket)
  for (const each of [socket, server]) each.on("error", () => socket.destroy())
})
door.listen(0)
await once(door, "listening")
const isBound = (address: AddressInfo | string | null): address is AddressInfo => typeof address === "object"
const bound = door.address()
const url = `http://localhost:${isBound(bound) ? bound.port : 0}`
afterAll(() => door.close())

const email = "key@studio.example"

describe.skipIf(missingBrowser !== null)("passkeys", () => {
  const world = inBrowser(["--public-url", url])

  it("are added in the account, let their person in without a password, and are forgotten", async () => {
    target = Number(new URL(world.server.url).port)
    const { page, context, leave } = await visit(world.browser, url, {})
    const devtools = await context.newCDPSession(page)
    await devtools.send("WebAuthn.enable")
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true
      }
    })
    const api = apiOf(context.request, url)
    await api.signUp("Key", email)
    await api.signIn(email)
    await page.goto("/")
    await page.waitForURL(/\/p\/\d+\//)
    const [, place] = /(\/p\/\d+\/[^/]+)/.exec(page.url()) ?? []
    await page.goto(`${place}/settings/account`)
    const own = page.getByRole("region", { name: "Passkeys" })
    await own.getByRole("button", { name: "Add a passkey" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("My laptop")
    await dialog.getByLabel("Present password").fill(password)
    await dialog.getByRole("button", { name: "Add it" }).click()
    await own.getByText("never used").waitFor()
    await isOpenEverywhere(page, "an account with a passkey")

    await context.clearCookies()
    await page.goto("/signin")
    await page.getByRole("button", { name: "Sign in with a passkey" }).waitFor()
    await isOpenEverywhere(page, "a sign-in page with passkeys")
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await page.waitForURL(/\/p\/\d+\//)

    await page.goto(`${place}/settings/account`)
    await page.getByText("Signed in by passkey").waitFor()
    await own.getByText("last used").waitFor()
    await own.getByRole("button", { name: "Forget My laptop" }).click()
    await page.getByRole("button", { name: "Forget it" }).click()
    await own.getByText("With a passkey you sign in by finger").waitFor()

    await context.clearCookies()
    await page.goto("/signin")
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await page.getByText("This passkey opens no account here").waitFor()

    await api.signIn(email)
    const { secret } = await api.ask("POST", "/users/me/second-factor", { currentPassword: password })
    await api.ask("POST", "/users/me/second-factor/confirmation", { code: codeOf(secret) })
    await page.goto(`${place}/settings/account`)
    await own.getByRole("button", { name: "Add a passkey" }).click()
    await dialog.getByLabel("Name").fill("My phone")
    await dialog.getByLabel("Present password").fill(password)
    await dialog.getByLabel("Code").fill(codeOf(secret, 1))
    await isOpenEverywhere(page, "a passkey that is added with a code")
    await dialog.getByRole("button", { name: "Add it" }).click()
    await own.getByText("My phone").waitFor()
    assert.deepStrictEqual(await leave(), [])
  })
})
