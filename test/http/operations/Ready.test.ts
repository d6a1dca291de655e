import { inlineThreads } from "../../../src/adapters/sqlite/events/threads/InlineThreads.ts"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Layer, Logger } from "effect"
import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, vi } from "vitest"
import { EventStoreSqlite } from "../../../src/adapters/sqlite/analytics/EventStore.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { gameOf } from "../../support/game/Game.ts"
import { gated } from "../../support/game/Gate.ts"
import { shiftedClock } from "../../support/ShiftedClock.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const parent = mkdtempSync(join(tmpdir(), "ready-"))
afterAll(() => rmSync(parent, { recursive: true }))

/** The connections that may write, by file: a file has one of its guard beside that of its store. */
const writers = new Map<string, Set<Database.Database>>()
const pragma = Database.prototype.pragma
vi.spyOn(Database.prototype, "pragma").mockImplementation(function (this: Database.Database, ...given) {
  if (!this.readonly) writers.set(this.name, new Set(writers.get(this.name)).add(this))
  return pragma.apply(this, given)
})

const problemKeys = ["code", "message", "severity", "store"]
const storeNames = ["metadata", "events"] as const

/** An answer is kept for less than this. */
const keptFor = 1100

const appIn = (folder: string, minFreeMb = 0) => {
  const files = { metadata: join(folder, "metadata.sqlite"), events: join(folder, "events.sqlite") }
  const inFolder = Layer.merge(
    SqliteMetadata(files.metadata),
    EventStoreSqlite({
      file: files.events,
      threads: inlineThreads,
      dedupeDays: 7,
      cacheBytes: 1_000_000,
      budget: 10_000
    })
  )
  const clock = shiftedClock()
  const { request } = testApp(inFolder, { minFreeMb }, Layer.merge(Logger.remove(Logger.defaultLogger), clock.layer))
  const ready = async () => {
    clock.state.shift += keptFor
    const { status, body } = await request("GET", "/ready")
    assert.deepStrictEqual(Object.keys(body), ["status", "stores", "problems"])
    for (const problem of body.problems) assert.deepStrictEqual(Object.keys(problem).sort(), problemKeys)
    const found = body.problems.map(({ code, store }: { code: string; store: string | null }) => `${code} ${store}`)
    return { status, word: body.status, stores: body.stores, found, body }
  }
  return { request, ready, files }
}

const newFolder = () => mkdtempSync(join(parent, "data-"))

describe("I7: whether the server is ready", () => {
  it.each(storeNames)("I7: the file of %s refuses writes", async (name) => {
    const { ready, files } = appIn(newFolder())
    const whole = await ready()
    assert.deepStrictEqual([whole.status, whole.word, whole.found], [200, "ready", []])
    const all = [...(writers.get(files[name]) ?? [])].filter(({ open }) => open)
    assert.isNotEmpty(all)
    for (const writer of all) pragma.call(writer, "query_only = on")
    const { status, word, stores: usable, found, body } = await ready()
    assert.deepStrictEqual([status, word, found], [503, "unavailable", [`STORE_UNWRITABLE ${name}`]])
    assert.deepStrictEqual(usable, { metadata: name !== "metadata", events: name !== "events" })
    assert.match(body.problems[0].message, new RegExp(`^${name}\\.sqlite takes no write: .*readonly`))
    for (const writer of all) pragma.call(writer, "query_only = off")
    assert.strictEqual((await ready()).status, 200)
  })

  it.each(storeNames)("I7: the file of %s is replaced by a copy, and put back", async (name) => {
    const { ready, files } = appIn(newFolder())
    assert.strictEqual((await ready()).status, 200)
    renameSync(files[name], `${files[name]}.away`)
    cpSync(`${files[name]}.away`, files[name])
    const { status, found } = await ready()
    assert.deepStrictEqual([status, found], [503, [`FILE_REPLACED ${name}`]])
    rmSync(files[name])
    assert.include((await ready()).found, `FILE_REPLACED ${name}`)
    renameSync(`${files[name]}.away`, files[name])
    assert.strictEqual((await ready()).status, 200)
  })

  it("I7: the folder is deleted", async () => {
    const folder = newFolder()
    const { ready } = appIn(folder)
    assert.strictEqual((await ready()).status, 200)
    rmSync(folder, { recursive: true })
    const { status, found } = await ready()
    assert.strictEqual(status, 503)
    assert.includeMembers(found, ["FILE_REPLACED metadata", "FILE_REPLACED events"])
  })

  it("I7: less of the disk is free than --min-free-mb", async () => {
    const { ready } = appIn(newFolder(), 1_000_000_000)
    const { status, word, stores: usable, found, body } = await ready()
    assert.deepStrictEqual([status, word, found], [503, "unavailable", ["DISK_LOW null"]])
    assert.deepStrictEqual(usable, { metadata: true, events: true })
    assert.match(
      body.problems[0].message,
      /^Only \d+ MB of disk are free, less than the 1000000000 MB of --min-free-mb$/
    )
  })

  describe.each(stores)("over %s", (_, store) => {
    it("I7: waits for no question of analysts", async () => {
      const gate = gated(store)
      const { request } = testApp(gate.stores)
      const game = await gameOf(request, await openStudio(request, "ada"))
      gate.shut()
      const counted = game.count("Level")
      while (gate.waiting() === 0) await new Promise((resolve) => setImmediate(resolve))
      const answers = await Promise.all(Array.from({ length: 50 }, () => request("GET", "/ready")))
      assert.isTrue(answers.every(({ status }) => status === 200))
      assert.isAbove(gate.waiting(), 0)
      gate.open()
      await counted
    })
  })
})
