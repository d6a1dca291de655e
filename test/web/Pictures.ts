// Takes pictures of every page in both themes and sizes, and those of the README: `npm run pictures [folder]`.
import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Page } from "playwright-core"
import { launchBrowser, plainContext } from "../support/Browser.ts"
import { root, startServer, withFolder } from "../support/Server.ts"
import { createStudio } from "./Studio.ts"

const target = resolve(process.argv[2] ?? "pictures")
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 }
] as const

/** Small enough for the README. */
const readmeSize = { width: 1040, height: 550 } as const

const readme = [
  ["insights", "light"],
  ["funnels", "dark"],
  ["experiment", "light"],
  ["home", "light"],
  ["configuration", "light"]
] as const

const pages: ReadonlyArray<readonly [name: string, path: (place: string, map: string) => string]> = [
  ["signin", () => "/signin?add=1"],
  ["insights", (place) => `${place}/insights?m=Login:uniqueUsers&by=property:platform&range=14d&compare=1`],
  ["insights-bars", (place) => `${place}/insights?m=Purchase:sum:price&m=Login:uniqueUsers&range=14d&show=bars`],
  ["funnels", (place) => `${place}/funnels?s=Install&s=TutorialCompleted&s=LevelCompleted&s=ShopOpened&s=Purchase`],
  ["funnels-by", (place) => `${place}/funnels?s=Install&s=LevelCompleted&s=ShopOpened&s=Purchase&by=property:platform`],
  ["retention", (place) => `${place}/retention?start=Install&back=Login`],
  ["heatmaps", (place) => `${place}/heatmaps`],
  ["heatmap", (place, map) => `${place}/heatmaps?map=${map}&m=PlayerDied&area=50,-95,150,-20`],
  ["heatmap-bars", (place, map) => `${place}/heatmaps?map=${map}&m=PlayerDied&view=bars`],
  ["heatmap-difference", (place, map) => `${place}/heatmaps?map=${map}&m=PlayerDied&vs=period`],
  ["heatmap-corners", (place, map) => `${place}/heatmaps/${map}/edit`],
  ["players", (place) => `${place}/players?col=country&col=platform&f=property:country:is:DE`],
  ["player", (place) => `${place}/players/player-00017`],
  ["configurations", (place) => `${place}/configurations`],
  ["configuration", (place) => `${place}/configurations/4`],
  ["configuration-json", (place) => `${place}/configurations/1?view=json`],
  ["configuration-as-player", (place) => `${place}/configurations/1?view=player&player=player-00017`],
  ["deeplinks", (place) => `${place}/deeplinks`],
  ["experiments", (place) => `${place}/experiments`],
  ["experiments-calendar", (place) => `${place}/experiments?view=calendar`],
  ["experiment-new", (place) => `${place}/experiments/new`],
  ["cohorts", (place) => `${place}/cohorts`],
  ["cohort-new", (place) => `${place}/cohorts/new`],
  ["experiment", (place) => `${place}/experiments/2`],
  ["experiment-open", (place) => `${place}/experiments/1?method=sequential&open=level`],
  ["experiment-broken", (place) => `${place}/experiments/3`],
  ["plan", (place) => `${place}/plan?type=LevelCompleted`],
  ["home", (place) => `${place}/home`],
  ["saved", (place) => `${place}/saved`],
  ["boards", (place) => `${place}/boards`],
  ["markers", (place) => `${place}/markers`],
  ["setup", (place) => `${place}/setup`],
  ["settings-project", (place) => `${place}/settings/project`],
  ["settings-environments", (place) => `${place}/settings/environments`],
  ["settings-keys", (place) => `${place}/settings/keys`],
  ["settings-members", (place) => `${place}/settings/members`],
  ["settings-roles", (place) => `${place}/settings/roles`],
  ["settings-organization", (place) => `${place}/settings/organization`],
  ["settings-account", (place) => `${place}/settings/account`]
]

await withFolder(async (folder) => {
  const server = await startServer(join(folder, "data"), ["--demo"])
  const browser = await launchBrowser()
  try {
    mkdirSync(target, { recursive: true })
    const { state, place } = await createStudio(browser, server)
    const open = async (viewport: (typeof sizes)[number] | typeof readmeSize, colorScheme: "light" | "dark") => {
      const context = await browser.newContext({
        ...plainContext,
        viewport,
        colorScheme,
        storageState: state,
        baseURL: server.url
      })
      return context.newPage()
    }
    /** The id of the demo's map. */
    const mapIn = async (): Promise<string> => {
      const page = await open(sizes[0], "light")
      await page.goto(`${place}/heatmaps`)
      const address = (await page.getByRole("link", { name: "The island", exact: true }).getAttribute("href")) ?? ""
      await page.context().close()
      return new URLSearchParams(address.split("?")[1]).get("map") ?? ""
    }
    const show = async (page: Page, path: string) => {
      await page.goto(path)
      await page.locator("h1").waitFor()
      await page.locator(".skeleton").first().waitFor({ state: "hidden" })
      await page.waitForTimeout(300)
    }
    const map = await mapIn()
    for (const viewport of sizes) {
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await open(viewport, colorScheme)
        for (const [name, path] of pages) {
          await show(page, path(place, map))
          const file = join(target, `${name}-${viewport.width}-${colorScheme}.png`)
          await page.screenshot({ path: file, fullPage: viewport.width < 1000 && name !== "markers" })
        }
        await page.context().close()
      }
    }
    for (const [name, colorScheme] of readme) {
      const page = await open(readmeSize, colorScheme)
      await show(page, pages.find(([each]) => each === name)?.[1](place, map) ?? place)
      await page.screenshot({ path: join(root, "docs", "pictures", `${name}.png`) })
      await page.context().close()
    }
  } finally {
    await browser.close()
    await server.stop()
  }
})
