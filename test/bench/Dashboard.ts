// The dashboard as its users feel it: what a first load weighs, the first chart beside a bare page that draws the same answer, and
// interactions to the next paint. Compare ratios; milliseconds depend on the machine.
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Browser, Page } from "playwright-core"
import { launchBrowser, missingBrowser, plainContext } from "../support/Browser.ts"
import { firstFiles, firstLoad } from "../support/FirstLoad.ts"
import { startServer, withFolder } from "../support/Server.ts"
import { createStudio } from "../web/Studio.ts"
import { hand } from "./report/Hand.ts"
import { ratios } from "./report/Numbers.ts"
import { atMost, row } from "./report/Row.ts"

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "9" } } })
const rounds = Number(options.rounds)
const address = "insights?m=Login:uniqueUsers&by=property:platform&range=30d"

/** Milliseconds from the navigation to the first frame after which a line of a chart is on the page. */
const watchChart = `new MutationObserver((_, observer) => {
  if (document.querySelector("path[d]:is(.chart-line, .bare)") === null) return
  observer.disconnect()
  requestAnimationFrame(() => setTimeout(() => { window.firstChart = performance.now() }))
}).observe(document, { childList: true, subtree: true, attributes: true })`

/** Asks the same question as the page, and draws each series as one path. */
const barePage = (application: string, environment: number) => `<!doctype html><title>bare</title><body><script>
fetch("/application/${application}/analytics/v1/queries/insights/execute", {
  method: "POST",
  headers: { "content-type": "application/json", "environment-id": "${environment}" },
  body: JSON.stringify({
    time: { step: "day", relative: { step: "day", value: 30 } },
    metrics: [{ id: "A", data: { type: "uniqueUsers", name: "Login" } }],
    breakdowns: [{ source: "property", name: "platform" }],
    breakdownLimit: 8,
    options: { cumulative: false }
  })
}).then((response) => response.json()).then(({ series }) => {
  const space = "http://www.w3.org/2000/svg"
  const svg = document.createElementNS(space, "svg")
  for (const { values } of series) {
    const path = document.createElementNS(space, "path")
    path.setAttribute("class", "bare")
    path.setAttribute("fill", "none")
    path.setAttribute("stroke", "black")
    path.setAttribute("d", "M" + values.map((value, index) => index * 10 + " " + (150 - value / 2)).join("L"))
    svg.append(path)
  }
  document.body.append(svg)
})</script>`

/** Milliseconds from an event of this kind to the first frame after it. */
const watchEvents = `addEventListener("pointermove", record, true); addEventListener("click", record, true)
function record(event) {
  const { timeStamp } = event
  requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => { window.lastPaint = performance.now() - timeStamp }
    port2.postMessage(0)
  })
}`

/** The number that the page has written down under this name, once it has. */
const settled = async (page: Page, name: string): Promise<number> => {
  for (;;) {
    const value: unknown = await page.evaluate(`window.${name}`)
    if (typeof value === "number") {
      await page.evaluate(`window.${name} = undefined`)
      return value
    }
    await new Promise((done) => setTimeout(done, 5))
  }
}

interface Studio {
  readonly state: Awaited<ReturnType<typeof createStudio>>["state"]
  readonly place: string
}

const contextOf = (browser: Browser, baseURL: string, { state }: Studio) =>
  browser.newContext({ ...plainContext, baseURL, storageState: state, viewport: { width: 1440, height: 900 } })

/** First charts of the dashboard and of the bare page in turn, each with an empty and with a full cache. */
const measureCharts = async (browser: Browser, baseURL: string, studio: Studio) => {
  const times = {
    cold: [] as Array<number>,
    warm: [] as Array<number>,
    bare: [] as Array<number>,
    bareWarm: [] as Array<number>
  }
  for (let round = 0; round < rounds; round++) {
    for (const kind of ["dashboard", "bare"] as const) {
      const context = await contextOf(browser, baseURL, studio)
      await context.addInitScript(watchChart)
      const page = await context.newPage()
      const [, , application = ""] = studio.place.split("/")
      const environments: ReadonlyArray<{ readonly id: number; readonly alias: string }> = await (
        await context.request.get(`/application/${application}/environments`)
      ).json()
      const environment = environments.find(({ alias }) => alias === "production")?.id ?? 0
      // A page with routes has no cache, so that only the bare one, which needs none, gets one.
      if (kind === "bare") {
        await page.route("**/bare", (route) =>
          route.fulfill({ contentType: "text/html", body: barePage(application, environment) })
        )
      }
      const to = kind === "bare" ? "/bare" : `${studio.place}/${address}`
      await page.goto(to)
      times[kind === "bare" ? "bare" : "cold"].push(await settled(page, "firstChart"))
      await page.goto(to)
      times[kind === "bare" ? "bareWarm" : "warm"].push(await settled(page, "firstChart"))
      await context.close()
    }
  }
  return times
}

