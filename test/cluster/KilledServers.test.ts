import { assert, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { openStudio, type Studio } from "../support/access/Studio.ts"
import { withAddresses } from "../support/cluster/Addresses.ts"
import { type Game, gameOf } from "../support/game/Game.ts"
import { eventually } from "../support/Npm.ts"
import { seeded } from "../support/Seeded.ts"
import { fetchRequest, gamekeeper, startServer, withFolder } from "../support/Server.ts"

type Server = Awaited<ReturnType<typeof startServer>>

const kills = 5
const connections = 2
const perBatch = 50
const types = ["Level", "Buy", "Quit"]
const started = Date.now() - 3_600_000
const random = seeded(14)

/** A unit of its own for each marker: as many units as markers means that none is there twice. */
const bodyOf = (batch: number): string =>
  JSON.stringify({
    markers: Array.from({ length: perBatch }, (_, at) => ({
      markerId: createHash("md5").update(`${batch} ${at}`).digest("hex"),
      timestamp: started + batch,
      eventName: types[at % types.length],
      distinctId: `unit ${batch} ${at}`,
      properties: { batch, at }
    }))
  })

/** What was sent to both servers: a batch that one of them did not acknowledge is sent again to whichever comes first. */
class Ledger {
  private next = 0
  private readonly again: Array<number> = []
  /** Markers that were acknowledged as new ones. */
  fresh = 0

  take(): number {
    return this.again.shift() ?? this.next++
  }

  putBack(batch: number): void {
    this.again.push(batch)
  }

  get sent(): number {
    return this.next * perBatch
  }

  get hasOpen(): boolean {
    return this.again.length > 0
  }
}

/** One of the servers, as it is now, with the batches it has acknowledged. */
interface Place {
  server: Server | undefined
  acknowledged: number
}

/** Sends batches to a place, whoever serves there, until it is told to end and none is open. */
const stream = async (place: Place, key: string, ledger: Ledger, hasEnded: () => boolean): Promise<void> => {
  const headers = { authorization: key, "content-type": "application/json", environment: "production" }
  while (!hasEnded() || ledger.hasOpen) {
    if (place.server === undefined) {
      await sleep(10)
      continue
    }
    const batch = ledger.take()
    const sent = fetch(`${place.server.url}/sdk/v1/markers`, { method: "POST", headers, body: bodyOf(batch) })
    const answer = await sent
      .then(async (response) => ({ status: response.status, body: (await response.json()) as any }))
      .catch(() => undefined)
    if (answer === undefined) {
      ledger.putBack(batch)
      continue
    }
    const { ingestedMarkersCount: fresh, duplicateMarkersCount: repeated } = answer.body
    assert.deepStrictEqual([answer.status, fresh + repeated], [200, perBatch], JSON.stringify(answer.body))
    ledger.fresh += fresh
    place.acknowledged++
  }
}

const acknowledgesMore = (place: Place, batches: number) => {
  const wanted = place.acknowledged + batches
  return eventually("further batches are acknowledged", () => (place.acknowledged >= wanted ? true : undefined))
}

const countsAt = async ({ url }: Server, studio: Studio) => {
  const call = {
    headers: { ...studio.cookie, environment_id: String(studio.production) },
    body: {
      time: { step: "month", timezone: "UTC", relative: { step: "month", value: 2 } },
      metrics: ["totalEvents", "uniqueUsers"].map((type) => ({ id: type, data: { type, name: types } }))
    }
  }
  const path = `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`
  const answer = await fetchRequest(url)("POST", path, call)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.body.series.map(({ aggregate }: { readonly aggregate: number }) => aggregate)
}

/** What a game is told. */
const polledAt = async ({ url }: Server, { publicKey }: Game) => {
  const answer = await fetchRequest(url)("GET", "/sdk/v2/configurations?configuration=main", {
    headers: { authorization: publicKey, environment: "production" }
  })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.body
}

it(
  "Two built servers over PostgreSQL and ClickHouse lose and double nothing while one of them is killed again and again",
  { timeout: 900_000 },
  () =>
    withFolder((folder) =>
      withAddresses(async (env) => {
        const start = () => startServer(folder, [], env)
        const other = await start()
        const survivor: Place = { server: other, acknowledged: 0 }
        const killed: Place = { server: await start(), acknowledged: 0 }
        const studio = await openStudio(fetchRequest(other.url), "ada")
        const game = await gameOf(fetchRequest(other.url), studio)
        const path = `/application/${studio.applicationId}/v2/configuration`
        const made = await fetchRequest(other.url)("POST", path, {
          headers: studio.cookie,
          body: { name: "main", isPrimary: true, configuration: { speed: 0 } }
        })
        assert.strictEqual(made.status, 201, made.text)
        let hash: string = made.body.hash
        const publish = async (speed: number) => {
          const body = { baseHash: hash, reason: "r", changes: [{ op: "set", path: ["speed"], value: speed }] }
          const changed = await fetchRequest(other.url)("PATCH", `${path}/${made.body.id}`, {
            headers: studio.cookie,
            body
          })
          assert.strictEqual(changed.status, 200, changed.text)
          hash = changed.body.hash
        }

        const ledger = new Ledger()
        let hasEnded = false
        const streams = [survivor, killed].flatMap((place) =>
          Array.from({ length: connections }, () => stream(place, game.publicKey, ledger, () => hasEnded))
        )
        const rounds = async () => {
          for (let kill = 1; kill <= kills; kill++) {
            await acknowledgesMore(killed, 3)
            await sleep(random() * 100)
            const victim = killed.server
            killed.server = undefined
            victim?.process.kill("SIGKILL")
            await victim?.ended
            await acknowledgesMore(survivor, 5)
            await publish(kill)
            const polled = await polledAt(other, game)
            assert.deepStrictEqual(polled.configuration, { speed: kill })
            killed.server = await start()
            assert.deepStrictEqual(await polledAt(killed.server, game), polled)
          }
          await acknowledgesMore(killed, 3)
          hasEnded = true
        }
        await Promise.all([rounds(), ...streams])

        const restarted = killed.server ?? assert.fail("the killed server was not started again")
        const { sent } = ledger
        assert.isAtMost(ledger.fresh, sent)
        assert.deepStrictEqual(await countsAt(restarted, studio), [sent, sent])
        assert.deepStrictEqual(await countsAt(other, studio), [sent, sent])
        const doctor = await gamekeeper(["doctor", "--deep"], env).ended
        assert.strictEqual(doctor.code, 0, doctor.out)
        const ends = [await restarted.stop(), await other.stop()]
        assert.deepStrictEqual(
          ends.map(({ code }) => code),
          [0, 0]
        )
      })
    )
)
