import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import type { Language } from "./OnDisk.ts"

/** What a body says; null without one, undefined where it is no JSON. */
const readIn = (body: string): any => {
  try {
    return body === "" ? null : JSON.parse(body)
  } catch {
    return undefined
  }
}

/** When a client asks a server, of which each test decides what it answers, and what it makes of answers that cross. */
export const sendingTests = (language: Language) =>
  describe(`requests of the client for ${language.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "gamekeeper-sending-"))
    const players: Array<ReturnType<typeof spawn>> = []
    let asked: Array<any> = []
    let answer: (body: any) => Promise<[status: number, headers: Record<string, string>, body: unknown]>
    const server = createServer((incoming, outgoing) => {
      void text(incoming).then(async (body) => {
        const read = readIn(body)
        asked.push(read)
        const [status, headers, answered] = read === undefined ? [400, {}, {}] : await answer(read)
        outgoing.writeHead(status, headers).end(status === 304 ? undefined : JSON.stringify(answered))
      })
    })
    let startOf: ReturnType<Language["made"]>

    const says =
      (status: number, body: unknown = {}, headers = {}): typeof answer =>
      async () => [status, headers, body]
    const takes = says(200, { ingestedMarkersCount: 1 })

    beforeAll(async () => {
      startOf = language.made(folder)
      await once(server.listen(0, "127.0.0.1"), "listening")
    })
    // A game that goes on would ask the server of the next test.
    afterEach(async () => {
      for (const player of players.splice(0)) {
        player.kill("SIGKILL")
        if (player.exitCode === null && player.signalCode === null) await once(player, "exit")
      }
      asked = []
    })
    afterAll(() => {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    })

    /** A game with a folder of its own; what it tells of a command. */
    const started = (name: string, flushSeconds: number, mostWaiting = 100) => {
      const url = `http://127.0.0.1:${Object(server.address()).port}`
      const game = { url, key: "sdk_test", folder: join(folder, name), mostWaiting, flushSeconds }
      const [command, ...args] = startOf(game)
      const player = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] })
      players.push(player)
      const lines = createInterface({ input: player.stdout })[Symbol.asyncIterator]()
      return async (asking: Record<string, unknown>): Promise<any> => {
        player.stdin.write(`${JSON.stringify(asking)}\n`)
        return JSON.parse(String((await lines.next()).value).replace(/^> /, ""))
      }
    }

    const track = (name: string, properties: unknown = null) => ({ do: "track", name, player: "ada", properties })
    const shop = (more: Record<string, unknown> = {}) => ({
      do: "configuration",
      name: "shop",
      player: "ada",
      defaults: { price: 1 },
      properties: null,
      ...more
    })

    it("do not wait for what was planned after failures, once a flush has reached the server", async () => {
      const run = started("planned", 0.2)
      answer = says(401)
      await run(track("Early"))
      await run({ do: "flush" })
      answer = takes
      await run({ do: "flush" })
      asked = []
      await run(track("Late"))
      await run({ do: "wait" })
      assert.lengthOf(asked, 1)
    })

    it("are one to a server that is away, however many flushes the game asks for at once", async () => {
      const run = started("once", 3600)
      answer = async () => [(await pause(300), 503), {}, {}]
      await run(track("Away"))
      const { problems } = await run({ do: "flush", times: 3 })
      assert.deepStrictEqual([asked.length, problems.length], [1, 1])
    })

    it("are halved until the marker is alone for which the server refuses them, and told of that one", async () => {
      const refusals = [
        { code: "MALFORMED_JSON", message: "The body is not valid JSON" },
        { code: "VALIDATION_FAILED", message: "body: expected at most 100 levels of nesting" }
      ]
      for (const refusal of refusals) {
        const run = started(refusal.code, 3600)
        const arrived: Array<string> = []
        answer = async ({ markers }) => {
          const names = markers.map((each: any) => each.eventName)
          if (names.includes("Odd")) return [400, {}, { statusCode: 400, ...refusal }]
          arrived.push(...names)
          return [200, {}, { ingestedMarkersCount: names.length }]
        }
        for (const name of ["First", "Second", "Odd", "Third"]) await run(track(name))
        const { problems } = await run({ do: "flush" })
        assert.deepStrictEqual(arrived, ["First", "Second", "Third"])
        assert.deepStrictEqual(problems, [`rejected: a marker cannot be read: ${refusal.message}`])
      }
    })

    it("are kept where they are refused for the key, or by somebody on the way", async () => {
      for (const refusal of [{ code: "VALIDATION_FAILED", message: "project-id: name one" }, {}]) {
        const run = started(`kept${Object.keys(refusal).length}`, 3600)
        answer = says(400, refusal)
        await run(track("Kept"))
        assert.match((await run({ do: "flush" })).problems.join(), /^refused/)
        answer = takes
        asked = []
        await run({ do: "flush" })
        assert.lengthOf(asked, 1)
      }
    })

    it("wait until the date that a busy server names, by its clock", async () => {
      const run = started("date", 0.1)
      const [date, until] = ["Sun, 06 Nov 1994 08:48:59 GMT", "Sun, 06 Nov 1994 08:52:19 GMT"]
      answer = says(503, {}, { date, "retry-after": until })
      await run(track("Busy"))
      await run({ do: "idle", seconds: 3 })
      assert.lengthOf(asked, 1)
    })

    it("are JSON, whatever characters a text has", async () => {
      const run = started("characters", 3600)
      const odd = `${Array.from({ length: 32 }, (_, code) => String.fromCharCode(code + 1)).join("")}"\\v\\\\\u007f\u2028`
      answer = takes
      await run(track(odd, { [odd]: odd, list: [odd, 1, true] }))
      assert.deepStrictEqual((await run({ do: "flush" })).problems, [])
      const { eventName, properties } = asked[0].markers[0]
      assert.deepStrictEqual([eventName, properties], [odd, { [odd]: odd, list: [odd, 1, true] }])
    })

    it("are JSON, whatever a damaged disk has made of what was kept", async () => {
      // Godot reads no further than the first zero.
      const kept = [
        '{"eventName":"Whole"}',
        '{"eventName":"Raw","properties":{"text":"\u0001"}}',
        '{"eventName":"Zero","timestamp":01}',
        '{"eventName":"Long"}\0\0'
      ]
      mkdirSync(join(folder, "damaged"))
      writeFileSync(join(folder, "damaged", "markers.jsonl"), kept.join("\n"))
      const run = started("damaged", 3600)
      answer = takes
      assert.deepStrictEqual((await run({ do: "flush" })).problems, [])
      assert.include(
        asked[0].markers.map((marker: any) => marker.eventName),
        "Whole"
      )
    })

    it("have the file of what waits written anew a few times, not once for each of them", async () => {
      const run = started("long", 3600, 3000)
      const sizes: Array<number> = []
      answer = async () => {
        sizes.push(statSync(join(folder, "long", "markers.jsonl")).size)
        return [200, {}, { ingestedMarkersCount: 1 }]
      }
      for (let count = 0; count < 2600; count++) await run(track("Long"))
      await run({ do: "flush" })
      assert.isAtLeast(sizes.length, 6)
      assert.isAtMost(new Set(sizes).size, 3)
      assert.strictEqual(statSync(join(folder, "long", "markers.jsonl")).size, 0)
    })

    it("leave what is known as it was told, whatever the game does with its values", async () => {
      const run = started("values", 3600)
      answer = says(200, { hash: "h", configuration: { price: 5, items: ["sword"], deep: { gems: [3] } } })
      const first = await run(shop({ spoils: true }))
      answer = says(304)
      assert.deepStrictEqual(first.told, { price: 5, items: ["sword"], deep: { gems: [3] } })
      assert.deepStrictEqual((await run(shop())).told, first.told)
    })

    it("tell which values are of another type than their defaults, when they come", async () => {
      const run = started("types", 3600)
      answer = says(200, { hash: "h", configuration: { price: "dear", deep: { gems: [3], coins: 2 } } })
      const defaults = { price: 1, deep: { gems: "none", coins: 1 } }
      const first = await run(shop({ defaults }))
      assert.deepStrictEqual(first.told, { price: 1, deep: { gems: "none", coins: 2 } })
      assert.sameMembers(first.problems, [
        "mismatch: price has another type than its default, which is used",
        "mismatch: deep.gems has another type than its default, which is used"
      ])
      answer = says(304)
      assert.deepStrictEqual(await run(shop({ defaults })), { told: first.told, problems: [] })
    })

    it("are answered by the later question, where the answer to an earlier one comes after it", async () => {
      const run = started("order", 3600)
      let isOvertaken = () => {}
      const overtaken = new Promise<void>((done) => (isOvertaken = done))
      answer = async ({ context }) => {
        const { level } = context.properties
        if (level === 1) await overtaken.then(() => pause(300))
        else setTimeout(isOvertaken)
        return [200, {}, { hash: `h${level}`, configuration: { price: level } }]
      }
      const { told } = await run(shop({ properties: { level: 1 }, later: { level: 2 } }))
      assert.deepStrictEqual(told, { price: 2 })
      answer = says(503)
      assert.deepStrictEqual((await run(shop())).told, { price: 2 })
    })
  })