const measureInteractions = async (browser: Browser, baseURL: string, studio: Studio) => {
  const context = await contextOf(browser, baseURL, studio)
  await context.addInitScript(watchEvents)
  const page = await context.newPage()
  await page.goto(`${studio.place}/${address}&step=hour`)
  await page.locator(".chart-line").first().waitFor()
  const box = await page.locator(".chart svg").boundingBox()
  const hover: Array<number> = []
  const toggle: Array<number> = []
  const picker: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    await page.mouse.move((box?.x ?? 0) + 100 + round * 60, (box?.y ?? 0) + 100)
    hover.push(await settled(page, "lastPaint"))
    await page.mouse.move(5, 5)
    await settled(page, "lastPaint")
    const series = page.locator(".series-name").first()
    await series.hover()
    await settled(page, "lastPaint")
    await series.click()
    toggle.push(await settled(page, "lastPaint"))
    const opener = page.getByRole("combobox", { name: /^Marker A:/ })
    await opener.hover()
    await page.waitForTimeout(300)
    await page.evaluate("window.lastPaint = undefined")
    await opener.click()
    picker.push(await settled(page, "lastPaint"))
    await page.keyboard.press("Escape")
    await page.waitForTimeout(100)
    await page.evaluate("window.lastPaint = undefined")
  }
  await context.close()
  return { hover, toggle, picker }
}

const pages = ["insights/Insights", "funnels/Funnels", "retention/Retention", "account/SignIn"] as const

if (missingBrowser === null) {
  for (const page of pages) {
    const files = `${firstFiles(`src/web/${page}.tsx`)} scripts and styles`
    const weight = firstLoad(`src/web/${page}.tsx`) / 1024
    const what = `First load of ${page}, compressed`
    hand([row(`dashboard.weight.${page}`, { what, unit: "KiB", aim: atMost(160) }, [weight], { note: files })])
  }
  await withFolder(async (folder) => {
    const server = await startServer(join(folder, "data"), ["--demo"])
    const browser = await launchBrowser()
    try {
      const studio = await createStudio(browser, server)
      const { cold, warm, bare, bareWarm } = await measureCharts(browser, server.url, studio)
      const inMilliseconds = (id: string, what: string, most: number, times: ReadonlyArray<number>) =>
        row(`dashboard.${id}`, { what, unit: "ms", aim: atMost(most) }, times)
      const peer = "a page that draws the same answer and nothing else"
      hand([
        inMilliseconds("cold", "First chart, nothing in the browser's cache", 1000, cold),
        row(
          "dashboard.cold.bare",
          { what: "Time to the first chart, nothing cached", peer, aim: atMost(2.5) },
          ratios(cold, bare)
        ),
        inMilliseconds("warm", "First chart, everything in the browser's cache", 500, warm),
        row(
          "dashboard.warm.bare",
          { what: "Time to the first chart, everything cached", peer, aim: atMost(2.5) },
          ratios(warm, bareWarm)
        )
      ])
      const { hover, toggle, picker } = await measureInteractions(browser, server.url, studio)
      hand([
        inMilliseconds("hover", "Hover over a chart of 720 hours to the next paint", 100, hover),
        inMilliseconds("toggle", "Hide a series to the next paint", 100, toggle),
        inMilliseconds("picker", "Open a picker to the next paint", 100, picker)
      ])
    } finally {
      await browser.close()
      await server.stop()
    }
  })
} else {
  process.stderr.write(`The dashboard is not measured: ${missingBrowser}\n`)
  process.exitCode = 1
}
