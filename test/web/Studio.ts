import type { Browser } from "playwright-core"
import { plainContext } from "../support/Browser.ts"
import type { startServer } from "../support/Server.ts"
import { apiOf } from "./Team.ts"

type Server = Awaited<ReturnType<typeof startServer>>

/** The owner of the demo studio and its project, as the server's first lines say. */
const ownerOf = async (server: Server) => {
  const said = await demoLine(server)
  const [, email = "", password = "", applicationId = ""] =
    /sign in as (\S+) with the password (\S+) \(application (\d+)/.exec(said) ?? []
  return { email, password, place: `/p/${applicationId}/production` }
}

/** Signs in as the owner of the demo studio by a request, and answers the browser's state and the address of its project. */
export const openStudio = async (browser: Browser, server: Server) => {
  const { email, password, place } = await ownerOf(server)
  const context = await browser.newContext(plainContext)
  await apiOf(context.request, server.url).ask("POST", "/users/auth/signin", { email, password })
  const state = await context.storageState()
  await context.close()
  return { state, place }
}

/** The same through the pages, so that the browser remembers its last place as that of somebody who comes back. */
export const createStudio = async (browser: Browser, server: Server) => {
  const { email, password, place } = await ownerOf(server)
  const context = await browser.newContext({ ...plainContext, baseURL: server.url })
  const page = await context.newPage()
  await page.goto("/signin")
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL(/\/home$/)
  const state = await context.storageState()
  await context.close()
  return { state, place }
}

const demoLine = async (server: Server): Promise<string> => {
  for (let look = 0; look < 600; look++) {
    const line = server
      .output()
      .out.split("\n")
      .find((each) => each.startsWith("demo studio:"))
    if (line !== undefined) return line
    await new Promise((done) => setTimeout(done, 100))
  }
  return ""
}
