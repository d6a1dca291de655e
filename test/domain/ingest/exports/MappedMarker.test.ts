import { assert, describe, it } from "@effect/vitest"
import type { ExportedEvent } from "../../../../src/domain/ingest/exports/ExportedEvent.ts"
import type { ExportOrigin } from "../../../../src/domain/ingest/exports/ExportMapping.ts"
import { eventsOf, mapped, stored } from "./Stored.ts"

describe("mapped markers", () => {
  it("PostHog: ids, player, session and time are kept, its own properties are not arguments", () => {
    const [level, identify, bought, undated] = eventsOf("posthog.jsonl").map((event) => stored("posthog", event))
    assert.deepStrictEqual(level, {
      markerId: "0193a5b2-7c1e-7a3b-9d4f-1f2e3d4c5b6a",
      type: "level_completed",
      unitId: "player-1",
      sessionId: "0193a5b0-1111-7000-8000-000000000001",
      timestamp: "2026-11-20T10:00:00.123Z",
      arguments: {
        level: 12,
        seconds: 81.5,
        boosters: ["hammer", "rocket"],
        "chest.gems": 5,
        "chest.rare": true,
        drops: '[{"id":"sword"},{"id":"shield"}]'
      },
      properties: {
        platform: "iOS",
        country: "DE",
        device: "Mobile",
        appVersion: "2.4.1",
        sdkPlatform: "posthog-unity"
      }
    })
    assert.strictEqual(identify, "left out")
    assert.deepInclude(bought, { type: "item_bought", arguments: { price: 4.99, currency: "EUR" } })
    assert.strictEqual(undated, "INVALID_TIMESTAMP")
  })

  it("Amplitude: its revenue and one of the game's own are both kept, whatever their order", () => {
    const event = (properties: object) =>
      stored("amplitude", {
        uuid: "0193a5b2-7c1e-7a3b-9d4f-1f2e3d4c5b6a",
        event_type: "purchase",
        event_time: "2026-11-20 10:00:00.000000",
        user_id: "ada",
        event_properties: properties
      })
    for (const properties of [
      { $revenue: 4.99, revenue: 5, $price: 4.99 },
      { revenue: 5, $price: 4.99, $revenue: 4.99 }
    ]) {
      assert.deepInclude(event(properties), { arguments: { revenue: 5, $revenue: 4.99, price: 4.99 } })
    }
    assert.deepInclude(event({ $revenue: 4.99 }), { arguments: { revenue: 4.99 } })
    // A null says nothing, so that nothing is in the way.
    assert.deepInclude(event({ $revenue: 4.99, revenue: null }), { arguments: { revenue: 4.99 } })
  })

  it("GameAnalytics: the parts of event_id become arguments, receipts and addresses stay behind", () => {
    const events = eventsOf("gameanalytics.jsonl")
    const common = {
      markerId: null,
      unitId: "9b2f6c1e",
      sessionId: "5d7c2c52-2f0b-4b58-9a9d-0f5f0c1e2d3a"
    }
    const [start, progression, business, resource, design, end] = events.map((event) => stored("gameanalytics", event))
    assert.deepStrictEqual(start, {
      ...common,
      type: "user",
      timestamp: "2026-11-20T10:00:00.000Z",
      arguments: { session_num: 3 },
      properties: {
        platform: "ios",
        country: "DE",
        device: "iPhone16.1",
        deviceSubType: "apple",
        appVersion: "2.4.1",
        sdkPlatform: "unity 7.10.1"
      }
    })
    const argumentsOf = [progression, business, resource, design, end].map((marker) =>
      typeof marker === "string" || marker === undefined ? marker : [marker.type, marker.arguments]
    )
    assert.deepStrictEqual(argumentsOf, [
      [
        "progression",
        {
          progression_status: "Complete",
          progression_01: "World1",
          progression_02: "Level4",
          event_id: "Complete:World1:Level4",
          score: 920,
          attempt_num: 2,
          session_num: 3,
          custom_01: "ninja",
          "custom_fields.difficulty": "hard"
        }
      ],
      [
        "business",
        {
          item_type: "Gems",
          item_id: "GemPack500",
          event_id: "Gems:GemPack500",
          amount: 499,
          currency: "EUR",
          transaction_num: 1,
          cart_type: "EndOfLevel",
          session_num: 3
        }
      ],
      [
        "resource",
        {
          flow_type: "Sink",
          currency: "Gems",
          item_type: "Boost",
          item_id: "Rocket",
          event_id: "Sink:Gems:Boost:Rocket",
          amount: -50,
          session_num: 3
        }
      ],
      ["design", { event_id_01: "Tutorial", event_id_02: "Skip", event_id: "Tutorial:Skip", value: 1, session_num: 3 }],
      ["session_end", { length: 185, session_num: 3 }]
    ])
  })

  it("Amplitude: times are of UTC, sessions belong to their device, and a player without an id is the device", () => {
    const [level, identify, bought] = eventsOf("amplitude.json").map((event) => stored("amplitude", event))
    assert.deepStrictEqual(level, {
      markerId: "7d1f4c3e-c51a-11f0-8de9-0242ac120002",
      type: "level_completed",
      unitId: "player-1",
      sessionId: "C8F9E604-F01A-4BD9-95C6-8E5357DF265D:1795168800000",
      timestamp: "2026-11-20T10:00:00.250Z",
      arguments: { level: 12, seconds: 81.5, drops: '[{"id":"sword"}]' },
      properties: {
        platform: "iOS",
        country: "Germany",
        language: "German",
        device: "Apple iPhone 16",
        appVersion: "2.4.1",
        sdkPlatform: "amplitude-unity/2.7.0"
      }
    })
    assert.strictEqual(identify, "left out")
    assert.deepInclude(bought, {
      unitId: "7E6D5C4B-0000-4000-8000-000000000002",
      sessionId: null,
      arguments: { revenue: 4.99, productId: "gems500" }
    })
  })

  it("an event is named by its id, or by all it says where it has none", () => {
    const name = (origin: ExportOrigin, event: ExportedEvent) => {
      const outcome = mapped(origin, event)
      return outcome._tag === "Marker" ? outcome.name : null
    }
    const amplitude = { $insert_id: "a-1", device_id: "d-1", event_type: "level" }
    assert.strictEqual(name("amplitude", amplitude), "amplitude d-1 a-1")
    assert.strictEqual(name("amplitude", { event_type: "level" }), 'amplitude {"event_type":"level"}')
    assert.strictEqual(name("posthog", { uuid: 12, event: "level" }), "posthog 12")
  })
})
