import { afterAll, assert, beforeAll } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { launchBrowser } from "../support/Browser.ts"
import { copyDemo } from "../support/DemoFolder.ts"
import { startServer } from "../support/Server.ts"
import { barriersOn, colourRules, visit } from "../support/Visitor.ts"
import { openStudio } from "./Studio.ts"

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
  let studio: Awaited<ReturnType<typeof openStudio>>

  beforeAll(async () => {
    studio = await openStudio(world.browser, world.server)
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

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

const nextFrame = (page: Page): Promise<void> =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => done()))")

/** Frames in which a page that was given another size has drawn itself anew, on a busy machine too. */
const mostFrames = 300

/** Nothing keeps anybody from using the page as it is now, and nothing on it is wider than the screen. */
export const isOpenToEverybody = async (page: Page, what: string): Promise<void> => {
  assert.deepStrictEqual(await barriersOn(page), [], what)
  for (let frame = 0; frame < mostFrames && (await overflowOf(page)) > 0; frame++) await nextFrame(page)
  assert.isAtMost(await overflowOf(page), 0, `${what} is wider than the screen`)
}

const showIn = async (page: Page, colorScheme: "light" | "dark"): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
}

/** The same in either theme. The second differs in colours alone, so only what reads colours is looked at again. */
export const isOpenInBothThemes = async (page: Page, what: string): Promise<void> => {
  await showIn(page, "dark")
  await isOpenToEverybody(page, `${what}, dark`)
  await showIn(page, "light")
  assert.deepStrictEqual(await barriersOn(page, colourRules), [], `${what}, light`)
}

/**
 * The same on a desk and on a phone. It begins with the screen that the page has, and leaves it on the other one: of the pages looked at
 * one after the other, half are opened on a phone.
 */
export const isOpenEverywhere = async (page: Page, what: string): Promise<void> => {
  const isOnPhone = page.viewportSize()?.width === screens[1].width
  for (const screen of isOnPhone ? [screens[1], screens[0]] : screens) {
    await page.setViewportSize(screen)
    await nextFrame(page)
    await isOpenInBothThemes(page, `${what} at ${screen.width}`)
  }
}
