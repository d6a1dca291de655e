import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { createHash } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { openGuarded } from "../../src/adapters/sqlite/events/file/EventsDb.ts"
import { verify } from "../../src/adapters/sqlite/events/file/Verification.ts"
import { runCount } from "../support/Runs.ts"
import { seeded } from "../support/Seeded.ts"
import { fetchRequest, gamekeeper, startServer, withFolder } from "../support/Server.ts"
import type { Studio } from "../support/access/Studio.ts"
import { mintKey, openStudio } from "../support/access/Studio.ts"

/** Each moment twice. */
const kills = runCount(10)
const sealAt = 65_536
const connections = 4
const perBatch = 250
const types = ["Level", "Buy", "Quit"]
const started = Date.now() - 3_600_000
const random = seeded(20)

/** A unit of its own for each marker: as many units as markers means that none is there twice. */
const bodyOf = (batch: number): string =>
  JSON.stringify({
    markers: Array.from({ length: perBatch }, (_, at) => ({
      markerId: createHash("md5").update(`${batch} ${at}`).digest("hex"),
      timestamp: started + batch,
      eventName: types[at % types.length],
      distinctId: `unit ${batch} ${at}`,
      properties: { batch, at, half: at / 2 }
    }))
  })

interface Ledger {
  next: number
  readonly open: Set<number>
}

