import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Language } from "./OnDisk.ts"

/** How much of the configurations of many players a client that keeps them on disk keeps. */
export const copiesOnDiskTests = (language: Language) =>
  describe(`copies of the client for ${language.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "gamekeeper-copies-"))
    const queue = join(folder, "copies")
    const players: Array<ReturnType<typeof spawn>> = []
    const body = JSON.stringify({ hash: "h", configuration: { text: "x".repeat(1e6), price: 5 } })
    let isUp = true
    const server = createServer((incoming, outgoing) => {
      incoming.resume()
      incoming.on("end", () => (isUp ? outgoing.writeHead(200).end(body) : incoming.socket.destroy()))
    })
    let startOf: ReturnType<Language["made"]>

    beforeAll(async () => {
      startOf = language.made(folder)
      await once(server.listen(0, "127.0.0.1"), "listening")
    })

    afterAll(() => {
      for (const player of players) player.kill("SIGKILL")
      server.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const started = () => {
      const url = `http://127.0.0.1:${Object(server.address()).port}`
      const [command, ...args] = startOf({ url, key: "sdk_test", folder: queue, mostWaiting: 100, flushSeconds: 3600 })
      const player = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] })
      players.push(player)
      const lines = createInterface({ input: player.stdout })[Symbol.asyncIterator]()
      /** The price that a player gets: that of the server or of a copy, 5, or the default, 1. */
      const priceOf = async (number: number): Promise<unknown> => {
        const defaults = { text: 1, price: 1 }
        const command = { do: "configuration", name: "shop", player: `player ${number}`, defaults, properties: null }
        player.stdin.write(`${JSON.stringify(command)}\n`)
        const { value } = await lines.next()
        return JSON.parse(String(value).replace(/^> /, "")).told.price
      }
      return { player, priceOf }
    }

    const kept = () => readdirSync(queue).filter((name) => name.startsWith("copy-")).length

    it("are those of the last few megabytes that were written, also after a restart", async () => {
      const first = started()
      for (let number = 0; number < 7; number++) {
        assert.strictEqual(await first.priceOf(number), 5)
        // The times of files tell which was written first, and Godot tells them in seconds.
        await new Promise((done) => setTimeout(done, 1100))
      }
      assert.strictEqual(kept(), 4)
      first.player.kill("SIGKILL")
      await once(first.player, "exit")
      const again = started()
      assert.strictEqual(await again.priceOf(7), 5)
      assert.strictEqual(kept(), 4)
      isUp = false
      const prices: Array<unknown> = []
      for (const number of [3, 4, 7, 0]) prices.push(await again.priceOf(number))
      assert.deepStrictEqual(prices, [1, 5, 5, 1])
    })
  })
