import { inlineThreads } from "../../../src/adapters/sqlite/events/threads/InlineThreads.ts"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Exit, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, vi } from "vitest"
import { EventStoreSqlite } from "../../../src/adapters/sqlite/analytics/EventStore.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { refused } from "../../support/Caller.ts"
import { gameOf } from "../../support/game/Game.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const folder = mkdtempSync(join(tmpdir(), "full-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Every connection that may write each file. Test files of a worker share the driver, so others open files of theirs beside. */
const writers = new Map<string, Set<Database.Database>>()
const pragma = Database.prototype.pragma
vi.spyOn(Database.prototype, "pragma").mockImplementation(function (this: Database.Database, ...given) {
  if (!this.readonly) writers.set(this.name, (writers.get(this.name) ?? new Set()).add(this))
  return pragma.apply(this, given)
})

/** Files of their own for each test, whose application goes on until the end of the file. */
const storesIn = (name: string) => {
  const [events, metadata] = [join(folder, `${name}.events.sqlite`), join(folder, `${name}.metadata.sqlite`)]
  const stores = Layer.merge(
    SqliteMetadata(metadata),
    EventStoreSqlite({ file: events, threads: inlineThreads, dedupeDays: 7, cacheBytes: 1_000_000, budget: 10_000 })
  )
  return { events, metadata, stores }
}

/** The disk under a file, which holds so many pages more than the file has. The limit is one of each connection. */
const leave = (pages: number, name: string) => {
  const open = [...(writers.get(name) ?? [])].filter((writer) => writer.open)
  assert(open.length > 0)
  for (const writer of open) {
    const size = Number(pragma.call(writer, "page_count", { simple: true }))
    pragma.call(writer, `max_page_count = ${size + pages}`)
  }
}

let serial = 0
const batch = (size: number) =>
  Array.from({ length: size }, () => ({
    markerId: `00000000-0000-4000-8000-${String(++serial).padStart(12, "0")}`,
    timestamp: Date.now(),
    eventName: "Level",
    distinctId: `unit ${serial}`,
    properties: { text: `${serial} `.repeat(20) }
  }))
const lines = (markers: ReadonlyArray<object>) => markers.map((marker) => JSON.stringify(marker)).join("\n")

describe("a full disk", () => {
  it("refuses markers and stores none of the request, goes on answering, and takes the same markers once there is space", async () => {
    const { events: file, stores } = storesIn("markers")
    const { request, run } = testApp(stores)
    const game = await gameOf(request, await openStudio(request, "ada"))
    const maintain = () =>
      run(Effect.exit(Effect.flatMap(EventStore, (events) => events.maintain({ now: Date.now(), retention: [] }))))
    await game.send(batch(100))
    assert.strictEqual(await game.count("Level"), 100)

    leave(3, file)
    const [one, two, three] = [batch(500), batch(500), batch(500)]
    for (const markers of [one, two]) {
      const { status, body } = await game.send(markers)
      assert.deepStrictEqual([status, body.code, body.errorCode], [507, "STORAGE_FULL", "STORAGE_FULL"])
    }
    refused(await game.fill(lines(three)), 507, "STORAGE_FULL")
    await maintain()
    assert.strictEqual(await game.count("Level"), 100)
    const known = (await game.send(batch(1))).body
    assert.strictEqual(known.ingestedMarkersCount, 1, "what still fits is taken")
    assert.strictEqual((await request("GET", "/ready")).status, 200)

    leave(100_000, file)
    const counts = ({ body }: { readonly body: any }) => [body.ingestedMarkersCount, body.duplicateMarkersCount]
    for (const markers of [one, two]) assert.deepStrictEqual(counts(await game.send(markers)), [500, 0])
    assert.deepStrictEqual(counts(await game.fill(lines(three))), [500, 0])
    assert.isTrue(Exit.isSuccess(await maintain()))
    assert.deepStrictEqual(counts(await game.send(one)), [0, 500])
    assert.strictEqual(await game.count("Level"), 1601)
  })

  it("refuses a change of what is not markers, keeps everything as it was, and makes it once there is space", async () => {
    const { metadata, stores } = storesIn("changes")
    const { request } = testApp(stores)
    const studio = await openStudio(request, "ada")
    const path = `/application/${studio.applicationId}/v2/configuration`
    const call = (method: string, body?: object) =>
      request(method, path, {
        headers: { ...studio.cookie, environment_id: String(studio.development) },
        ...(body === undefined ? {} : { body })
      })
    const create = (name: string) => call("POST", { name, configuration: { text: `${name} `.repeat(20_000) } })
    assert.strictEqual((await create("first")).status, 201)

    leave(3, metadata)
    for (const name of ["second", "third"]) refused(await create(name), 507, "STORAGE_FULL")
    const { status, body } = await request("GET", `${path}s`, {
      headers: { ...studio.cookie, environment_id: String(studio.development) }
    })
    assert.deepStrictEqual([status, body.items?.length ?? body.length], [200, 1])
    assert.strictEqual((await request("GET", "/ready")).status, 200)

    leave(100_000, metadata)
    for (const name of ["second", "third"]) assert.strictEqual((await create(name)).status, 201)
    refused(await create("second"), 409, "CONFIGURATION_NAME_TAKEN")
  })
})
