import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { EventStoreSqlite } from "../../../src/adapters/sqlite/analytics/EventStore.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { ServerStateRepo } from "../../../src/ports/game/ServerStateRepo.ts"
import { ErasureRepo } from "../../../src/ports/operations/ErasureRepo.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { analystOf } from "../../support/analytics/Analyst.ts"
import { desk, hour, marker } from "../../support/analytics/PlayerDesk.ts"
import { openApp } from "../../support/App.ts"
import { refused } from "../../support/Caller.ts"
import { atLeast, cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import { type Game, gameOf } from "../../support/game/Game.ts"
import { eventually } from "../../support/Npm.ts"
import { withFolder } from "../../support/Server.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"
import { threads } from "../../support/Workers.ts"

describe.each(stores)("erased players over %s", (label, store) => {
  const { request, run } = testApp(store)
  let studio: Studio
  let game: Game
  let players: ReturnType<typeof desk>

  beforeAll(async () => {
    studio = await openStudio(request, `ada-${label}`)
    game = await gameOf(request, studio)
    players = desk(request, studio)
  })

  it("G2: are erased from results of stored executions and from states of game servers", async () => {
    const gone = `player-${label}-to-forget`
    await game.send([marker("Trade", "zed", hour, { partner: gone }), marker("Trade", gone, hour, { partner: "zed" })])
    const queries = analystOf(request, studio)
    const time = { step: "month", timezone: "UTC", relative: { step: "month", value: 2 } }
    const metrics = [{ id: "A", visible: true, data: { name: "Trade", type: "totalEvents" } }]
    const resultOf = async (breakdowns: ReadonlyArray<object>) => {
      const saved = await queries.save({ name: "Trades", queryType: "insight", spec: { time, metrics, breakdowns } })
      const { executionId } = (await queries.ask(saved.body.id)).body
      const { body } = await queries.reached(saved.body.id, executionId, "succeeded", "failed")
      assert.strictEqual(body.state, "succeeded")
      return { text: JSON.stringify(body), state: () => queries.state(saved.body.id, executionId) }
    }
    const naming = await resultOf([{ source: "argument", name: "partner" }])
    const plain = await resultOf([])
    assert.include(naming.text, gone)
    const report = (serverId: string, metadata: object) =>
      request("POST", `/sdk/v1/servers/roblox/${serverId}`, {
        headers: { authorization: game.publicKey, isstudio: "true", serverid: serverId, sdkversion: "4.2.0" },
        body: { players: [1], metadata }
      })
    assert.strictEqual((await report("naming", { best: gone })).status, 200)
    assert.strictEqual((await report("plain", { best: "zed" })).status, 200)
    const stateOf = (serverId: string) =>
      run(Effect.flatMap(ServerStateRepo, (states) => states.find(EnvironmentId.make(studio.development), serverId)))
    assert.isTrue(Option.isSome(await stateOf("naming")))

    assert.strictEqual((await players.erase(gone)).status, 200)
    assert.strictEqual((await naming.state()).status, 404)
    assert.strictEqual((await plain.state()).body.state, "succeeded")
    assert.deepStrictEqual(
      [Option.isSome(await stateOf("naming")), Option.isSome(await stateOf("plain"))],
      [false, true]
    )
  })

  it("E8: takes a turn of the event loop for each step, however many are erased at once", async () => {
    const many = Array.from({ length: 30 }, (_, n) => `crowd-${label}-${n}`)
    await game.send(many.map((unitId) => marker("Login", unitId, hour, {})))
    let [turns, isOver] = [0, false]
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const erased = await Promise.all(many.map((unitId) => players.erase(unitId)))
    isOver = true
    assert.deepStrictEqual(
      erased.map(({ status, body }) => [status, body.erased.markers]),
      many.map(() => [200, 1])
    )
    assert.isAtLeast(turns, 6 * many.length)
  })
})

describe("an erased player on disk", () => {
  const folder = mkdtempSync(join(tmpdir(), "erase-"))
  const folderStores = Layer.merge(
    SqliteMetadata(join(folder, "metadata.sqlite")),
    EventStoreSqlite({ file: join(folder, "events.sqlite"), threads, dedupeDays: 7, cacheBytes: 1e6, budget: 30_000 })
  )
  const { request, close } = testApp(folderStores)
  afterAll(() => rmSync(folder, { recursive: true }))

  const filesWith = (text: string) =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text))

  it("leaves no byte of its id in any file", async () => {
    const studio = await openStudio(request, "ada")
    const game = await gameOf(request, studio)
    const players = desk(request, studio)
    const gone = "unit-7c1b5f0e-to-be-forgotten"
    for (let round = 0; round < 6; round++) {
      const crowd = Array.from({ length: 900 }, (_, index) =>
        marker("Login", `unit-${index}`, (index + round) * 1000, { playerName: `name ${index}`, round })
      )
      await game.send([...crowd, marker("Login", gone, round * hour, { playerName: gone, tags: [gone, "x"] })])
      if (round % 2 === 0) await game.query("insights/execute", {})
    }
    const analyst = cohortAnalystOf(request, studio)
    const dynamic = await analyst.define("Dynamic", atLeast(6, "Login"))
    const listed = await analyst.list("Static", [gone, "unit-1", "never-seen"])
    assert.deepStrictEqual([dynamic.memberCount, listed.memberCount], [901, 3])
    assert.isNotEmpty(filesWith(gone))
    const erased = await players.erase(gone)
    assert.deepStrictEqual(erased.body.erased, { markers: 6, cohortMemberships: 2, assignments: 0, clicks: 0 })
    refused(await players.get(gone), 404, "PLAYER_NOT_FOUND")
    assert.deepStrictEqual(filesWith(gone), [])
    assert.strictEqual(await game.count("Login"), 5400)
    assert.deepStrictEqual(await analyst.unitIds(listed.id), ["never-seen", "unit-1"])
    const { body } = await analyst.call("GET", `/${dynamic.id}/membership?userId=${gone}`)
    assert.deepStrictEqual([body.isMember, body.enteredAt], [false, null])
    await close()
    assert.deepStrictEqual(filesWith(gone), [])
  })
})

