import { spawn } from "node:child_process"
import { join } from "node:path"
import { mintKey, openStudio } from "../access/Studio.ts"
import { fetchRequest, root, startServer } from "../Server.ts"
import { flakyProxy } from "./FlakyProxy.ts"

export interface TortureOptions {
  readonly markers: number
  readonly kills: number
  readonly chance: () => number
}

/** Tracks markers through a proxy that harms a third of the requests, killing the game again and again; what the server has in the end. */
export const torture = async (folder: string, { markers, kills, chance }: TortureOptions) => {
  const server = await startServer(join(folder, "data"), ["--warm-up", "off"])
  const request = fetchRequest(server.url)
  const studio = await openStudio(request, "tortured")
  const key = await mintKey(request, studio, { type: "public" })
  const proxy = await flakyProxy(server.url, 0.3, chance)
  let next = 0

  /** Runs the game until it has sent everything, or has been killed. */
  const run = (killAt: number | null) =>
    new Promise<string>((ended) => {
      const start = { url: proxy.url, key, folder: join(folder, "queue"), from: next, to: markers }
      const args = ["--import", "tsx", join(root, "test/support/sdk/Tracker.ts"), JSON.stringify(start)]
      const game = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
      let out = ""
      game.stdout.on("data", (chunk: Buffer) => {
        out += chunk.toString()
        const numbers = out.match(/^\d+$/gm) ?? []
        next = Number(numbers.at(-1) ?? next)
        if (killAt !== null && next >= killAt) setTimeout(() => game.kill("SIGKILL"), chance() * 150)
      })
      game.on("close", () => ended(out))
    })

  for (let kill = 1; kill <= kills; kill++) await run(Math.floor((markers * kill) / (kills + 1)))
  const out = await run(null)
  const count = (type: string) => ({ id: type, data: { name: "Tortured", type } })
  const chart = await request("POST", `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`, {
    headers: { ...studio.cookie, environment_id: String(studio.production) },
    body: {
      time: { step: "day", relative: { step: "day", value: 2 } },
      metrics: [count("totalEvents"), count("uniqueUsers")]
    }
  })
  await proxy.close()
  await server.stop()
  return {
    isSent: out.includes("sent"),
    stored: chart.body.series.map(({ aggregate }: { aggregate: number }) => aggregate),
    harms: proxy.harms,
    requests: proxy.requests()
  }
}
