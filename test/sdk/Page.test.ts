import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, BrowserContext } from "playwright-core"
import { mintKey, openStudio, type Studio } from "../support/access/Studio.ts"
import { launchBrowser, missingBrowser, plainContext, sayWhatIsMissing } from "../support/Browser.ts"
import { fetchRequest, removeFolder, root, startServer } from "../support/Server.ts"

sayWhatIsMissing()

/** A game that does what its address says, and tells in its title how many markers wait. */
const game = `<!doctype html><title>starting</title><script type="module">
  import { createClient } from "/sdk.mjs"
  const wanted = new URLSearchParams(location.search)
  const client = createClient({ url: wanted.get("url"), key: wanted.get("key"), environment: "production", flushSeconds: 60 })
  await client.stored()
  for (const name of wanted.getAll("track")) client.track(name, { page: true })
  await client.stored()
  if (wanted.has("flush")) await client.flush()
  globalThis.shop = client.configuration({ name: "shop", defaults: { price: 0 }, pollSeconds: Infinity })
  if (wanted.has("hide")) {
    Object.defineProperty(document, "visibilityState", { value: "hidden" })
    document.dispatchEvent(new Event("visibilitychange"))
    while (client.waiting() > 0) await new Promise((done) => setTimeout(done, 20))
  }
  document.title = client.waiting() + " wait"
</script>`

const folder = mkdtempSync(join(tmpdir(), "gamekeeper-page-"))
const site = createServer((request, response) => {
  const isScript = request.url === "/sdk.mjs"
  response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" })
  response.end(isScript ? readFileSync(join(root, "dist/sdk/browser.mjs")) : game)
})

describe.skipIf(missingBrowser !== null)("the client in a page of another site", () => {
  let server: Awaited<ReturnType<typeof startServer>>
  let studio: Studio
  let browser: Browser
  let context: BrowserContext
  let key = ""

  beforeAll(async () => {
    server = await startServer(join(folder, "data"), ["--warm-up", "off"])
    studio = await openStudio(fetchRequest(server.url), "pages")
    key = await mintKey(fetchRequest(server.url), studio, { type: "public" })
    await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening))
    browser = await launchBrowser()
    context = await browser.newContext(plainContext)
  })
  afterAll(async () => {
    await browser.close()
    site.close()
    await server.stop()
    removeFolder(folder)
  })

  /** Opens the game, and answers its title once it has done what it was told. */
  const play = async (wanted: Record<string, string>, isOffline = false): Promise<string> => {
    const { port } = site.address() as AddressInfo
    const page = await context.newPage()
    if (isOffline) await page.route(`${server.url}/**`, (route) => route.abort())
    await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams({ url: server.url, key, ...wanted }).toString()}`)
    let title = await page.title()
    while (title === "starting") {
      await page.waitForTimeout(20)
      title = await page.title()
    }
    await page.close()
    return title
  }

  const total = async (name: string): Promise<number> => {
    const at = `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`
    const chart = await fetchRequest(server.url)("POST", at, {
      headers: { ...studio.cookie, environment_id: String(studio.production) },
      body: {
        time: { step: "day", relative: { step: "day", value: 2 } },
        metrics: [{ id: "A", data: { name, type: "totalEvents" } }]
      }
    })
    return chart.body.series[0].aggregate
  }

  it("keeps what it could not send, and sends it when the page is opened again", async () => {
    assert.strictEqual(await play({ track: "Kept" }, true), "1 wait")
    assert.strictEqual(
      await play({ url: "http://127.0.0.1:1" }),
      "0 wait",
      "a game of another server has a queue of its own"
    )
    assert.strictEqual(await play({ flush: "" }), "0 wait")
    assert.strictEqual(await total("Kept"), 1)
    assert.strictEqual(await play({}), "0 wait")
  })

  it("has what is published also where that was published before", async () => {
    const at = `/application/${studio.applicationId}/v2/configuration`
    const headers = { ...studio.cookie, environment_id: String(studio.production) }
    const bodyOf = (price: number) => ({ name: "shop", configuration: { price } })
    const made = await fetchRequest(server.url)("POST", at, { headers, body: bodyOf(1) })
    const page = await context.newPage()
    const { port } = site.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams({ url: server.url, key }).toString()}`)
    await page.waitForFunction("globalThis.shop !== undefined")
    const prices: Array<unknown> = []
    for (const price of [1, 2, 1]) {
      await fetchRequest(server.url)("PUT", `${at}/${made.body.id}`, { headers, body: bodyOf(price) })
      for (let look = 0; look < 3; look++) {
        prices.push(await page.evaluate("shop.ready.then(() => shop.refresh()).then(() => shop.values.price)"))
      }
    }
    await page.close()
    assert.deepStrictEqual(prices, [1, 1, 1, 2, 2, 2, 1, 1, 1])
  })

  it("sends once more when the page is hidden", async () => {
    assert.strictEqual(await play({ track: "Hidden", hide: "" }), "0 wait")
    assert.strictEqual(await total("Hidden"), 1)
  })
})
