import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { exportDialects } from "../../../../src/domain/ingest/exports/Dialects.ts"
import type { ExportOrigin } from "../../../../src/domain/ingest/exports/ExportMapping.ts"
import type { ExportedEvent } from "../../../../src/domain/ingest/exports/ExportedEvent.ts"
import { samePlayerOf } from "../../../../src/domain/ingest/exports/MappedMarker.ts"
import { foundPlayers, ofPlayer, playerIds } from "../../../../src/domain/ingest/exports/PlayerIds.ts"

type Pairs = ReadonlyArray<readonly [from: string, to: string]>

const files: ReadonlyArray<readonly [what: string, pairs: Pairs, players: Pairs]> = [
  ["each id is that of its player", [["a", "ada"]], [["a", "ada"]]],
  [
    "of two players of one id the first counts",
    [
      ["a", "ada"],
      ["a", "bob"]
    ],
    [["a", "ada"]]
  ],
  [
    "pairs lead on, in whichever order they come",
    [
      ["b", "ada"],
      ["a", "b"]
    ],
    [
      ["b", "ada"],
      ["a", "ada"]
    ]
  ],
  [
    "a pair that closes a circle is passed over",
    [
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
      ["d", "d"]
    ],
    [
      ["a", "c"],
      ["b", "c"]
    ]
  ]
]

const later = (from: string, to: string, at: number, isForced = false) => ({ from, to, at, isForced })

const events: ReadonlyArray<readonly [what: string, found: ReadonlyArray<ReturnType<typeof later>>, players: Pairs]> = [
  [
    "whoever signs in first on a device has what was before",
    [later("a", "bob", 2), later("a", "ada", 1)],
    [["a", "ada"]]
  ],
  ["who was identified becomes nobody else", [later("a", "ada", 1), later("ada", "bob", 2)], [["a", "ada"]]],
  [
    "but by force, with what was theirs",
    [later("a", "ada", 1), later("a", "bob", 2, true)],
    [
      ["a", "bob"],
      ["ada", "bob"]
    ]
  ],
  ["an id without a readable time comes last", [later("a", "bob", Infinity), later("a", "ada", 5)], [["a", "ada"]]]
]

const own = { distinct_id: "ada", timestamp: "2026-11-20 10:00:00.5" }

const said: ReadonlyArray<
  readonly [origin: ExportOrigin, event: ExportedEvent, pair: readonly [string, string] | null]
> = [
  ["posthog", { ...own, event: "$identify", properties: { $anon_distinct_id: "a" } }, ["a", "ada"]],
  ["posthog", { ...own, event: "$identify", properties: '{"$anon_distinct_id":"a"}' }, ["a", "ada"]],
  ["posthog", { ...own, event: "$create_alias", properties: { alias: 7 } }, ["7", "ada"]],
  ["posthog", { ...own, event: "$merge_dangerously", "properties.alias": "a" }, ["a", "ada"]],
  ["posthog", { ...own, event: "$identify", properties: {} }, null],
  ["posthog", { ...own, event: "$identify", properties: { $anon_distinct_id: "Guest" } }, null],
  ["posthog", { ...own, event: "$identify", distinct_id: "null", properties: { $anon_distinct_id: "a" } }, null],
  ["posthog", { ...own, event: "level_completed", properties: { $anon_distinct_id: "a" } }, null],
  ["amplitude", { event_time: own.timestamp, device_id: "a", user_id: "ada" }, ["a", "ada"]],
  ["amplitude", { event_time: own.timestamp, device_id: "a", user_id: null }, null],
  ["talo", { createdAt: own.timestamp, "playerAlias.identifier": "a", "playerAlias.player.id": "ada" }, ["a", "ada"]],
  [
    "talo",
    { createdAt: own.timestamp, "playerAlias.identifier": "undefined", "playerAlias.player.id": "undefined" },
    null
  ],
  ["gameanalytics", { data: { user_id: "ada" } }, null]
]

describe("ids of an export that are one player", () => {
  it.each(files)("in a file: %s", (_, pairs, players) => {
    assert.deepStrictEqual([...playerIds(pairs)], players)
  })

  it.each(events)("in events: %s", (_, found, players) => {
    assert.deepStrictEqual([...foundPlayers(found)].toSorted(), players)
  })

  it.each(said)("%s: %j", (origin, event, pair) => {
    const same = samePlayerOf(origin, exportDialects[origin].mapping, event)
    assert.deepStrictEqual<unknown>(same === undefined ? null : [same.from, same.to], pair)
    if (same !== undefined) assert.strictEqual(same.at, Date.parse("2026-11-20T10:00:00.500Z"))
  })

  it("a player is never another id, whatever is said", () => {
    const id = fc.constantFrom("a", "b", "c", "d", "e", "f")
    fc.assert(
      fc.property(fc.array(fc.tuple(id, id, fc.nat(20), fc.boolean())), (all) => {
        const found = all.map(([from, to, at, isForced]) => later(from, to, at, isForced))
        for (const players of [playerIds(all.map(([from, to]) => [from, to])), foundPlayers(found)])
          for (const player of players.values()) assert.isFalse(players.has(player))
      })
    )
  })

  it("a marker of nobody, or of somebody who is not named, stays as it is", () => {
    const players = playerIds([["7", "ada"]])
    assert.deepStrictEqual(ofPlayer({ userId: 7, type: "Login" }, players), { userId: "ada", type: "Login" })
    for (const marker of [{ type: "Login" }, { userId: "bob" }, { userId: null }])
      assert.strictEqual(ofPlayer(marker, players), marker)
  })
})

const event = { event: "level_completed", distinct_id: "ada" }

const lines: ReadonlyArray<
  readonly [what: string, origin: ExportOrigin, line: unknown, events: ReadonlyArray<unknown>]
> = [
  ["a list of events", "posthog", [event, event], [event, event]],
  ["a list of events", "amplitude", [event], [event]],
  ["a list of others", "posthog", [1, event], [[1, event]]],
  ["an empty list", "gameanalytics", [], [[]]],
  ["an event", "posthog", { ...event, results: [event] }, [{ ...event, results: [event] }]],
  ["a page of the events API", "posthog", { next: null, results: [event, event] }, [event, event]],
  ["the last page", "posthog", { next: null, results: [] }, []],
  ["what a client sends", "posthog", { api_key: "phc_example", batch: [event] }, [event]],
  ["rows of a query", "posthog", { columns: ["event", "distinct_id"], results: [["level_completed", "ada"]] }, [event]],
  ["rows that are none", "posthog", { columns: ["event"], results: [3] }, [3]],
  ["something else", "posthog", { results: 3 }, [{ results: 3 }]],
  ["no JSON", "posthog", "{", ["{"]]
]

describe("a line of an export", () => {
  it.each(lines)("is %s (%s)", (_, origin, line, found) => {
    assert.deepStrictEqual(exportDialects[origin].eventsIn(line), found)
  })
})
