import { assert, describe, it } from "@effect/vitest"
import type { Studio } from "../support/access/Studio.ts"
import { mintKey, openStudio } from "../support/access/Studio.ts"
import { fetchRequest, gamekeeper, startServer, withFolder } from "../support/Server.ts"

const day = 86_400_000

/** Starts the server on the folder for the time of the work. */
const whileServing = async <A>(folder: string, work: (request: ReturnType<typeof fetchRequest>) => Promise<A>) => {
  const server = await startServer(folder, ["--retention-days", "400"])
  const done = await work(fetchRequest(server.url))
  assert.strictEqual((await server.stop()).code, 0)
  return done
}

const environmentOf = ({ applicationId, development }: Studio) =>
  `/application/${applicationId}/environments/${development}`

describe("the doctor", () => {
  it("C4: proves that nothing past retention is on disk, or says what is", () =>
    withFolder(async (folder) => {
      const studio = await whileServing(folder, async (request) => {
        const opened = await openStudio(request, "ada")
        const authorization = await mintKey(request, opened, { type: "public" })
        const markers = [1, 50, 100].map((days) => ({
          type: days === 100 ? "Rare" : "Often",
          timestamp: new Date(Date.now() - days * day).toISOString()
        }))
        const headers = { authorization, environment: "development" }
        const sent = await request("POST", "/sdk/v1/markers", { headers, body: { markers } })
        assert.strictEqual(sent.body.ingestedMarkersCount, 3)
        return opened
      })
      const doctor = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
        gamekeeper(["doctor", "--data", folder, ...args], env).ended
      const kept = (text: string) => `environment ${studio.development} keeps markers for ${text}`
      const oldest = /the oldest is of \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/.source

      const shallow = await doctor(["--retention-days", "30"])
      assert.deepStrictEqual([shallow.code, shallow.out.includes("keeps markers")], [0, false])

      for (const good of [await doctor(["--deep", "--retention-days", "101"]), await doctor(["--deep"])]) {
        assert.strictEqual(good.code, 0, good.out)
        assert.match(good.out, new RegExp(`^ok   Nothing older is on disk: ${kept("(101|400) days")}, ${oldest}$`, "m"))
        assert.notInclude(good.out, "BAD")
      }

      const old = ["--deep", "--retention-days", "30"]
      for (const bad of [await doctor(old), await doctor(["--deep"], { GAMEKEEPER_RETENTION_DAYS: "30" })]) {
        assert.strictEqual(bad.code, 1)
        const found = new RegExp(
          `^BAD  2 markers are past retention by more than a day: ${kept("30 days")}, ${oldest};`,
          "m"
        )
        assert.match(bad.out, found)
        assert.match(bad.err, /^gamekeeper: 1 of \d+ checks failed\n$/)
      }

      await whileServing(folder, (request) =>
        request("PATCH", environmentOf(studio), { headers: studio.cookie, body: { retentionDays: 200 } })
      )
      assert.include((await doctor(old)).out, kept("200 days"))
      assert.strictEqual((await doctor(old)).code, 0)

      await whileServing(folder, (request) =>
        request("PATCH", environmentOf(studio), { headers: studio.cookie, body: { markerRetentionDays: { Rare: 60 } } })
      )
      const rare = await doctor(old)
      assert.strictEqual(rare.code, 1)
      assert.include(rare.out, `BAD  1 markers are past retention by more than a day: ${kept("200 days (Rare: 60)")}`)
    }))
})
