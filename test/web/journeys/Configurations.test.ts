import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { Page } from "playwright-core"
import { diff } from "../../../src/domain/configuration/Diff.ts"
import type { Document, Json } from "../../../src/domain/configuration/Document.ts"
import { equals, get } from "../../../src/domain/configuration/Document.ts"
import { inDemoStudio } from "../InBrowser.ts"
import {
  applied,
  linkIn,
  merged,
  privacyOf,
  readDocument,
  resolved,
  withValue
} from "../../../src/web/configurations/Draft.ts"
import { missingBrowser, sayWhatIsMissing } from "../../support/Browser.ts"
import { runCount } from "../../support/Runs.ts"
import { barriersOn } from "../../support/Visitor.ts"

sayWhatIsMissing()

const key = fc.constantFrom("a", "b", "c", "__proto__", "0")
const leaf = fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constant(null), fc.constant([1]), fc.constant("x"))
const documents: fc.Arbitrary<Document> = fc.letrec<{ node: Document; value: Json }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, tie("node")),
  node: fc.array(fc.tuple(key, tie("value")), { maxLength: 3 }).map((entries) => Object.fromEntries(entries))
})).node

const all = (count: number) => new Set(Array.from({ length: count }, (_, index) => index))

describe("a draft beside what others publish", () => {
  it("is applied by its difference", () =>
    fc.assert(
      fc.property(documents, documents, (base, mine) => {
        assert.isTrue(equals(applied(base, diff(base, mine)), mine))
      }),
      { numRuns: runCount(300) }
    ))

  it("stays as it is where nobody else changed anything, and gives way where I changed nothing", () =>
    fc.assert(
      fc.property(documents, documents, (base, other) => {
        const own = merged(base, other, base)
        assert.deepStrictEqual([own.conflicts.length, equals(resolved(base, own, new Set()), other)], [0, true])
        const given = merged(base, base, other)
        assert.deepStrictEqual([given.conflicts.length, equals(resolved(other, given, new Set()), other)], [0, true])
      }),
      { numRuns: runCount(300) }
    ))

  it("loses nobody's change: mine stand where only I changed, theirs where only they did, and both are asked for otherwise", () =>
    fc.assert(
      fc.property(documents, documents, documents, (base, mine, theirs) => {
        const merge = merged(base, mine, theirs)
        const kept = resolved(theirs, merge, new Set())
        const taken = resolved(theirs, merge, all(merge.conflicts.length))
        const isDisputed = (path: ReadonlyArray<string>) =>
          merge.conflicts.some(({ path: other }) =>
            other.every((each, index) => index >= path.length || each === path[index])
          )
        for (const { path } of diff(base, mine)) {
          if (!isDisputed(path)) assert.isTrue(equals(get(kept, path), get(mine, path)), JSON.stringify(path))
        }
        for (const { path } of diff(base, theirs)) {
          if (!isDisputed(path)) assert.isTrue(equals(get(taken, path), get(theirs, path)), JSON.stringify(path))
        }
        for (const { path, mine: own, theirs: foreign } of merge.conflicts) {
          assert.isTrue(equals(get(kept, path), foreign), JSON.stringify(path))
          assert.isTrue(equals(get(taken, path), own), JSON.stringify(path))
        }
      }),
      { numRuns: runCount(500) }
    ))

  it("takes values out, and makes the objects that lead to a new one", () => {
    assert.deepStrictEqual(withValue({ a: { b: 1, c: 2 } }, ["a", "b"], undefined), { a: { c: 2 } })
    assert.deepStrictEqual(withValue({ a: 1 }, ["x", "y"], [true]), { a: 1, x: { y: [true] } })
    assert.deepStrictEqual(withValue({ a: 1 }, ["a", "y"], undefined), { a: 1 })
    assert.deepStrictEqual(Object.entries(withValue({}, ["__proto__"], 1)), [["__proto__", 1]])
  })

  it("knows links, and what is private by itself or with the object that it stands in", () => {
    assert.deepStrictEqual(linkIn({ $link: { configurationId: 3, path: ["shop"] } }), {
      configurationId: 3,
      path: ["shop"]
    })
    assert.deepStrictEqual(linkIn({ $link: { configurationId: 3 } }), { configurationId: 3, path: [] })
    for (const other of [1, {}, { $link: 3 }, { $link: { configurationId: 3 }, more: 1 }]) assert.isNull(linkIn(other))
    const privacy = [["server"], ["shop", "odds"]]
    assert.deepStrictEqual(
      [["server"], ["server", "url"], ["shop"], ["shop", "odds"], ["shop", "price"]].map((path) =>
        privacyOf(privacy, path)
      ),
      ["own", "inherited", null, "own", null]
    )
  })

  it("says where text is no document", () => {
    assert.deepStrictEqual(readDocument('{"a": 1}'), { ok: true, value: { a: 1 } })
    const broken: ReadonlyArray<readonly [text: string, line: number]> = [
      ['{\n  "a": 1,\n  "b": }\n}', 3],
      ['{\n  "a": 1\n  "b": 2\n}', 3],
      ['{\n  "a": "x\n}', 2],
      ['{\n  "a": 1', 2],
      ["{\n  a: 1\n}", 2],
      ['{"a": 1}\n}', 2]
    ]
    for (const [text, line] of broken) {
      const read = readDocument(text)
      assert.strictEqual(read.ok ? null : read.misread.line, line, text)
    }
    const list = readDocument("[1]")
    assert.match(list.ok ? "" : list.misread.message, /object/)
  })
})