describe("an erasure that was cut off", () => {
  it("is finished with the numbers of members of the cohorts that the player was in", () =>
    withFolder(async (folder) => {
      const opened = () =>
        openApp(
          Layer.merge(
            SqliteMetadata(join(folder, "metadata.sqlite")),
            EventStoreSqlite({
              file: join(folder, "events.sqlite"),
              threads,
              dedupeDays: 7,
              cacheBytes: 1e6,
              budget: 30_000
            })
          )
        )
      const before = opened()
      const studio = await openStudio(before.request, "ada")
      const listed = await cohortAnalystOf(before.request, studio).list("Static", ["gone", "stays"])
      assert.strictEqual(listed.memberCount, 2)
      const erasure = { environmentId: EnvironmentId.make(studio.development), unitId: "gone", erasedAt: Date.now() }
      await before.run(Effect.flatMap(ErasureRepo, (erasures) => erasures.begin(erasure)))
      await before.close()
      const after = opened()
      const analyst = cohortAnalystOf(after.request, studio)
      assert.strictEqual((await analyst.call("GET", `/${listed.id}`)).status, 200)
      await eventually("the rest of the erasure", async () => {
        const unfinished = await after.run(Effect.flatMap(ErasureRepo, (erasures) => erasures.unfinished))
        return unfinished.length === 0 ? true : undefined
      })
      assert.deepStrictEqual(await analyst.unitIds(listed.id), ["stays"])
      assert.strictEqual((await analyst.call("GET", `/${listed.id}`)).body.memberCount, 1)
      await after.close()
    }))
})
