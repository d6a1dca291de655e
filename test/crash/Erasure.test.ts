import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { seeded } from "../support/Seeded.ts"
import { fetchRequest, startServer, withFolder } from "../support/Server.ts"
import { openStudio, type Studio } from "../support/access/Studio.ts"
import { gameOf } from "../support/game/Game.ts"

const leastKills = 8
/** Where no kill has cut an erasure off yet, there are more. */
const mostKills = 80
const markersEach = 30
const random = seeded(31)

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const nameOf = (round: number): string => `player-${round}-to-be-forgotten`

const crowd = (unit: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    markerId: crypto.randomUUID(),
    timestamp: Date.now() - 60_000 - at,
    eventName: `Type ${at % 3}`,
    distinctId: unit,
    sessionId: `session of ${unit}`,
    properties: { nick: unit, at }
  }))

/** Erasures that are recorded in the file, as another process reads it. */
const recorded = (data: string): ReadonlyArray<string> => {
  const database = new Database(join(data, "metadata.sqlite"), { readonly: true })
  const rows = database.prepare<[], { readonly unit_id: string }>("select unit_id from erasures").all()
  database.close()
  return rows.map((row) => row.unit_id)
}

const filesWith = (data: string, text: string): ReadonlyArray<string> =>
  readdirSync(data).filter((name) => readFileSync(join(data, name)).includes(text))

const statusOf = async (url: string, { applicationId, cookie, development }: Studio, unit: string): Promise<number> => {
  const headers = { ...cookie, environment_id: String(development) }
  return (await fetchRequest(url)("GET", `/application/${applicationId}/players/${unit}`, { headers })).status
}

it("G1: an erasure that SIGKILL cuts off is finished after the restart", { timeout: 900_000 }, () =>
  withFolder(async (folder) => {
    const data = join(folder, "data")
    const start = () => startServer(data, ["--rate-limits", "off"])
    let server = await start()
    const studio = await openStudio(fetchRequest(server.url), "ada")
    const game = await gameOf(fetchRequest(server.url), studio)
    const send = async (markers: ReadonlyArray<object>) => {
      const answer = await fetchRequest(server.url)("POST", "/sdk/v1/markers", {
        headers: { authorization: game.publicKey, environment: "development" },
        body: { markers }
      })
      assert.strictEqual(answer.status, 200, answer.text)
    }
    for (let n = 0; n < 20; n++) await send(crowd(`other-${n}`, 500))

    let cutOff = 0
    let kills = 0
    for (; kills < leastKills || (cutOff === 0 && kills < mostKills); kills++) {
      const round = kills
      const unit = nameOf(round)
      await send(crowd(unit, markersEach))
      const erased = fetch(`${server.url}/application/${studio.applicationId}/players/${unit}`, {
        method: "DELETE",
        headers: { ...studio.cookie, environment_id: String(studio.development) }
      }).catch(() => null)
      for (let looks = 0; looks < 20_000 && recorded(data).length === 0; looks++) await sleep(1)
      await sleep(random() * 25)
      server.process.kill("SIGKILL")
      await Promise.all([erased, server.ended])
      if (recorded(data).length > 0) cutOff++

      server = await start()
      for (let looks = 0; looks < 12_000 && recorded(data).length > 0; looks++) await sleep(10)
      assert.deepStrictEqual(recorded(data), [])
      assert.strictEqual(await statusOf(server.url, studio, unit), 404)
      assert.strictEqual(await statusOf(server.url, studio, "other-1"), 200)
    }
    assert.isAbove(cutOff, 0, "no kill came before the end of an erasure")
    await server.stop()
    for (let round = 0; round < kills; round++) assert.deepStrictEqual(filesWith(data, nameOf(round)), [])
  })
)
