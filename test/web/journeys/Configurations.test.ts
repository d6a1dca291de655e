import { assert, describe, it } from "@effect/vitest"
import { jsonLanguage } from "@codemirror/lang-json"
import { FastCheck as fc } from "effect"
import type { Page } from "playwright-core"
import { diff } from "../../../src/domain/configuration/Diff.ts"
import type { Document, Json } from "../../../src/domain/configuration/Document.ts"
import { equals, get } from "../../../src/domain/configuration/Document.ts"
import { inDemoStudio, isOpenInBothThemes } from "../InBrowser.ts"
import {
  applied,
  linkIn,
  merged,
  privacyOf,
  readDocument,
  resolved,
  withValue
} from "../../../src/web/configurations/Draft.ts"
import { placesOn } from "../../../src/web/configurations/json/Places.ts"
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

  it("stands in its text at places that keys and indexes lead to", () => {
    const text = '{"a": {"b\\n": [1, {"c": null}]}, "d": 1, "d": 22}'
    const tree = jsonLanguage.parser.parse(text)
    const found = (path: ReadonlyArray<string>) =>
      placesOn(tree, text, path).map(({ from, to }) => text.slice(from, to))
    assert.deepStrictEqual(found(["a", "b\n", "1", "c"]), [
      '{"b\\n": [1, {"c": null}]}',
      '[1, {"c": null}]',
      '{"c": null}',
      "null"
    ])
    assert.deepStrictEqual([found(["d"]), found(["a", "x"]).length, found([]).length], [["22"], 1, 0])
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

  it("as JSON: mistakes are marked where they are, what is held stays, what is private says so, and Tab leaves", async () => {
    const { page, leave } = await studio.visit()
    await page.goto(`${studio.place}/configurations`)
    const made = await page.request.post(`/application/${applicationId()}/v2/configuration`, {
      data: {
        name: "Odds",
        configuration: { price: 499, odds: { rare: 0.1 } },
        privacy: [["odds"]],
        schema: { properties: { price: { type: "number" }, odds: { properties: { rare: { maximum: 1 } } } } }
      },
      headers: { origin: studio.server.url }
    })
    const { id } = await made.json()
    await page.goto(`${studio.place}/configurations/${id}?view=json`)
    const text = page.getByRole("textbox", { name: "Document as JSON" })
    await text.getByText("private").waitFor()

    await text.fill('{\n  "price": 399,\n  "odds": {"rare": }\n}')
    await page.getByText(/^Line 3: /).waitFor()
    await page.getByText("The text is no JSON yet.").waitFor()
    assert.isTrue(await page.getByRole("button", { name: "Review" }).isDisabled())
    await text.fill('{\n  "price": "cheap",\n  "odds": {"rare": 2}\n}')
    const problems = page.getByRole("list", { name: "What keeps it from being published" })
    await problems.getByText(/^odds\.rare: /).waitFor()
    await problems.getByText(/^price: /).waitFor()
    await page.locator(".cm-lintRange-error").getByText('"cheap"').waitFor()
    await text.fill('{\n  "price": 399,\n  "odds": {"rare": 0.5}\n}')
    await page.getByText("2 changes are in your draft").waitFor()
    await problems.waitFor({ state: "hidden" })

    // Tab indents, and leaves after Escape; letters are not taken for shortcuts of the page.
    await text.press("Control+Home")
    await page.keyboard.press("Tab")
    assert.isTrue((await text.textContent())?.startsWith("  {"))
    await page.keyboard.press("Control+z")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Tab")
    assert.strictEqual(await page.evaluate("document.activeElement?.textContent?.trim()"), "Discard")
    await page.getByRole("button", { name: "Discard" }).click()
    await text.getByText("499").waitFor()
    await text.press("Control+f")
    await page.getByRole("textbox", { name: "Find" }).fill("rare")
    await page.keyboard.press("Escape")

    // An experiment of the studio holds a price of the shop.
    await page.goto(`${studio.place}/configurations`)
    await page.getByRole("link", { name: "Economy", exact: true }).click()
    await page.getByRole("radio", { name: "JSON" }).click()
    const held = text.locator(".held").first()
    await held.click()
    const before = await text.textContent()
    await page.keyboard.type("9")
    await page.getByText(/cannot be changed while it is held by/).waitFor()
    assert.strictEqual(await text.textContent(), before)
    await text.getByRole("link").first().click()
    await page.waitForURL(/\/experiments\/\d+$/)
    assert.deepStrictEqual(await leave(), [])
  })

  it("are shown as one player gets them, from the page of the player, and nobody is enrolled by that", async () => {
    const { page, leave } = await studio.visit()
    const experiments = await (await page.request.get(`/application/${applicationId()}/v2/experiments`)).json()
    const enrolled = async () => {
      const counts = []
      for (const { id } of experiments) {
        const list = `/application/${applicationId()}/v2/experiments/${id}/assignments?pageSize=1`
        counts.push((await (await page.request.get(list)).json()).total)
      }
      return counts
    }
    const before = await enrolled()
    await page.goto(`${studio.place}/players/player-00017`)
    await page.getByRole("region", { name: "Configurations" }).getByRole("link", { name: "Economy" }).click()
    await page.waitForURL(/view=player&player=player-00017/)
    await page.getByRole("rowheader", { name: "drops › rare" }).waitFor()
    await page
      .getByRole("cell", { name: /^Base, version/ })
      .first()
      .waitFor()
    await page.getByRole("radio", { name: "History" }).click()
    await page.getByRole("radio", { name: "As player …" }).click()

    // Whoever nobody has seen yet gets what a question of the game would give them.
    const experiment = experiments.find(({ name }: { name: string }) => /pack/i.test(name))
    const group = experiment.groups.find(
      ({ changeset }: { changeset: { operations: [] } }) => changeset.operations.length > 0
    )
    const preview = async (unitId: string) =>
      (
        await page.request.get(
          `/application/${applicationId()}/players/${unitId}/configurations/${experiment.baseConfigurationId}`
        )
      ).json()
    let stranger = "stranger-0"
    for (let count = 0; count < 200; count++) {
      stranger = `stranger-${count}`
      if ((await preview(stranger)).experiments.some(({ groupId }: { groupId: number }) => groupId === group.id)) break
    }
    await page.getByLabel("Player", { exact: true }).fill(stranger)
    await page.getByRole("button", { name: "Show" }).click()
    const memberships = page.getByRole("list", { name: "Experiments of the player" })
    await memberships.getByText(/from the next question of the game on/).waitFor()
    await page.getByLabel("Only what experiments set").check()
    const path = group.changeset.operations[0].path.join(" › ")
    await page.getByRole("row", { name: new RegExp(`^${path}.*${group.name.replaceAll(".", "\\.")}$`) }).waitFor()
    assert.deepStrictEqual(await enrolled(), before)
    assert.deepStrictEqual(await barriersOn(page), [])
    assert.deepStrictEqual(await leave(), [])
  })

  it("have no barrier and no sideways scrolling, in both themes", async () => {
    const { page, leave } = await studio.visit({ viewport: { width: 390, height: 844 } })
    await page.goto(`${studio.place}/configurations`)
    await page.getByRole("link", { name: "Weekend shop" }).click()
    await page.getByLabel("price", { exact: true }).waitFor()
    await isOpenInBothThemes(page, "configuration")
    await page.getByLabel("price", { exact: true }).fill("1")
    await page.getByRole("button", { name: "Review" }).click()
    await page.getByRole("dialog").getByText("Changed").waitFor()
    await isOpenInBothThemes(page, "review")
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Discard" }).click()
    await page.getByRole("radio", { name: "JSON" }).click()
    await page.getByLabel("Document as JSON").fill('{"price": }')
    await page.getByText(/^Line 1: /).waitFor()
    await page.locator(".cm-lintRange-error").waitFor()
    await isOpenInBothThemes(page, "document")
    assert.deepStrictEqual(await leave(), [])
  })
})
