import { afterAll, assert, beforeAll } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { launchBrowser } from "../support/Browser.ts"
import { copyDemo } from "../support/DemoFolder.ts"
import { startServer } from "../support/Server.ts"
import { barriersOn, visit } from "../support/Visitor.ts"
import { createStudio } from "./Studio.ts"

/** A desk and a phone. */
export const screens = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 }
] as const

/** A server over the folder and a browser for the tests of a block. Both are there in its tests, and end with it. */
const over = (fill: (folder: string) => Promise<void>, args: ReadonlyArray<string>) => {
  let folder: string
  let server: Awaited<ReturnType<typeof startServer>>
  let browser: Browser

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "gamekeeper-"))
    await fill(folder)
    server = await startServer(folder, args)
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  return {
    get server() {
      return server
    },
    get browser() {
      return browser
    },
    visit: (options: BrowserContextOptions = {}) => visit(browser, server.url, options)
  }
}

/** A server of its own, with nothing in it. */
export const inBrowser = (args: ReadonlyArray<string> = []) => over(async () => undefined, args)

/** The same with the demo studio; who visits it is signed in as its owner. */
export const inDemoStudio = () => {
  const world = over(copyDemo, ["--demo"])
  let studio: Awaited<ReturnType<typeof createStudio>>

  beforeAll(async () => {
    studio = await createStudio(world.browser, world.server)
  })

  return {
    get server() {
      return world.server
    },
    /** Address of the studio's project. */
    get place() {
      return studio.place
    },
    visit: (options: BrowserContextOptions = {}) => world.visit({ storageState: studio.state, ...options })
  }
}

/** Looks at the page as it is in the light theme and in the dark one. To load it anew for each theme would take most of the time. */
export const inBothThemes = async (page: Page, look: (theme: "light" | "dark") => Promise<void>): Promise<void> => {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
    await look(colorScheme)
  }
}

/** Nothing keeps anybody from using the page as it is now, and nothing on it is wider than the screen. */
export const isOpenToEverybody = async (page: Page, what: string): Promise<void> => {
  assert.deepStrictEqual(await barriersOn(page), [], what)
  const overflow: number = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth"
  )
  assert.isAtMost(overflow, 0, `${what} is wider than the screen`)
}

/** The same in either theme. */
export const isOpenInBothThemes = (page: Page, what: string): Promise<void> =>
  inBothThemes(page, (theme) => isOpenToEverybody(page, `${what}, ${theme}`))
