import { spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { MemoryStores } from "../../src/app/Layers.ts"
import { mintKey, openStudio, type Studio } from "../support/access/Studio.ts"
import { testApp } from "../support/TestApp.ts"
import { dearShop } from "./Shop.ts"

const app = testApp(MemoryStores)

interface Told {
  readonly told: unknown
  readonly problems: ReadonlyArray<string>
}

const bodyOf = async (message: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const part of message) text += String(part)
  return text
}

/** A game that reads a command a line and prints an answer a line, which may have "> " before it. */
export interface Game {
  readonly url: string
  readonly key: string
  readonly folder: string
  readonly mostWaiting: number
  readonly flushSeconds: number
}

export interface Language {
  readonly name: string
  /** Makes the game in the folder; answers how it is started. */
  readonly made: (folder: string) => (game: Game) => readonly [command: string, ...args: ReadonlyArray<string>]
}

/** Each kind of kept file, restart, refusal and absence, of a client that keeps what waits on disk. */
export const clientOnDiskTests = (language: Language) =>
  describe(`the client for ${language.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "gamekeeper-client-"))
    let startOf: ReturnType<Language["made"]>
    let state: "up" | "down" | "foreign" | number = "up"
    let asked: Array<{ readonly path: string; readonly body: string }> = []
    const answered: Array<string> = []
    let studio: Studio
    let key = ""
    let url = ""

    /** What stands between the client and the server: it may refuse, or hang up. */
    const between = createServer((incoming, outgoing) => {
      void bodyOf(incoming).then(async (body) => {
        asked.push({ path: incoming.url ?? "", body })
        if (state === "down") return incoming.socket.destroy()
        // A network that asks people to sign in, or a server that stands in its place.
        if (state === "foreign") return outgoing.writeHead(200).end('{"status":"ok"}')
        if (typeof state === "number") return outgoing.writeHead(state, { "retry-after": "7" }).end()
        const headers = Object.fromEntries(
          ["authorization", "environment", "content-type"].flatMap((name) => {
            const value = incoming.headers[name]
            return typeof value === "string" ? [[name, value]] : []
          })
        )
        const answer = await app.request(incoming.method ?? "", incoming.url ?? "", {
          headers,
          ...(body === "" ? {} : { raw: body })
        })
        answered.push(answer.text)
        return outgoing.writeHead(answer.status).end(answer.text)
      })
    })

    const players: Array<ReturnType<typeof spawn>> = []

    /** A game with the client over a folder of its own, or over that of an earlier one. */
    const started = (name: string, { mostWaiting = 100, flushSeconds = 3600 } = {}) => {
      const queue = join(folder, name)
      const [command, ...args] = startOf({ url, key, folder: queue, mostWaiting, flushSeconds })
      const player = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] })
      players.push(player)
      const lines = createInterface({ input: player.stdout })[Symbol.asyncIterator]()
      return {
        queue: join(queue, "markers.jsonl"),
        waiting: () => readFileSync(join(queue, "markers.jsonl"), "utf8").split("\n").length - 1,
        run: async (command: Record<string, unknown>): Promise<Told> => {
          player.stdin.write(`${JSON.stringify(command)}\n`)
          const { value } = await lines.next()
          return JSON.parse(String(value).replace(/^> /, ""))
        },
        kill: async () => {
          player.kill("SIGKILL")
          await once(player, "exit")
        }
      }
    }

    const track = (player: string | null, name: string, properties: unknown = null) => ({
      do: "track",
      name,
      player,
      properties
    })

    const playersWith = async (name: string): Promise<number> => {
      const { body } = await app.request(
        "POST",
        `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`,
        {
          headers: { ...studio.cookie, environment_id: String(studio.production) },
          body: {
            time: { step: "day", relative: { step: "day", value: 2 } },
            metrics: [{ id: "A", data: { name, type: "totalEvents" } }]
          }
        }
      )
      return body.series[0].aggregate
    }

    beforeAll(async () => {
      startOf = language.made(folder)
      studio = await openStudio(app.request, "client")
      key = await mintKey(app.request, studio, { type: "public" })
      const headers = { ...studio.cookie, environment_id: String(studio.production) }
      const made = await app.request("POST", `/application/${studio.applicationId}/v2/configuration`, {
        headers,
        body: { name: "shop", configuration: { price: 5, title: 'Schön "🗝"', items: ["sword"], deep: { gems: 3 } } }
      })
      await app.request("POST", `/application/${studio.applicationId}/v2/experiments`, {
        headers,
        body: dearShop(made.body.id)
      })
      between.listen(0, "127.0.0.1")
      await once(between, "listening")
      url = `http://127.0.0.1:${Object(between.address()).port}/`
    })

    afterAll(() => {
      for (const player of players) player.kill("SIGKILL")
      between.close()
      rmSync(folder, { recursive: true, force: true })
    })

    it("sends markers once, with texts of any kind, and tells which was refused", async () => {
      const game = started("once")
      await game.run(track("ada", "Bought", { item: 'a "sword" \\ 🗡', price: 5.5, on: true, tags: ["a"] }))
      await game.run(track(null, "Bought"))
      await game.run(track("ada", ""))
      const { problems } = await game.run({ do: "flush" })
      assert.strictEqual(problems.length, 1)
      assert.match(problems[0] ?? "", /^rejected: /)
      assert.deepStrictEqual([game.waiting(), await playersWith("Bought")], [0, 2])
    })

    it("keeps markers on disk over a kill, and sends them with the same ids", async () => {
      state = "down"
      const killed = started("killed")
      await killed.run(track("ada", "Survived"))
      await killed.run(track("bob", "Survived"))
      asked = []
      const { problems } = await killed.run({ do: "flush" })
      assert.match(problems[0] ?? "", /^unreachable: /)
      await killed.kill()
      appendFileSync(killed.queue, '{"markerId":"cut')
      state = "up"
      const again = started("killed")
      assert.deepStrictEqual((await again.run({ do: "flush" })).problems, [])
      assert.strictEqual(asked.at(-1)?.body, asked[0]?.body)
      assert.deepStrictEqual([again.waiting(), await playersWith("Survived")], [0, 2])
    })

    it("takes no more than may wait, and nothing that has no JSON", async () => {
      const game = started("full", { mostWaiting: 1 })
      assert.strictEqual((await game.run(track("ada", "Odd", { odd: 1 }))).told, false)
      assert.strictEqual((await game.run(track("ada", "Full"))).told, true)
      const { told, problems } = await game.run(track("ada", "Full"))
      assert.deepStrictEqual([told, problems[0]?.split(":")[0]], [false, "full"])
    })

    it("halves what is too large for somebody on the way, and keeps what a busy server did not take", async () => {
      const game = started("large")
      for (let n = 0; n < 3; n++) await game.run(track("ada", "Large"))
      state = 429
      assert.match((await game.run({ do: "flush" })).problems.join(), /^unreachable/)
      assert.strictEqual(game.waiting(), 3)
      state = 413
      asked = []
      assert.strictEqual((await game.run({ do: "flush" })).problems.length, 3)
      assert.deepStrictEqual([asked.length > 3, game.waiting()], [true, 0])
      state = "up"
    })

    it("keeps markers where somebody else answers in the place of the server", async () => {
      const game = started("foreign")
      await game.run(track("ada", "Foreign"))
      state = "foreign"
      assert.match((await game.run({ do: "flush" })).problems.join(), /^unreachable/)
      state = "up"
      assert.deepStrictEqual((await game.run({ do: "flush" })).problems, [])
      assert.deepStrictEqual([game.waiting(), await playersWith("Foreign")], [0, 1])
    })

    it("lays configurations over the defaults, asks with the hash that it has, and has the last copy after a restart", async () => {
      const defaults = { price: 1, title: "Shop", items: ["bow"], deep: { gems: "none", coins: 2 }, more: true }
      const ask = (player: string | null, level: number | null) => ({
        do: "configuration",
        name: "shop",
        player,
        defaults,
        properties: level === null ? null : { level }
      })
      const shop = { price: 5, title: 'Schön "🗝"', items: ["sword"], deep: { gems: "none", coins: 2 }, more: true }
      const game = started("values")
      assert.deepStrictEqual((await game.run(ask(null, null))).told, shop)
      asked = []
      assert.deepStrictEqual(await game.run(ask(null, null)), { told: shop, problems: [] })
      assert.match(asked[0]?.path ?? "", /&hash=/)
      assert.deepStrictEqual((await game.run(ask("ada", 9))).told, { ...shop, price: 15 })
      assert.deepStrictEqual((await game.run(ask("bob", 2))).told, shop)
      assert.deepStrictEqual(
        answered
          .map((text) => /"exposureProxyRecorded":(true|false)/.exec(text)?.[1])
          .filter((each) => each !== undefined),
        ["true"]
      )
      await game.kill()
      state = "down"
      const offline = started("values")
      assert.deepStrictEqual((await offline.run(ask("ada", 9))).told, { ...shop, price: 15 })
      const stranger = await offline.run(ask("eve", 9))
      assert.deepStrictEqual(stranger.told, defaults)
      assert.match(stranger.problems[0] ?? "", /^unreachable: /)
      state = "up"
    })

    it("sends by itself, and again where the server was away", async () => {
      state = "down"
      asked = []
      const game = started("itself", { flushSeconds: 0.1 })
      await game.run(track("ada", "Itself"))
      const sent = game.run({ do: "wait" })
      await vi.waitFor(() => assert.isNotEmpty(asked), { timeout: 50_000, interval: 20 })
      state = "up"
      assert.strictEqual((await sent).problems.length, 1)
      assert.strictEqual(await playersWith("Itself"), 1)
    })
  })
