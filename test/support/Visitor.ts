import { HttpApi } from "@effect/platform"
import { Either, Option, ParseResult, Schema } from "effect"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Browser, BrowserContextOptions, Page, Response } from "playwright-core"
import { Api } from "../../schema/Api.ts"
import { plainContext } from "./Browser.ts"

interface Declared {
  readonly method: string
  readonly pattern: RegExp
  readonly decode: (status: number, body: unknown) => string | null
}

/** Reads answers of the server by the schemas of the contract. */
const declared = (): ReadonlyArray<Declared> => {
  const found: Array<Declared> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, successes, errors }) =>
      found.push({
        method: endpoint.method,
        pattern: new RegExp(`^${endpoint.path.replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`),
        decode: (status, body) => {
          const known = (successes.get(status) ?? errors.get(status))?.ast
          if (known === undefined) return `${endpoint.path} declares no status ${status}`
          if (Option.isNone(known)) return null
          const decoded = Schema.decodeUnknownEither(Schema.make<unknown, unknown>(known.value))(body)
          return Either.isRight(decoded) ? null : ParseResult.TreeFormatter.formatErrorSync(decoded.left)
        }
      })
  })
  return found
}

const contract = declared()

/** What is wrong with an answer of the API; null where nothing is, or where it is none of the API. */
const problemOf = async (response: Response): Promise<string | null> => {
  const { pathname } = new URL(response.url())
  const method = response.request().method()
  const endpoint = contract.find((each) => each.method === method && each.pattern.test(pathname))
  // A stream has no end to wait for; its events are read by the tests of the live stream.
  const isStream = response.headers()["content-type"]?.startsWith("text/event-stream") ?? false
  if (endpoint === undefined || isStream || response.status() === 304) return null
  const text = await response.text().catch(() => null)
  if (text === null) return null
  if (text !== "" && !(response.headers()["content-type"] ?? "").startsWith("application/json")) return null
  const problem = endpoint.decode(response.status(), text === "" ? undefined : JSON.parse(text))
  return problem === null ? null : `${method} ${pathname} ${response.status()}: ${problem}`
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const standards = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]

interface Violation {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
}

/** The rules of these standards that read colours. A theme changes nothing that another of them reads. */
export const colourRules = ["color-contrast", "link-in-text-block"]

/** What keeps people from using the page as it is now, by all rules of the standards or by those named. */
export const barriersOn = async (
  page: Page,
  rules: ReadonlyArray<string> = standards
): Promise<ReadonlyArray<string>> => {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  const violations: ReadonlyArray<Violation> = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ["violations"] }).then((found) => found.violations)`
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`)
  )
}

/** How long a visitor waits for what is to come: on a busy machine everything comes late. */
const patienceMilliseconds = 120_000

/** A browser's refusal to load or run something is an event of the page; it becomes an error on the console. */
const reportViolations = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI))`

/**
 * Somebody with a browser of their own. `complaints` are requests to other sites, errors on the console but for refused requests,
 * breaches of the page's security policy, and answers that the contract does not describe.
 */
export const visit = async (browser: Browser, baseURL: string, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext({ ...plainContext, baseURL, ...options })
  context.setDefaultTimeout(patienceMilliseconds)
  const complaints: Array<string> = []
  const reading: Array<Promise<void>> = []
  await context.addInitScript(reportViolations)
  const page = await context.newPage()
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(baseURL) && !/^(data|blob):/.test(url)) complaints.push(`asks ${url}`)
  })
  page.on("console", (message) => {
    const isRefusal = /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())
    if (message.type() === "error" && !isRefusal) complaints.push(`console: ${message.text()}`)
  })
  page.on("pageerror", (error) => complaints.push(`throws: ${error.message}`))
  page.on("response", (response) => {
    reading.push(
      problemOf(response).then((problem) => {
        if (problem !== null) complaints.push(problem)
      })
    )
  })
  const leave = async () => {
    await Promise.all(reading)
    await context.close()
    return complaints
  }
  return { page, context, complaints, leave }
}