/** Sends batches over several connections until the server is gone; those that were not acknowledged stay open. */
const stream = async (url: string, authorization: string, ledger: Ledger): Promise<void> => {
  const again = [...ledger.open]
  const headers = { authorization, "content-type": "application/json", environment: "production" }
  const connection = async () => {
    for (;;) {
      const batch = again.shift() ?? ledger.next++
      ledger.open.add(batch)
      try {
        const answer = await fetch(`${url}/sdk/v1/markers`, { method: "POST", headers, body: bodyOf(batch) })
        const { ingestedMarkersCount: fresh, duplicateMarkersCount: repeated } = (await answer.json()) as any
        if (answer.status === 200) {
          assert.strictEqual(fresh + repeated, perBatch)
          ledger.open.delete(batch)
        }
      } catch {
        return
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
}

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Waits until the file holds what is wanted of it. */
const until = async (events: string, sql: string, least: number): Promise<void> => {
  const db = new Database(events, { readonly: true })
  const count = db.prepare<[], { n: number | null }>(sql)
  for (let look = 0; look < 12_000 && (count.get()?.n ?? 0) < least; look++) await sleep(10)
  assert.isAtLeast(count.get()?.n ?? 0, least, sql)
  db.close()
}

/** When to kill: into sealing, that is once the tail is long, and once a segment more is there, when others are made or merged. */
const moments: ReadonlyArray<(events: string) => Promise<void>> = [
  () => sleep(30 + random() * 400),
  () => sleep(30 + random() * 400),
  () => sleep(30 + random() * 800),
  (events) => until(events, "select sum(events) n from tail", sealAt).then(() => sleep(random() * 400)),
  (events) => {
    const db = new Database(events, { readonly: true })
    const last = db.prepare<[], { n: number | null }>("select max(id) n from segment").get()?.n ?? 0
    db.close()
    return until(events, "select max(id) n from segment", last + 1).then(() => sleep(random() * 100))
  }
]

const counts = async (url: string, studio: Studio, name: ReadonlyArray<string>) => {
  const answer = await fetchRequest(url)(
    "POST",
    `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`,
    {
      headers: { ...studio.cookie, environment_id: String(studio.production) },
      body: {
        time: { step: "month", timezone: "UTC", relative: { step: "month", value: 2 } },
        metrics: ["totalEvents", "uniqueUsers"].map((type) => ({ id: type, data: { type, name } }))
      }
    }
  )
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.body.series.map(({ aggregate }: { aggregate: number }) => aggregate)
}

/** Changes every column of the newest segment of a type, and deletes the checksums of pages, so that those of columns are looked at. */
const damage = (events: string, type: string, change: (data: Uint8Array) => Uint8Array): number => {
  const db = new Database(events)
  const segment = db.prepare<[string], { id: number }>("select max(id) as id from segment where type = ?").get(type)
  const columns = db
    .prepare<[number], { id: number; data: Uint8Array }>("select id, data from segment_column where id / 65536 = ?")
    .all(segment?.id ?? 0)
  assert.isAbove(columns.length, 4)
  for (const { id, data } of columns)
    db.prepare("update segment_column set data = ? where id = ?").run(change(data), id)
  db.close()
  rmSync(`${events}-sums`, { force: true })
  return segment?.id ?? 0
}

it(
  "The built server, killed again and again, keeps what it acknowledged, and lives with a damaged segment",
  { timeout: 900_000 },
  () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      const events = join(data, "events.sqlite")
      const start = () => startServer(data, ["--rate-limits", "off"])
      const ledger: Ledger = { next: 0, open: new Set() }

      const first = await start()
      const studio = await openStudio(fetchRequest(first.url), "ada")
      const key = await mintKey(fetchRequest(first.url), studio, { type: "public" })
      await first.stop()

      for (let kill = 0; kill < kills; kill++) {
        const server = await start()
        const streamed = stream(server.url, key, ledger)
        await moments[kill % moments.length]?.(events)
        server.process.kill("SIGKILL")
        await Promise.all([streamed, server.ended])
      }
      const { db, guard } = openGuarded(events, assert.fail)
      const { problems, segments } = verify(db)
      guard.finish(db)
      guard.close()
      assert.deepStrictEqual(problems, [])
      assert.isAbove(segments, 0)

      const server = await start()
      for (const batch of ledger.open) {
        const headers = { authorization: key, environment: "production" }
        const sent = await fetchRequest(server.url)("POST", "/sdk/v1/markers", {
          headers,
          body: JSON.parse(bodyOf(batch))
        })
        assert.strictEqual(sent.status, 200, sent.text)
      }
      const total = ledger.next * perBatch
      assert.deepStrictEqual(await counts(server.url, studio, types), [total, total])
      const catalogue = await fetchRequest(server.url)(
        "GET",
        `/application/${studio.applicationId}/analytics/v1/markers/types`,
        { headers: { ...studio.cookie, environment_id: String(studio.production) } }
      )
      const known: ReadonlyArray<{ readonly name: string; readonly count30d: number }> = catalogue.body
      assert.strictEqual(
        known.reduce((sum, { name, count30d }) => sum + (types.includes(name) ? count30d : 0), 0),
        total
      )
      const [rest] = await counts(server.url, studio, ["Quit"])
      const [, levels] = await counts(server.url, studio, ["Level"])
      await server.stop()
      const sound = await gamekeeper(["doctor", "--deep", "--data", data]).ended
      assert.strictEqual(sound.code, 0, sound.out)
      assert.match(sound.out, /ok {3}All \d+ segments and 0 batches of markers are sound/)

      const flipped = damage(events, "Level", (bytes) => bytes.map((byte, at) => (at === 2 ? byte ^ 4 : byte)))
      const truncated = damage(events, "Buy", (bytes) => bytes.subarray(0, bytes.length - 2))
      const { code, out } = await gamekeeper(["doctor", "--deep", "--data", data]).ended
      assert.strictEqual(code, 1)
      const named = out.split("\n").filter((line) => line.startsWith("BAD"))
      assert.strictEqual(named.length, 2, out)
      assert.match(
        out,
        new RegExp(`BAD  events.sqlite: Segment ${flipped} \\(environment \\d+, Level\\): .* wrong checksum`)
      )
      assert.match(
        out,
        new RegExp(`BAD  events.sqlite: Segment ${truncated} \\(environment \\d+, Buy\\): .* cut short`)
      )
      const damaged = await start()
      assert.deepStrictEqual(await counts(damaged.url, studio, ["Quit"]), [rest, rest])
      const [, left] = await counts(damaged.url, studio, ["Level"])
      assert.isTrue(left < levels && left > 0, `${left} of ${levels}`)
      const more = await fetchRequest(damaged.url)("POST", "/sdk/v1/markers", {
        headers: { authorization: key, environment: "production" },
        body: JSON.parse(bodyOf(ledger.next))
      })
      assert.strictEqual(more.body.ingestedMarkersCount, perBatch)
      await damaged.stop()
    })
)
