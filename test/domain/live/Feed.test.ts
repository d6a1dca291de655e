import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { Event } from "../../../src/domain/analytics/markers/Event.ts"
import { Feed } from "../../../src/domain/live/Feed.ts"
import type { LiveFrame } from "../../../src/domain/live/LiveKind.ts"
import { mostStreams, OpenStreams } from "../../../src/domain/live/LiveLimits.ts"
import type { View } from "../../../src/domain/live/Sight.ts"
import { OrganizationId, UserId } from "../../../src/domain/Ids.ts"
import { runCount } from "../../support/Runs.ts"

const at = "2026-11-22T06:00:00.000Z"

const marker = (type: string, unitId: string | null, text = ""): Event => ({
  markerId: "00000000-0000-4000-8000-000000000000",
  type,
  unitId,
  sessionId: null,
  serverId: null,
  timestamp: 0,
  receivedAt: 0,
  clamped: false,
  arguments: { text },
  properties: {},
  position: null
})

const everything = { type: null, unitId: null, withMarkers: true }

const dataOf = (frames: ReadonlyArray<LiveFrame>, kind: string) => {
  const text = frames.find((frame) => frame.kind === kind)?.text
  return text === undefined ? undefined : JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "")
}

const names = fc.constantFrom("Login", "Level", "__proto__", "Größe\n")
const units = fc.constantFrom(null, "ada", "grace", "__proto__")
const views = fc.record({ type: fc.option(names), unitId: units, withMarkers: fc.boolean() })

describe("a feed", () => {
  it("counts every type for everybody, and shows each view exactly the markers it asks for", () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(names, units), { maxLength: 40 }),
        fc.array(views, { maxLength: 6 }),
        (sent, asked) => {
          const feed = new Feed()
          const sights = asked.map((view) => feed.join(view))
          const events = sent.map(([type, unitId]) => marker(type, unitId))
          const repeated = events.flatMap((_, index) => (index % 5 === 4 ? [index] : []))
          feed.stored(events, repeated)
          const fresh = events.filter((_, index) => !repeated.includes(index))
          const { of } = feed.take(at)
          sights.forEach((sight, index) => {
            const { type, unitId, withMarkers } = asked[index]!
            const told = dataOf(of(sight), "markers")
            if (fresh.length === 0) return assert.isUndefined(told)
            const wanted = fresh.filter(
              (event) => (type === null || event.type === type) && (unitId === null || event.unitId === unitId)
            )
            assert.strictEqual(told.total, fresh.length)
            const counts = new Map(told.counts.map((each: { type: string; count: number }) => [each.type, each.count]))
            for (const [name] of sent) {
              assert.strictEqual(counts.get(name) ?? 0, fresh.filter((event) => event.type === name).length)
            }
            assert.strictEqual(told.items?.length, withMarkers ? wanted.length : undefined)
          })
          for (const sight of sights) feed.leave(sight)
          const again = new Feed()
          assert.deepStrictEqual(feed.take(at).common, again.take(at).common)
        }
      ),
      { numRuns: runCount(200) }
    ))

  it("shows no more than 50 markers and 48 KiB of them a second, 20 refused ones, and says how many it left out", () => {
    const feed = new Feed()
    const sight = feed.join(everything)
    feed.stored(
      Array.from({ length: 500 }, () => marker("Login", "ada")),
      []
    )
    for (let n = 0; n < 30; n++) {
      feed.refused({ code: "INVALID_TYPE", reason: "No", markerId: null, type: null, unitId: "ada" })
    }
    const frames = feed.take(at).of(sight)
    const told = dataOf(frames, "markers")
    assert.deepStrictEqual([told.total, told.items.length, told.leftOut], [500, 50, 450])
    const refused = dataOf(frames, "rejected")
    assert.deepStrictEqual([refused.items.length, refused.leftOut], [20, 10])
    feed.stored(
      Array.from({ length: 50 }, () => marker("Login", "ada", "x".repeat(8000))),
      []
    )
    const [frame] = feed.take(at).of(sight)
    assert.isBelow(frame!.text.length, 49 * 1024)
    assert.strictEqual(dataOf([frame!], "markers").items.length, 5)
  })

  it("names the 100 most frequent types, in at most 16 KiB, and adds up the others, however many there are", () => {
    const feed = new Feed()
    const sight = feed.join({ ...everything, withMarkers: false })
    const many = Array.from({ length: 3000 }, (_, n) => marker(`${n} `.padEnd(200, "東"), null))
    feed.stored([...many, ...many.slice(0, 3)], [])
    const [frame] = feed.take(at).of(sight)
    const told = dataOf([frame!], "markers")
    assert.strictEqual(told.total, 3003)
    assert.deepStrictEqual(
      told.counts.slice(0, 3).map(({ count }: { count: number }) => count),
      [2, 2, 2]
    )
    const named = told.counts.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    assert.strictEqual(named + told.others, 3003)
    assert.isBelow(Buffer.byteLength(frame!.text), 17 * 1024)
  })

  it("tells the last state of each cohort and execution, and is empty afterwards", () => {
    const feed = new Feed()
    feed.changed("cohort", "1", { id: 1, status: "computing" })
    feed.changed("cohort", "1", { id: 1, status: "ready" })
    for (let n = 0; n < 1000; n++) feed.changed("execution", String(n), { n })
    const { common } = feed.take(at)
    assert.deepStrictEqual([common.length, dataOf(common, "cohort")], [100, { id: 1, status: "ready" }])
    assert.deepStrictEqual(feed.take(at).common, [])
  })

  it("asks no view that a marker is not for, however many views there are", () => {
    const feed = new Feed()
    let looks = 0
    const counted = (unitId: string): View =>
      new Proxy({ type: null, unitId, withMarkers: true }, { get: (view, key) => (looks++, Reflect.get(view, key)) })
    for (let n = 0; n < 2000; n++) feed.join(counted(`player ${n}`))
    looks = 0
    feed.stored([marker("Login", "nobody"), marker("Login", null), marker("Level", "player")], [])
    assert.strictEqual(looks, 0)
    feed.stored([marker("Login", "player 7")], [])
    assert.isAbove(looks, 0)
    assert.isBelow(looks, 5)
  })
})

describe("open streams", () => {
  const owner = (user: number, organization: number) => ({
    userId: UserId.make(`00000000-0000-4000-8000-${String(user).padStart(12, "0")}`),
    organizationId: OrganizationId.make(organization)
  })

  it("are bounded for a person, an organization and in all", () => {
    const open = new OpenStreams()
    for (let n = 0; n < mostStreams.ofUser; n++) open.add(owner(1, 1), 1)
    assert.deepStrictEqual([open.isFull(owner(1, 2)), open.isFull(owner(2, 1))], [true, false])
    for (let n = mostStreams.ofUser; n < mostStreams.ofOrganization; n++) open.add(owner(n, 1), 1)
    assert.deepStrictEqual([open.isFull(owner(999, 1)), open.isFull(owner(999, 2))], [true, false])
    for (let n = mostStreams.ofOrganization; n < mostStreams.ofAll; n++) open.add(owner(n, n), 1)
    assert.isTrue(open.isFull(owner(999, 999)))
    open.add(owner(1, 1), -1)
    assert.deepStrictEqual([open.isFull(owner(1, 1)), open.isFull(owner(999, 999))], [false, false])
  })
})
