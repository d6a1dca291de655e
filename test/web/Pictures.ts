// Takes pictures of every page in both themes and sizes: `npm run pictures [folder]`.
import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { launchBrowser, plainContext } from "../support/Browser.ts"
import { startServer, withFolder } from "../support/Server.ts"
import { createStudio } from "./Studio.ts"

const target = resolve(process.argv[2] ?? "pictures")
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 }
] as const

const pages: ReadonlyArray<readonly [name: string, path: (place: string) => string]> = [
  ["signin", () => "/signin?add=1"],
  ["insights", (place) => `${place}/insights?m=Login:uniqueUsers&by=property:platform&range=14d&compare=1`],
  ["insights-bars", (place) => `${place}/insights?m=Purchase:sum:price&m=Login:uniqueUsers&range=14d&show=bars`],
  ["markers", (place) => `${place}/markers`],
  ["setup", (place) => `${place}/setup`]
]

await withFolder(async (folder) => {
  const server = await startServer(join(folder, "data"), ["--demo"])
  const browser = await launchBrowser()
  try {
    mkdirSync(target, { recursive: true })
    const { state, place } = await createStudio(browser, server)
    for (const viewport of sizes) {
      for (const colorScheme of ["light", "dark"] as const) {
        const context = await browser.newContext({
          ...plainContext,
          viewport,
          colorScheme,
          storageState: state,
          baseURL: server.url
        })
        const page = await context.newPage()
        for (const [name, path] of pages) {
          await page.goto(path(place))
          await page.waitForLoadState("load")
          await page.waitForTimeout(1500)
          const file = join(target, `${name}-${viewport.width}-${colorScheme}.png`)
          await page.screenshot({ path: file, fullPage: viewport.width < 1000 })
        }
        await context.close()
      }
    }
  } finally {
    await browser.close()
    await server.stop()
  }
})
