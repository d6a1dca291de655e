import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { operators } from "../../src/web/builder/Filters.ts"
import { playerAddress, playerOfAddress } from "../../src/web/players/Address.ts"
import type { PlayersQuestion } from "../../src/web/players/PlayersQuestion.ts"
import { playersCodec, playersQuery, sorts } from "../../src/web/players/PlayersQuestion.ts"
import { lastDays } from "../../src/web/players/Activity.tsx"
import { countsByDay, sessionsOf } from "../../src/web/players/Sessions.ts"
import { readable } from "../../src/web/url/Codec.ts"

const name = fc.string({ minLength: 1, maxLength: 20 })

const question: fc.Arbitrary<PlayersQuestion> = fc.record({
  search: fc.string({ maxLength: 20 }),
  cohortId: fc.option(fc.integer({ min: 1, max: 1e9 })),
  filters: fc.array(
    fc.record({
      source: fc.constant("property" as const),
      name,
      operator: fc.constantFrom(...operators.map(({ value }) => value)),
      values: fc.array(name, { maxLength: 3 })
    }),
    { maxLength: 3 }
  ),
  match: fc.constantFrom("all" as const, "any" as const),
  columns: fc.uniqueArray(name, { maxLength: 4 }),
  sort: fc.constantFrom(...sorts),
  isReversed: fc.boolean()
})

const environment = { alias: "production" }

const at = (sequence: number, clock: string, sessionId: string | null) => ({
  sequence,
  sessionId,
  timestamp: `2026-11-22T${clock}:00Z`
})

describe("addresses of players", () => {
  it("a question survives its address", () => {
    fc.assert(
      fc.property(question, (asked) => {
        const address = readable(playersCodec.write(asked))
        assert.deepStrictEqual(playersCodec.read(new URLSearchParams(address)), asked)
      })
    )
  })

  it("a player survives theirs, whatever letters the id has", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), (unitId) => {
        const { pathname } = new URL(playerAddress({ applicationId: 1, environment }, unitId), "http://localhost")
        // A browser takes these two for the folder itself and the one above.
        if (unitId !== "." && unitId !== "..") assert.strictEqual(playerOfAddress(pathname), unitId)
      })
    )
  })

  it("what is not finished is not asked, and each order begins where a reader expects", () => {
    const asked = playersCodec.read(new URLSearchParams("f=property:country:is:&f=argument:level:isSet:&sort=unitId"))
    assert.deepInclude(playersQuery(asked), { filters: undefined, match: undefined, direction: "ascending" })
    const other = playersCodec.read(new URLSearchParams("f=property:level:equal:5&reverse=1&cohort=x&sort=name"))
    assert.deepInclude(playersQuery(other), {
      filters: '[{"source":"property","name":"level","operator":"equal","value":5}]',
      cohortId: undefined,
      sort: "lastSeen",
      direction: "ascending"
    })
  })
})

describe("a timeline", () => {
  it("is grouped by session, and by pauses of half an hour where there are no sessions", () => {
    const sessions = sessionsOf([
      at(8, "20:00", "c"),
      at(7, "19:00", "c"),
      at(6, "12:00", null),
      at(5, "11:45", null),
      at(4, "11:00", null),
      at(3, "10:00", "b"),
      at(2, "10:00", "a"),
      at(1, "09:58", "a")
    ])
    assert.deepStrictEqual(
      sessions.map(({ id, markers, seconds, pause }) => [id, markers.map(({ sequence }) => sequence), seconds, pause]),
      [
        ["c", [8, 7], 3600, null],
        [null, [6, 5], 900, 7 * 3600],
        [null, [4], 0, 2700],
        ["b", [3], 0, 3600],
        ["a", [2, 1], 120, 0]
      ]
    )
    assert.deepStrictEqual(sessionsOf([]), [])
  })

  it("keeps what the server noted in a session within it", () => {
    const sessions = sessionsOf([
      at(9, "12:00", null),
      at(8, "11:59", "b"),
      at(7, "11:40", null),
      at(6, "11:30", "b"),
      at(5, "11:00", "a"),
      at(4, "10:00", null)
    ])
    assert.deepStrictEqual(
      sessions.map(({ id, markers }) => [id, markers.map(({ sequence }) => sequence)]),
      [
        ["b", [9, 8, 7, 6]],
        ["a", [5]],
        [null, [4]]
      ]
    )
  })

  it("is counted by days that may have no marker", () => {
    const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10)
    const markers = [at(2, "10:00", null), at(1, "09:00", null)]
    assert.deepStrictEqual(countsByDay(markers, ["2026-11-21", "2026-11-22"], dayOf), [0, 2])
  })

  it("is shown by 30 days that follow each other, however long they are", () => {
    const days = lastDays("2026-10-31")
    assert.strictEqual(days.length, 30)
    assert.deepStrictEqual(
      [days[0], days[23], days[24], days[29]],
      ["2026-10-02", "2026-10-25", "2026-10-26", "2026-10-31"]
    )
  })
})
