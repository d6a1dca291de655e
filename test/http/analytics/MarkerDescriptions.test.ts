import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { EventStore, StoreOverloaded } from "../../../src/ports/analytics/EventStore.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"
import { fieldKeys, type MarkerStudio, markerStudioOf } from "../../support/analytics/MarkerStudio.ts"
import { start, marker, keysOf, type Named } from "../../support/analytics/SentMarkers.ts"

describe.each(stores)("markers over %s", (_, store) => {
  const { request } = testApp(store, { retentionDays: 36_500 })
  let studio: Studio
  let at: MarkerStudio["at"]
  let send: MarkerStudio["send"]

  beforeAll(async () => {
    ;({ studio, at, send } = await markerStudioOf(request, "ada"))
  })

  describe("what people say of them", () => {
    const put = (body: unknown) => at("metadata", studio.production).put(body)
    const types = async () => (await at("types", studio.production).get()).body
    const pending = async () => (await at("types/pending", studio.production).get()).body
    const argumentsOf = async (query = "") => (await at(`arguments${query}`, studio.production).get()).body
    const sendLive = (markers: ReadonlyArray<object>) => send(markers, { environment: "production" })

    it("describes types never seen, which are pending until the first marker", async () => {
      const { status, body } = await put({ types: [{ name: "Boss", displayName: "Boss fight", description: "hard" }] })
      const boss = {
        name: "Boss",
        description: "hard",
        displayName: "Boss fight",
        status: "pending",
        isBuiltin: false,
        firstSeenAt: null,
        lastSeenAt: null,
        count30d: 0,
        perDay30: Array.from({ length: 30 }, () => 0),
        arguments: 0
      }
      assert.deepStrictEqual([status, body], [200, { types: [boss], arguments: [] }])
      assert.deepStrictEqual(await pending(), [boss])
      assert.deepStrictEqual(await types(), [boss])
      assert.deepStrictEqual((await at("types/pending").get()).body, [], "in its own environment only")
      await sendLive([marker("Boss", start, { value: { health: 5 } })])
      assert.deepStrictEqual(await pending(), [])
      const [seen] = await types()
      assert.deepStrictEqual(
        [seen.status, seen.displayName, seen.arguments, seen.firstSeenAt],
        ["active", "Boss fight", 1, "2026-03-02T00:00:00.000Z"]
      )
    })

    it("hides a type whether it was seen or not, and shows it again", async () => {
      await put({
        types: [
          { name: "Boss", hidden: true },
          { name: "$unseen", hidden: true }
        ]
      })
      assert.deepStrictEqual(await pending(), [])
      assert.deepStrictEqual(
        (await types()).map((each: { name: string; status: string }) => [each.name, each.status]),
        [
          ["$unseen", "hidden"],
          ["Boss", "hidden"]
        ]
      )
      await put({
        types: [
          { name: "Boss", hidden: false },
          { name: "$unseen", hidden: false }
        ]
      })
      const [unseen, boss] = await types()
      assert.deepStrictEqual([unseen.status, unseen.isBuiltin, boss.status], ["pending", true, "active"])
    })

    it("leaves what is left out, and clears what is null", async () => {
      await put({ types: [{ name: "Boss", description: null }] })
      const { body } = await put({ types: [{ name: "Boss" }] })
      assert.deepStrictEqual([body.types[0].displayName, body.types[0].description], ["Boss fight", null])
      assert.deepStrictEqual((await put({})).body, { types: [], arguments: [] })
    })

    it("describes arguments of one type, seen or not", async () => {
      const { status, body } = await put({
        arguments: [
          { type: "Boss", name: "health", description: "left", unit: "hp", decimals: 1 },
          { type: "Boss", name: "name", description: "who" },
          { type: "Raid", name: "health", unit: "hp", decimals: 0 }
        ]
      })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(keysOf(body.arguments[0]), fieldKeys)
      assert.deepStrictEqual(body.arguments, [
        {
          name: "health",
          dataType: "number",
          markerTypes: ["Boss"],
          description: "left",
          unit: "hp",
          decimals: 1,
          lastSeenAt: "2026-03-02T00:00:00.000Z"
        },
        {
          name: "name",
          dataType: "string",
          markerTypes: ["Boss"],
          description: "who",
          unit: null,
          decimals: null,
          lastSeenAt: null
        },
        {
          name: "health",
          dataType: "number",
          markerTypes: ["Raid"],
          description: null,
          unit: "hp",
          decimals: 0,
          lastSeenAt: null
        }
      ])
      assert.deepStrictEqual(
        body.types.map(({ name }: Named) => name),
        ["Boss", "Raid"]
      )
      assert.deepStrictEqual(
        (await pending()).map(({ name }: Named) => name),
        ["$unseen", "Raid"]
      )
      assert.deepStrictEqual(await argumentsOf("?type=Boss"), body.arguments.slice(0, 2))
      const [health] = await argumentsOf()
      assert.deepStrictEqual(health, {
        name: "health",
        dataType: "number",
        markerTypes: ["Boss", "Raid"],
        description: "left",
        unit: "hp",
        decimals: null,
        lastSeenAt: "2026-03-02T00:00:00.000Z"
      })
    })

    it.each([
      ["a type without a name", { types: [{ displayName: "x" }] }],
      ["an empty name", { types: [{ name: "" }] }],
      ["a display name too long", { types: [{ name: "Boss", displayName: "x".repeat(101) }] }],
      ["hidden as text", { types: [{ name: "Boss", hidden: "yes" }] }],
      ["an argument without a type", { arguments: [{ name: "health" }] }],
      ["decimals of -1", { arguments: [{ type: "Boss", name: "health", decimals: -1 }] }],
      ["decimals of 1.5", { arguments: [{ type: "Boss", name: "health", decimals: 1.5 }] }],
      ["an empty unit", { arguments: [{ type: "Boss", name: "health", unit: "" }] }],
      ["one bad entry among good ones", { types: [{ name: "Good" }, { name: 1 }] }]
    ])("refuses %s and changes nothing", async (_case, body) => {
      const before = [await types(), await argumentsOf()]
      const answer = await put(body)
      assert.deepStrictEqual([answer.status, answer.body.code], [400, "VALIDATION_FAILED"])
      assert.deepStrictEqual([await types(), await argumentsOf()], before)
    })
  })
})

let isBusy = false

/** Memory stores that answer no question while they are busy. */
const busyStores = Layer.effect(
  EventStore,
  Effect.map(EventStore, (inner) =>
    EventStore.of({
      ...inner,
      ask: (id, question, of) => (isBusy ? Effect.fail(new StoreOverloaded()) : inner.ask(id, question, of))
    })
  )
).pipe(Layer.provideMerge(MemoryStores))

describe("a description while the store answers nothing", () => {
  const { request } = testApp(busyStores)

  it("is refused and changes nothing", async () => {
    const { at } = await markerStudioOf(request, "ada")
    isBusy = true
    const refused = await at("metadata").put({ types: [{ name: "Level", displayName: "A level" }] })
    isBusy = false
    assert.deepStrictEqual([refused.status, refused.body.code], [503, "OVERLOADED"])
    const types: ReadonlyArray<Named & { readonly displayName: string | null }> = (await at("types").get()).body
    assert.isNull(types.find(({ name }) => name === "Level")?.displayName)
  })
})
