import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer } from "effect"
import { request as httpRequest } from "node:http"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { fortnight, specs, until } from "../../support/analytics/Analyst.ts"
import { type Listening, listening } from "../../support/game/Listening.ts"
import { stores } from "../../support/Stores.ts"
import type { Stores } from "../../support/TestApp.ts"

const bounds = { pointA: { x: 8, y: 0, z: 4 }, pointB: { x: 0, y: 10, z: 0 } }

/** What became of a question in the store. */
type Fate = "underWay" | "answered" | "cancelled"

/** A store whose questions of the halted kind stay under way; it tells what becomes of each question. */
const halting = (store: Stores) => {
  const fates: Array<Fate> = []
  let halted: string | null = null
  const watched = (events: Context.Tag.Service<EventStore>): Context.Tag.Service<EventStore> => ({
    ...events,
    ask: (environmentId, question, watch) =>
      Effect.suspend(() => {
        if (question.kind !== halted) return events.ask(environmentId, question, watch)
        const index = fates.push("underWay") - 1
        return Effect.zipLeft(events.ask(environmentId, question, watch), Effect.never).pipe(
          Effect.onExit((exit) =>
            Effect.sync(() => {
              fates[index] = Exit.isInterrupted(exit) ? "cancelled" : "answered"
            })
          )
        )
      })
  })
  return {
    stores: Layer.map(store, (all) => Context.add(all, EventStore, watched(Context.get(all, EventStore)))),
    /** From now on questions of this kind stay under way; null: of none. */
    halt: (kind: string | null) => {
      halted = kind
      fates.length = 0
    },
    fates: (): ReadonlyArray<Fate> => [...fates]
  }
}

describe.each(stores)("a question whose asker hangs up, over %s", (_, store) => {
  const world = halting(store)
  let server: Listening
  let studio: Studio
  let map: string

  beforeAll(async () => {
    server = await listening(world.stores, { retentionDays: 36_500 })
    studio = await openStudio(server.request, "ada")
    const { body } = await server.request("POST", `/application/${studio.applicationId}/analytics/v1/heatmaps`, {
      headers: studio.cookie,
      body: { name: "Map", bounds }
    })
    map = body.id
  })

  const bodies = (): Readonly<Record<string, object>> => ({
    ...specs,
    heatmap: {
      time: fortnight,
      metrics: [{ id: "A", visible: true, data: { name: "Level", type: "totalEvents" } }],
      heatmapData: { id: map }
    }
  })

  const pathOf = (page: string) => `/application/${studio.applicationId}/analytics/v1/queries/${page}/execute`

  const headers = () => ({ ...studio.cookie, environment_id: String(studio.development) })

  /** Asks on a socket of its own, and answers what closes it. */
  const ask = (page: string, body: object | undefined) => {
    const json = { ...headers(), "content-type": "application/json" }
    const outgoing = httpRequest({
      ...server.address,
      method: "POST",
      path: pathOf(page),
      headers: json,
      agent: false
    })
    outgoing.on("error", () => undefined)
    outgoing.end(JSON.stringify(body))
    return () => outgoing.destroy()
  }

  const pages = [
    ["insight", "insights"],
    ["funnel", "funnels"],
    ["retention", "retention"],
    ["heatmap", "heatmaps"]
  ] as const

  it.each(pages)("is cancelled in the store: %s", async (kind, page) => {
    const body = bodies()[kind]
    world.halt(kind)
    const hangUp = ask(page, body)
    await until(() => world.fates().length === 1)
    const hangUpToo = ask(page, body)
    await until(() => world.fates().length === 2)
    assert.deepStrictEqual(world.fates(), ["underWay", "underWay"])
    hangUp()
    await until(() => world.fates().includes("cancelled"))
    // What another asks goes on.
    assert.deepStrictEqual(world.fates().toSorted(), ["cancelled", "underWay"])
    hangUpToo()
    await until(() => !world.fates().includes("underWay"))
    assert.deepStrictEqual(world.fates(), ["cancelled", "cancelled"])
    world.halt(null)
    const again = await server.request("POST", pathOf(page), { headers: headers(), body })
    assert.strictEqual(again.status, 200, again.text)
    assert.isFalse(again.body.meta.cached)
  })
})
