import type { Page, Response } from "playwright-core"

/** Words of controls that a walk leaves alone: they delete, end, or lead away. */
const leftAlone = /delete|erase|remove|revoke|leave|sign out|publish|close|cancel|keep|discard|full screen|present/i

/** Controls of one page that are tried, each kind once. */
const mostTried = 12

/** Milliseconds after which a page that still asks is taken as it is. */
const patience = 30_000

/** What a page asks, and the chunks of it that are loaded when they are needed. */
const isPartOfPage = /^(fetch|script)$/

interface Refusal {
  readonly status: number
  readonly request: string
}

/** Follows what a page asks, and what is refused. */
export const watch = (page: Page) => {
  const refusals: Array<Refusal> = []
  const open = new Set<object>()
  page.on("request", (request) => {
    if (isPartOfPage.test(request.resourceType())) open.add(request)
  })
  page.on("requestfinished", (request) => open.delete(request))
  page.on("requestfailed", (request) => open.delete(request))
  page.on("response", (response: Response) => {
    if (response.status() < 400) return
    refusals.push({
      status: response.status(),
      request: `${response.request().method()} ${new URL(response.url()).pathname}`
    })
  })
  /** Waits until the page has drawn and asks nothing any more. */
  const settled = async () => {
    const until = Date.now() + patience
    let quiet = 0
    while (quiet < 2 && Date.now() < until) {
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
      quiet = open.size === 0 ? quiet + 1 : 0
    }
  }
  /** What was refused since the last call. */
  const taken = (): ReadonlyArray<string> => refusals.splice(0).map(({ status, request }) => `${status} ${request}`)
  return { settled, taken }
}

type Watched = ReturnType<typeof watch>

interface Control {
  readonly index: number
  readonly name: string
  /** What a closed menu holds has a place on the page, but nobody sees it. */
  readonly isSeen: boolean
  /** It says why it does nothing, and the browser still lets people press it. */
  readonly isOff: boolean
}

/** Choices of what is shown lead to more of the same questions, which the page has asked already. */
const selector = "button:not([role]), summary"

/** Controls within `scope` that can be used now, one of each name; numbers in a name make no other kind. */
const controlsIn = async (page: Page, scope: string): Promise<ReadonlyArray<Control>> => {
  const found = await page.locator(`${scope} :is(${selector})`).evaluateAll((elements) =>
    elements.map((element, index) => ({
      index,
      name: element.getAttribute("aria-label") ?? element.textContent ?? "",
      isUsable: !element.matches(":disabled") && element.getClientRects().length > 0,
      isSeen: element.checkVisibility(),
      isOff: element.getAttribute("aria-disabled") === "true"
    }))
  )
  const kinds = new Set<string>()
  return found.filter(({ name, isUsable }) => {
    const kind = name.replaceAll(/[\d.,]+/g, "0")
    if (!isUsable || leftAlone.test(name) || kinds.has(kind)) return false
    kinds.add(kind)
    return true
  })
}

/** Presses the control of that name, where it is still there: what was pressed before may have moved it. */
const press = async (page: Page, scope: string, name: string): Promise<void> => {
  const present = (await controlsIn(page, scope)).find((control) => control.name === name)
  if (present === undefined || !present.isSeen) return
  const control = page.locator(`${scope} :is(${selector})`).nth(present.index)
  // Left to itself, a click waits until what is off is on.
  await control.click({ timeout: 2000, force: present.isOff }).catch(() => undefined)
}

/** How a page is come to: loaded from the server, or within the application that is loaded already, as its links lead there. */
export type Way = "loaded" | "led to"

/** Opens a page and tries so many of the controls that it offers; answers what was refused, and what led to it. */
export const walkPage = async (
  page: Page,
  watched: Watched,
  path: string,
  way: Way,
  most: number = mostTried
): Promise<ReadonlyArray<string>> => {
  const open = async (by: Way) => {
    if (by === "loaded") await page.goto(path)
    else await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`)
    await watched.settled()
    await page.locator("h1").first().waitFor()
    await watched.settled()
  }
  await open(way)
  const complaints = watched.taken().map((refusal) => `${path} asks: ${refusal}`)
  const say = (what: string) => {
    const refused = watched.taken().filter((refusal) => /^40[13] /.test(refusal))
    complaints.push(...refused.map((refusal) => `${path} › ${what}: ${refusal}`))
  }
  for (const { name } of (await controlsIn(page, "main")).slice(0, most)) {
    const { pathname } = new URL(page.url())
    await press(page, "main", name)
    await watched.settled()
    say(name)
    if ((await page.locator("dialog[open]").count()) > 0) {
      for (const inner of await controlsIn(page, "dialog[open]")) {
        await press(page, "dialog[open]", inner.name)
        await watched.settled()
        say(`${name} › ${inner.name}`)
        if ((await page.locator("dialog[open]").count()) === 0) break
      }
    }
    await page.keyboard.press("Escape")
    const hasLeft = new URL(page.url()).pathname !== pathname
    if (hasLeft || (await page.locator("dialog[open]").count()) > 0) await open("loaded")
  }
  watched.taken()
  return complaints
}
