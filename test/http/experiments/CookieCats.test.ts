import { assert, beforeAll, describe, it } from "@effect/vitest"
import { SqliteStores } from "../../../src/app/Layers.ts"
import { cookieCats, type Player } from "../../support/experiments/CookieCats.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { testApp } from "../../support/TestApp.ts"

const hour = 3_600_000
const day = 24 * hour
const begun = Date.now() - 20 * day

const partsOf = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

const uuid = (id: string, kind: number) => `${String(kind).padStart(8, "0")}-0000-4000-8000-${id.padStart(12, "0")}`

const close = (actual: number, expected: number, digits: number) =>
  assert.approximately(actual, expected, 0.5 * 10 ** -digits)

describe("the published test of Cookie Cats, its 90,189 players and their groups brought in", () => {
  const { request } = testApp(SqliteStores)
  let lab: Laboratory
  // oxlint-disable-next-line typescript/no-explicit-any
  let results: any

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
    const headers = { ...lab.studio.cookie, environment_id: String(lab.studio.development) }
    const players = cookieCats()
    const metrics = [1, 7].map((day) => ({
      id: `day${day}`,
      name: `Day ${day}`,
      type: "retention",
      marker: "Login",
      day
    }))
    const { experiment, path } = await lab.begin({
      autoAssignment: false,
      startsAt: new Date(begun).toISOString(),
      groups: [
        { name: "gate_30", weight: 5000, isControl: true },
        { name: "gate_40", weight: 5000 }
      ],
      metrics: { goals: metrics }
    })
    const groupOf = ({ gate }: Player) =>
      experiment.groups.find(({ name }: { name: string }) => name === gate).id as number
    for (const part of partsOf(players, 10_000)) {
      const items = part.map((player) => ({
        distinctId: player.id,
        groupId: groupOf(player),
        at: new Date(begun).toISOString()
      }))
      const imported = await request("POST", `${path}/assignments/import`, {
        headers: { ...headers, "content-type": "application/json" },
        raw: JSON.stringify(items)
      })
      assert.deepStrictEqual(imported.body, { importedCount: part.length, rejectedCount: 0, rejected: [] })
    }
    const markerOf = ({ id }: Player, kind: number, after: number, more: object) =>
      JSON.stringify({
        markerId: uuid(id, kind),
        timestamp: new Date(begun + after).toISOString(),
        userId: id,
        ...more
      })
    const markers = players.flatMap((player) => [
      markerOf(player, 0, hour, {
        type: "$exposure",
        value: { experimentId: experiment.id, groupId: groupOf(player) }
      }),
      ...(player.day1 ? [markerOf(player, 1, day + 2 * hour, { type: "Login" })] : []),
      ...(player.day7 ? [markerOf(player, 7, 7 * day + 2 * hour, { type: "Login" })] : [])
    ])
    const sent = await lab.game.fill(markers.join("\n"))
    assert.deepStrictEqual(
      [sent.status, sent.body.ingestedMarkersCount],
      [200, markers.length],
      sent.text.slice(0, 500)
    )
    results = (await lab.call("GET", `${path}/results`)).body
  }, 300_000)

  it("counts 44,700 and 45,489 players, and warns of the sample ratio", () => {
    assert.deepStrictEqual(
      results.exposures.map(({ units }: { units: number }) => units),
      [44_700, 45_489]
    )
    close(results.srm.chiSquare, 6.9024, 4)
    close(results.srm.pValue, 0.0086, 4)
    assert.strictEqual(results.srm.verdict, "warning")
  })

  it.each([
    ["day1", 0.448188, 0.442283, -1.7841, 0.07441],
    ["day7", 0.190201, 0.182, -3.1641, 0.001556]
  ])("finds the published retention of %s", (id, before, after, statistic, pValue) => {
    const metric = results.metrics.find((each: { id: string }) => each.id === id)
    const [gate30, gate40] = metric.groups
    close(gate30.mean, before, 6)
    close(gate40.mean, after, 6)
    const [comparison] = metric.comparisons
    close(comparison.frequentist.statistic, statistic, 4)
    assert.approximately(comparison.frequentist.pValue, pValue, 5e-6)
    const [low, high] = comparison.sequential.interval
    const [tightLow, tightHigh] = comparison.frequentist.interval
    assert.isTrue(low < tightLow && tightLow < tightHigh && tightHigh < high)
  })
})
