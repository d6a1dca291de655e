import { assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { request as httpRequest } from "node:http"
import type { IncomingHttpHeaders } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterAll } from "vitest"
import { pages } from "../../src/web/shell/PageList.ts"
import { firstFiles, firstLoad, laterLoad } from "../support/FirstLoad.ts"
import { root, startServer } from "../support/Server.ts"

const folder = mkdtempSync(join(tmpdir(), "gamekeeper-"))
const page = readFileSync(join(root, "dist/web/index.html"), "utf8")
const script = /src="(\/assets\/main-[^"]+\.js)"/.exec(page)?.[1] ?? ""
const scriptText = readFileSync(join(root, "dist/web", script))
const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  server = await startServer(folder)
})

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Asks without what `fetch` adds by itself. */
const ask = (method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = httpRequest(server.url + path, { method, headers, agent: false }, (message) => {
      const chunks: Array<Buffer> = []
      message.on("data", (chunk: Buffer) => chunks.push(chunk))
      message.on("end", () =>
        resolve({ status: message.statusCode ?? 0, headers: message.headers, body: Buffer.concat(chunks) })
      )
    })
    outgoing.on("error", reject)
    outgoing.end()
  })

describe("serving of the dashboard", () => {
  const navigations = ["/", "/signin", "/p/1/production/insights?m=Login:uniqueUsers", "/invite/abc", "/no/such/page"]
  it.each(navigations)("a browser that goes to %s gets the page", async (path) => {
    const { status, headers, body } = await ask("GET", path, html)
    assert.deepStrictEqual([status, body.toString()], [200, page])
    assert.strictEqual(headers["content-type"], "text/html; charset=utf-8")
    assert.strictEqual(headers["cache-control"], "no-cache")
  })

  const refusals: ReadonlyArray<readonly [string, string, Record<string, string>, number, string]> = [
    ["GET", "/", {}, 404, "ROUTE_NOT_FOUND"],
    ["GET", "/nope", { accept: "application/json" }, 404, "ROUTE_NOT_FOUND"],
    ["GET", "/nope", { accept: "*/*" }, 404, "ROUTE_NOT_FOUND"],
    ["POST", "/signin", html, 404, "ROUTE_NOT_FOUND"],
    ["GET", "/users/me", html, 401, "UNAUTHENTICATED"],
    ["GET", "/users/auth/signin", html, 405, "METHOD_NOT_ALLOWED"],
    ["GET", "/assets/nope.js", html, 404, "ROUTE_NOT_FOUND"],
    ["GET", "/assets/..%2fpackage.json", html, 404, "ROUTE_NOT_FOUND"],
    ["GET", "/d/nope", html, 404, "DEEPLINK_NOT_FOUND"],
    ["GET", "/docs/guide/nope", html, 404, "ROUTE_NOT_FOUND"],
    ["GET", "/docs/guide/..%2ffiles.json", html, 404, "ROUTE_NOT_FOUND"]
  ]
  it.each(refusals)("%s %s with %o answers %s %s", async (method, path, headers, status, code) => {
    const answer = await ask(method, path, headers)
    assert.deepStrictEqual([answer.status, JSON.parse(answer.body.toString()).code], [status, code])
  })

  it("the API keeps its own pages", async () => {
    for (const path of ["/health", "/openapi.json"]) {
      assert.match((await ask("GET", path, html)).headers["content-type"] ?? "", /^application\/json/)
    }
    assert.include((await ask("GET", "/docs", html)).body.toString().slice(0, 2000), "<title>")
  })

  it("the page may load nothing of others, and nobody frames it", async () => {
    const { headers } = await ask("GET", "/", html)
    const policy = headers["content-security-policy"] ?? ""
    for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]) {
      assert.include(policy, rule)
    }
    assert.notInclude(policy, "unsafe")
    assert.strictEqual(headers["x-content-type-options"], "nosniff")
    assert.strictEqual(headers["referrer-policy"], "same-origin")
    assert.strictEqual(headers["cross-origin-opener-policy"], "same-origin")
  })

  it("assets are kept for good, and come in the form that the caller takes", async () => {
    const plain = await ask("GET", script)
    assert.isTrue(plain.body.equals(scriptText))
    assert.strictEqual(plain.headers["cache-control"], "public, max-age=31536000, immutable")
    assert.strictEqual(plain.headers["content-type"], "text/javascript; charset=utf-8")
    assert.strictEqual(plain.headers["content-encoding"], undefined)
    const smallest = await ask("GET", script, { "accept-encoding": "gzip, deflate, br, zstd" })
    assert.strictEqual(smallest.headers["content-encoding"], "br")
    assert.isTrue(brotliDecompressSync(smallest.body).equals(scriptText))
    const gzip = await ask("GET", script, { "accept-encoding": "br;q=0, gzip;q=0.5" })
    assert.strictEqual(gzip.headers["content-encoding"], "gzip")
    assert.isTrue(gunzipSync(gzip.body).equals(scriptText))
    assert.strictEqual(gzip.headers.vary, "accept-encoding")
    assert.notStrictEqual(gzip.headers.etag, smallest.headers.etag)
  })

  it("what the caller has is not sent again", async () => {
    for (const path of ["/", script]) {
      const first = await ask("GET", path, html)
      const again = await ask("GET", path, { ...html, "if-none-match": first.headers.etag ?? "" })
      assert.deepStrictEqual([again.status, again.body.length], [304, 0])
      assert.strictEqual(again.headers.etag, first.headers.etag)
    }
  })

  it("the guide is served like the page, and its assets like the page's", async () => {
    const folder = await ask("GET", "/docs/guide")
    assert.deepStrictEqual([folder.status, folder.headers.location], [308, "guide/"])
    const guide = await ask("GET", "/docs/guide/")
    assert.strictEqual(guide.headers["content-type"], "text/html; charset=utf-8")
    assert.strictEqual(guide.headers["cache-control"], "no-cache")
    assert.notInclude(guide.headers["content-security-policy"] ?? "unsafe", "unsafe")
    const again = await ask("GET", "/docs/guide/", { "if-none-match": guide.headers.etag ?? "" })
    assert.strictEqual(again.status, 304)
    const [, index = ""] = /data-index="\.\/([^"]+)"/.exec(guide.body.toString()) ?? []
    const search = await ask("GET", `/docs/guide/${index}`, { "accept-encoding": "br" })
    assert.strictEqual(search.headers["cache-control"], "public, max-age=31536000, immutable")
    assert.strictEqual(search.headers["content-encoding"], "br")
    assert.isBelow(search.body.length, 150_000)
  })

  it("HEAD answers as GET without the body, and there is an icon", async () => {
    const head = await ask("HEAD", "/", html)
    assert.deepStrictEqual([head.status, head.body.length], [200, 0])
    for (const path of ["/favicon.ico", "/favicon.svg"]) {
      assert.strictEqual((await ask("GET", path)).headers["content-type"], "image/svg+xml")
    }
  })

  it("the document names the scripts of every page, so that they are asked for at once", async () => {
    const document = (await ask("GET", "/", html)).body.toString()
    const [, text = ""] = /<meta name="pages" content="([^"]+)">/.exec(document) ?? []
    const files: Readonly<Record<string, ReadonlyArray<string>>> = JSON.parse(text.replaceAll("&quot;", '"'))
    const listed = pages.flatMap(({ items }) => items.map(([path]) => path))
    assert.includeMembers(Object.keys(files), listed)
    for (const name of Object.values(files).flat()) {
      assert.strictEqual((await ask("HEAD", `/assets/${name}`)).status, 200, name)
      assert.notInclude(document, `href="/assets/${name}"`)
    }
  })

  const budgets: ReadonlyArray<readonly [page: string, entry: string, kilobytes: number]> = [
    ["insights", "src/web/insights/Insights.tsx", 160],
    ["the sign-in", "src/web/account/SignIn.tsx", 110]
  ]
  it.each(budgets)("the first load of %s (%s) is at most %s KB", (_, entry, kilobytes) => {
    assert.isAtMost(firstLoad(entry) / 1024, kilobytes)
  })

  const questions = ["insights/Insights", "funnels/Funnels", "retention/Retention"]
  it.each(questions)("the first load of %s is few files: a browser asks for six at once", (entry) => {
    assert.isAtMost(firstFiles(`src/web/${entry}.tsx`), 16)
  })

  it("who asks a question waits for no style of its page", () => {
    const [, named = "{}"] = /<meta name="pages" content="([^"]*)"/.exec(page) ?? []
    const files: Readonly<Record<string, ReadonlyArray<string>>> = JSON.parse(named.replaceAll("&quot;", '"'))
    assert.isTrue(files["insights"]?.every((file) => file.endsWith(".js")))
    assert.isTrue(files["funnels"]?.some((file) => file.endsWith(".css")))
    for (const file of Object.values(files).flat()) assert.include(readdirSync(join(root, "dist/web/assets")), file)
  })

  it("what draws heatmaps in three dimensions is loaded by itself and has at most 10 KB", () => {
    const bytes = laterLoad("src/web/heatmaps/Heatmaps.tsx", "src/web/heatmaps/HeatMap3d.tsx")
    assert.isAtMost(bytes / 1024, 10)
    assert.isAtLeast(bytes / 1024, 1)
  })

  it("the editor of JSON is loaded when it is opened, and takes at most 125 KB", () => {
    const bytes = laterLoad("src/web/configurations/Configurations.tsx", "src/web/configurations/json/JsonCode.tsx")
    assert.isAtMost(bytes / 1024, 125)
    assert.isAtLeast(bytes / 1024, 60)
  })
})