describe.skipIf(missingBrowser !== null)("configurations in the browser", () => {
  const studio = inDemoStudio()

  const applicationId = () => studio.place.split("/")[2] ?? ""

  /** What somebody else does at the same time, by the API. */
  const patch = async (page: Page, id: string, changes: ReadonlyArray<object>) => {
    const answer = await page.request.patch(`/application/${applicationId()}/v2/configuration/${id}`, {
      data: { changes, reason: "by somebody else" },
      headers: { origin: studio.server.url }
    })
    assert.strictEqual(answer.status(), 200, await answer.text())
  }

  const live = async (page: Page, id: string) =>
    (await (await page.request.get(`/application/${applicationId()}/v2/configuration/${id}`)).json()).configuration

  it("edit, review, publish, meet somebody else's change, undo, and bring an earlier version back", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/configurations`)
    await page.getByRole("button", { name: "New configuration" }).first().click()
    const sheet = page.getByRole("dialog")
    await sheet.getByLabel("Name").fill("Weekend shop")
    await sheet.getByLabel("Document (JSON)").fill('{"price": 499, "shop": {"open": true, "banner": "summer"}}')
    await sheet.getByRole("button", { name: "Create" }).click()
    await page.getByRole("heading", { name: "Weekend shop", level: 1 }).waitFor()
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? ""

    await page.getByLabel("price", { exact: true }).fill("399")
    await page.getByText("1 change is in your draft").waitFor()
    assert.strictEqual((await live(page, id)).price, 499)
    await page.getByRole("button", { name: "Review" }).click()
    const publish = page.getByRole("dialog").getByRole("button", { name: /^Publish to/ })
    assert.isTrue(await publish.isDisabled())
    await page.getByRole("dialog").getByLabel("Reason").fill("Weekend sale")

    // While this is on the screen, somebody else changes the same price and another key.
    await patch(page, id, [
      { op: "set", path: ["price"], value: 450 },
      { op: "set", path: ["shop", "banner"], value: "autumn" }
    ])
    await publish.click()
    await page.getByText("Choose what stands where both of you changed a value.").waitFor()
    assert.strictEqual((await live(page, id)).price, 450)
    await page.getByRole("radio", { name: /^Mine/ }).check()
    await publish.click()
    await page
      .getByRole("status")
      .getByText(/is live in/)
      .waitFor()
    assert.deepStrictEqual(await live(page, id), { price: 399, shop: { open: true, banner: "autumn" } })

    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText(/Version 4, published/).waitFor()
    assert.deepStrictEqual(await live(page, id), { price: 450, shop: { open: true, banner: "autumn" } })

    await page.getByRole("radio", { name: "History" }).click()
    await page.getByRole("button", { name: "Version 1", exact: true }).click()
    const opened = page.getByRole("dialog")
    await opened.getByLabel("Reason").fill("As it was")
    await opened.getByRole("button", { name: /^Bring version 1 back/ }).click()
    await page.getByText(/Version 5, published/).waitFor()
    assert.deepStrictEqual(await live(page, id), { price: 499, shop: { open: true, banner: "summer" } })
    assert.deepStrictEqual(await leave(), [])
  })

  it.each(["light", "dark"] as const)("have no barrier and no sideways scrolling (%s)", async (colorScheme) => {
    const { page, leave } = await studio.visit({
      colorScheme,
      viewport: { width: 390, height: 844 }
    })
    await page.goto(`${studio.place}/configurations`)
    await page.getByRole("link", { name: "Weekend shop" }).click()
    await page.getByLabel("price", { exact: true }).waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    assert.isAtMost(Number(await page.evaluate("document.documentElement.scrollWidth")), 390)
    await page.getByLabel("price", { exact: true }).fill("1")
    await page.getByRole("button", { name: "Review" }).click()
    await page.getByRole("dialog").getByText("Changed").waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Discard" }).click()
    await page.getByRole("radio", { name: "JSON" }).click()
    await page.getByLabel("Document as JSON").waitFor()
    assert.deepStrictEqual(await barriersOn(page), [])
    assert.deepStrictEqual(await leave(), [])
  })
})
