import type { Browser } from "playwright-core"
import { plainContext } from "../support/Browser.ts"
import type { startServer } from "../support/Server.ts"

type Server = Awaited<ReturnType<typeof startServer>>

/** Signs in as the owner of the demo studio, as the server's first lines say, and answers the browser's state and the address of its project. */
export const createStudio = async (browser: Browser, server: Server) => {
  const said = await demoLine(server)
  const [, email = "", password = "", applicationId = ""] =
    /sign in as (\S+) with the password (\S+) \(application (\d+)/.exec(said) ?? []
  const context = await browser.newContext({ ...plainContext, baseURL: server.url })
  const page = await context.newPage()
  await page.goto("/signin")
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL(/\/home$/)
  const state = await context.storageState()
  await context.close()
  return { state, place: `/p/${applicationId}/production` }
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
