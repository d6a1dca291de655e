import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { PasswordStrengthNode } from "../../../src/adapters/node/PasswordStrength.ts"
import { EventStoreSqlite } from "../../../src/adapters/sqlite/analytics/EventStore.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { type Game, gameOf } from "../../support/game/Game.ts"
import { type Listening, listening, silent } from "../../support/game/Listening.ts"
import { passwordWorker, threads } from "../../support/Workers.ts"

const longest = 150
const perRequest = 40
const folder = mkdtempSync(join(tmpdir(), "hang-ups-"))
const inFiles = Layer.merge(
  SqliteMetadata(join(folder, "metadata.sqlite")),
  EventStoreSqlite({ file: join(folder, "events.sqlite"), threads, dedupeDays: 7, cacheBytes: 1e6, budget: 30_000 })
)

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const everyMilliseconds = (step: number) => Array.from({ length: longest / step + 1 }, (_, index) => index * step)

describe("G1: raw sockets that hang up after 0 to 150 ms", () => {
  let server: Listening
  let studio: Studio
  let game: Game

  beforeAll(async () => {
    server = await listening(inFiles, {}, silent, PasswordStrengthNode(passwordWorker))
    studio = await openStudio(server.request, "ada")
    game = await gameOf(server.request, studio)
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })

  /** Sends the request and closes the socket so many milliseconds later, answered or not. */
  const hangUp = async (milliseconds: number, head: ReadonlyArray<string>, body = "") => {
    const socket = connect(server.address)
    socket.on("error", () => undefined)
    await new Promise<void>((resolve) => socket.once("connect", resolve))
    const lines = [...head, "host: test", `content-length: ${Buffer.byteLength(body)}`]
    await new Promise<void>((resolve) => socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`, () => resolve()))
    await sleep(milliseconds)
    socket.destroy()
  }

  const call = (method: string, path: string, body?: object) =>
    server.request(method, path, {
      headers: { ...studio.cookie, environment_id: String(studio.development) },
      ...(body === undefined ? {} : { body })
    })

  const marker = (eventName: string, distinctId: string, properties: object) => ({
    markerId: crypto.randomUUID(),
    timestamp: Date.now() - 60_000,
    eventName,
    distinctId,
    properties
  })

  const clickedLink = async (conversionMarker: string) => {
    const links = `/application/${studio.applicationId}/deeplinks`
    const link = { name: conversionMarker, conversionMarker, type: "web_url", redirectUrl: "https://studio.example" }
    const { id, slug } = (await call("POST", links, link)).body
    const { headers } = await server.request("GET", `/d/${slug}`, { headers: { "user-agent": "Mozilla/5.0 (X11)" } })
    const click = new URL(headers.get("location") ?? "").searchParams.get("gk_click")
    const conversions = async (): Promise<number> =>
      (await call("GET", `${links}/${id}/conversions`)).body.totals.conversions
    return { click, conversions }
  }

  /** What is left once the server has ended what it goes on with, and then is nothing but what may be. */
  const settled = async (allowed: ReadonlyArray<string>, look: () => Promise<ReadonlyArray<string>>) => {
    let found = await look()
    for (let looks = 0; looks < 480 && !found.every((each) => allowed.includes(each)); looks++) {
      await sleep(250)
      found = await look()
    }
    assert.deepStrictEqual(
      found.filter((each) => !allowed.includes(each)),
      []
    )
    return found
  }

  it("leave markers with all of their conversions, or none", async () => {
    const rounds: Array<{ readonly type: string; readonly conversions: () => Promise<number> }> = []
    for (const milliseconds of everyMilliseconds(5)) {
      const type = `Login ${milliseconds}`
      const { click, conversions } = await clickedLink(type)
      const markers = Array.from({ length: perRequest }, (_, n) => marker(type, `${type} ${n}`, { gk_click: click }))
      const head = ["POST /sdk/v1/markers HTTP/1.1", `authorization: ${game.publicKey}`, "environment: development"]
      await hangUp(milliseconds, [...head, "content-type: application/json"], JSON.stringify({ markers }))
      rounds.push({ type, conversions })
    }
    const whole = `${perRequest} ${perRequest}`
    const found = await settled(["0 0", whole], async () => {
      const left: Array<string> = []
      for (const { type, conversions } of rounds) left.push(`${await game.count(type)} ${await conversions()}`)
      return left
    })
    assert.include(found, whole)
  })

  it("leave a player whole, or nothing of the player", async () => {
    const rounds: Array<{ readonly path: string; readonly conversions: () => Promise<number> }> = []
    for (const milliseconds of everyMilliseconds(15)) {
      const unit = `gone-${milliseconds}`
      const { click, conversions } = await clickedLink("Came")
      await game.send([marker("Came", unit, { gk_click: click }), marker("Stayed", unit, {})])
      assert.strictEqual(await conversions(), 1)
      const path = `/application/${studio.applicationId}/players/${unit}`
      const head = [
        `DELETE ${path} HTTP/1.1`,
        `cookie: ${studio.cookie.cookie}`,
        `environment_id: ${studio.development}`
      ]
      await hangUp(milliseconds, head)
      rounds.push({ path, conversions })
    }
    const found = await settled(["3 1", "0 0"], async () => {
      const left: Array<string> = []
      for (const { path, conversions } of rounds)
        left.push(`${(await call("GET", path)).body.markerCount ?? 0} ${await conversions()}`)
      return left
    })
    assert.include(found, "0 0")
  })
})
