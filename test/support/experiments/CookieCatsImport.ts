import { assert } from "@effect/vitest"
import type { Request } from "../access/Studio.ts"
import type { Player } from "./CookieCats.ts"
import { cookieCats } from "./CookieCats.ts"
import type { Laboratory } from "./Laboratory.ts"

const hour = 3_600_000
const day = 24 * hour

const partsOf = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

const uuid = (id: string, kind: number) => `${String(kind).padStart(8, "0")}-0000-4000-8000-${id.padStart(12, "0")}`

const retention = (day: number, name: string) => ({ id: `day${day}`, name, type: "retention", marker: "Login", day })

/** Brings the published test into a laboratory: the experiment, all players with their groups, and what they did. It began 20 days ago. */
export const importCookieCats = async (lab: Laboratory, request: Request) => {
  const begun = Date.now() - 20 * day
  const at = new Date(begun).toISOString()
  const players = cookieCats()
  const { experiment, path } = await lab.begin({
    name: "Where the first gate stands",
    autoAssignment: false,
    startsAt: at,
    groups: [
      { name: "gate_30", label: "Gate at level 30", weight: 5000, isControl: true },
      { name: "gate_40", label: "Gate at level 40", weight: 5000 }
    ],
    metrics: { goals: [retention(1, "One-day retention"), retention(7, "Seven-day retention")] }
  })
  const groupOf = ({ gate }: Player): number =>
    experiment.groups.find(({ name }: { readonly name: string }) => name === gate).id
  const headers = {
    ...lab.studio.cookie,
    environment_id: String(lab.studio.development),
    "content-type": "application/json"
  }
  for (const part of partsOf(players, 10_000)) {
    const items = part.map((player) => ({ distinctId: player.id, groupId: groupOf(player), at }))
    const imported = await request("POST", `${path}/assignments/import`, { headers, raw: JSON.stringify(items) })
    assert.deepStrictEqual(imported.body, { importedCount: part.length, rejectedCount: 0, rejected: [] })
  }
  const markerOf = ({ id }: Player, kind: number, after: number, more: object) =>
    JSON.stringify({ markerId: uuid(id, kind), timestamp: new Date(begun + after).toISOString(), userId: id, ...more })
  const markers = players.flatMap((player) => [
    markerOf(player, 0, hour, { type: "$exposure", value: { experimentId: experiment.id, groupId: groupOf(player) } }),
    ...(player.day1 ? [markerOf(player, 1, day + 2 * hour, { type: "Login" })] : []),
    ...(player.day7 ? [markerOf(player, 7, 7 * day + 2 * hour, { type: "Login" })] : [])
  ])
  const sent = await lab.game.fill(markers.join("\n"))
  assert.deepStrictEqual([sent.status, sent.body.ingestedMarkersCount], [200, markers.length], sent.text.slice(0, 500))
  return { experiment, path }
}
