// Much of what games, analysts and importers send.
import { randomUUID } from "node:crypto"
import { connect } from "node:net"
import { atOnce, big, type Case, keys, named, post, send, times, touched } from "./Attack.ts"

const context = () => ({
  properties: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`p${n}`, "x".repeat(10_000)]))
})

const markers = (count: number, names: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => ({
    markerId: randomUUID(),
    timestamp: Date.now(),
    type: "Wide",
    userId: `u${n}`,
    value: keys(names, `${prefix}${n}_`)
  }))

const funnel = (turn: number) => ({
  time: { step: "day", from: "2026-01-01T00:00:00Z", to: new Date().toISOString() },
  steps: Array.from({ length: 20 }, (_, step) => ({ id: `s${step}`, name: ["Login", "Wide"][step % 2] })),
  conversionWindow: { step: "day", value: 1 + turn }
})

const hourMillis = 3_600_000

/** Nearly 10,000 points of a series are seen, and as many of each of thirteen others are calculated. */
const formulas = (turn: number) => ({
  time: {
    step: "hour",
    from: new Date(Date.now() - 600 * hourMillis + turn).toISOString(),
    to: new Date().toISOString()
  },
  breakdowns: [{ source: "argument", name: "level" }],
  breakdownLimit: 13,
  metrics: [
    { id: "A", visible: false, data: { name: "Login", type: "totalEvents" } },
    ...Array.from({ length: 14 }, (_, index) => ({
      id: `F${index}`,
      visible: index === 0,
      data: { type: "formula", formula: `A${"+A".repeat(480)}` }
    }))
  ]
})

export const traffic: ReadonlyArray<Case> = [
  {
    name: "evaluate with a context of 1 MiB",
    isAnonymous: false,
    attack: (attacker) =>
      times(10, (turn) =>
        post(attacker, "/sdk/v2/configurations/evaluate", {
          unit: { type: "user", distinctId: `c${turn}` },
          context: context()
        })
      )
  },
  {
    name: "1,000 markers of 64 names",
    isAnonymous: false,
    attack: (attacker) =>
      times(5, () =>
        post(attacker, "/sdk/v1/markers", {
          markers: markers(1_000, 64, "a").map((each) => ({ ...each, value: keys(64) }))
        })
      )
  },
  {
    name: "576,000 argument names",
    isAnonymous: false,
    attack: (attacker) =>
      times(12, (turn) => post(attacker, "/sdk/v1/markers", { markers: markers(800, 60, `r${turn}_`) }))
  },
  {
    name: "cohort of 90,000 ids",
    isAnonymous: false,
    attack: (attacker) =>
      times(3, () =>
        send(
          attacker,
          "POST",
          `/application/${attacker.studio.applicationId}/analytics/v1/cohorts`,
          { ...attacker.studio.cookie, environment_id: String(attacker.studio.production) },
          JSON.stringify({
            name: named("static"),
            kind: "static",
            unitIds: Array.from({ length: 90_000 }, (_, n) => `u${n}`)
          })
        )
      )
  },
  {
    name: "listings of 1 M assignments",
    isAnonymous: false,
    attack: (attacker) =>
      times(10, (turn) =>
        send(
          attacker,
          "GET",
          `/application/${attacker.studio.applicationId}/v2/experiments/${attacker.crowded}/assignments?page=${1 + turn * 900}&pageSize=100${turn % 2 === 0 ? "" : `&search=${turn}99`}`,
          attacker.studio.cookie
        )
      )
  },
  {
    name: "80 funnels at once",
    isAnonymous: false,
    attack: (attacker) =>
      atOnce(80, (turn) =>
        send(
          attacker,
          "POST",
          `/application/${attacker.studio.applicationId}/analytics/v1/queries/funnels/execute`,
          { ...attacker.studio.cookie, environment_id: String(attacker.studio.production) },
          JSON.stringify(funnel(turn))
        )
      )
  },
  {
    name: "insights of 14 formulas of 480 operations",
    isAnonymous: false,
    attack: (attacker) =>
      times(5, (turn) =>
        send(
          attacker,
          "POST",
          `/application/${attacker.studio.applicationId}/analytics/v1/queries/insights/execute`,
          { ...attacker.studio.cookie, environment_id: String(attacker.studio.production) },
          JSON.stringify(formulas(turn))
        )
      )
  },
  {
    name: "erasures of 60 players at once",
    isAnonymous: false,
    attack: (attacker) =>
      atOnce(60, (turn) =>
        send(attacker, "DELETE", `/application/${attacker.studio.applicationId}/players/u${turn}`, {
          ...attacker.studio.cookie,
          environment_id: String(attacker.studio.production)
        })
      )
  },
  {
    name: "removal of a deeplink of many clicks",
    isAnonymous: false,
    attack: async (attacker) => {
      const links = `/application/${attacker.studio.applicationId}/deeplinks`
      const removed = await send(attacker, "DELETE", `${links}/${attacker.followed}`, attacker.studio.cookie)
      // What the link had is deleted in the background.
      await new Promise((resolve) => setTimeout(resolve, 20_000))
      return [removed]
    }
  },
  {
    name: "open streams",
    isAnonymous: false,
    attack: async (attacker) => {
      const open: Array<() => void> = []
      const statuses = await atOnce(attacker.streams, () => {
        const { hostname, port } = new URL(attacker.url)
        return new Promise<number>((resolve) => {
          const socket = connect(Number(port), hostname, () =>
            socket.write(`GET /sdk/v2/stream HTTP/1.1\r\nhost: x\r\nauthorization: ${attacker.key}\r\n\r\n`)
          )
          open.push(() => socket.destroy())
          socket.once("data", (chunk) => resolve(Number(chunk.toString().slice(9, 12))))
          socket.on("error", () => resolve(0)).on("close", () => resolve(0))
        })
      })
      await times(5, (turn) => big(attacker).then((id) => touched(attacker, id, turn)))
      for (const close of open) close()
      return statuses
    }
  }
]
