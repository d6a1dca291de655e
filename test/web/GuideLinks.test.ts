import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../support/Server.ts"

const folder = join(root, "dist/guide")
const files: ReadonlyArray<{ readonly path: string }> = JSON.parse(readFileSync(join(folder, "files.json"), "utf8"))
const origin = "http://host/behind/docs/guide/"

const addressOf = (path: string): string => (path === "index.html" ? "" : path.replace(/\.html$/, ""))

describe("the guide", () => {
  const paths = new Set(files.map(({ path }) => addressOf(path)))
  const pages = files.filter(({ path }) => path.endsWith(".html"))

  it("has a page of every job, document and group of endpoints", () => {
    for (const path of ["", "first-chart", "scaling", "reference/api", "reference/roblox", "endpoints/experiments"]) {
      assert.isTrue(paths.has(path), path)
    }
  })

  it("links to nothing that is not there, under any path", () => {
    const missing = pages.flatMap(({ path }) => {
      const html = readFileSync(join(folder, path), "utf8")
      return [...html.matchAll(/ (?:href|src|data-index)="([^"]*)"/g)]
        .map(([, address = ""]) => new URL(address.replaceAll("&amp;", "&"), origin + addressOf(path)))
        .filter(({ href }) => href.startsWith(origin))
        .map(({ pathname }) => pathname.slice(new URL(origin).pathname.length))
        .filter((target) => !paths.has(target))
        .map((target) => `${path}: ${target}`)
    })
    assert.deepStrictEqual(missing, [])
  })

  it("leads from the pages to the dashboard of the same server", () => {
    for (const [path, page] of [
      ["index.html", ""],
      ["reference/api.html", "reference/api"]
    ] as const) {
      const html = readFileSync(join(folder, path), "utf8")
      const [, address = ""] = /<a href="([^"]*)">Dashboard<\/a>/.exec(html) ?? []
      assert.strictEqual(new URL(address, origin + page).href, "http://host/behind/")
    }
  })
})
