import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { ServerStateRepo } from "../../../src/ports/game/ServerStateRepo.ts"
import { ErasureRepo } from "../../../src/ports/operations/ErasureRepo.ts"
import type { Studio } from "../access/Studio.ts"
import { gameOf } from "../game/Game.ts"
import type { Listening } from "../game/Listening.ts"

/** A request that writes into both stores, and how much of it is stored. */
export interface Write {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: object
  /** "nothing", "whole", or what is there of the one without the other. */
  readonly look: () => Promise<string>
}

const minute = 60_000
const either = (isWhole: boolean, isNothing: boolean, found: unknown): string =>
  isWhole ? "whole" : isNothing ? "nothing" : JSON.stringify(found)

/** What makes, of every request that writes into both stores, a new one in the studio's development environment. */
export const writesOf = async (server: Listening, studio: Studio) => {
  const game = await gameOf(server.request, studio)
  let serial = 0

  const session = () => ({ ...studio.cookie, environment_id: String(studio.development) })
  const call = (method: string, path: string, body?: object) =>
    server.request(method, path, { headers: session(), ...(body === undefined ? {} : { body }) })

  const marker = (type: string, unitId: string, properties: object = {}) => ({
    markerId: crypto.randomUUID(),
    timestamp: Date.now() - minute,
    type,
    userId: unitId,
    properties
  })

  /** A link, and interactions of players who followed it. */
  const clicked = async (count: number) => {
    const links = `/application/${studio.applicationId}/deeplinks`
    const body = { name: `Link ${++serial}`, type: "web_url", redirectUrl: "https://studio.example" }
    const { id, slug } = (await call("POST", links, body)).body
    const interactions: Array<string> = []
    for (let n = 0; n < count; n++) {
      const { headers } = await server.request("GET", `/d/${slug}`, { headers: { "user-agent": "Mozilla/5.0 (X11)" } })
      interactions.push(new URL(headers.get("location") ?? "").searchParams.get("gk_click") ?? "")
    }
    const conversions = async (): Promise<number> =>
      (await call("GET", `${links}/${id}/conversions`)).body.totals.conversions
    return { interactions, conversions }
  }

  const types = (environmentId: number) =>
    server.run(
      Effect.flatMap(EventStore, (events) =>
        events.ask<"types">(EnvironmentId.make(environmentId), { kind: "types", plan: { now: Date.now() } })
      )
    )

  const markersSent = async (): Promise<Write> => {
    const { interactions, conversions } = await clicked(4)
    const unit = `unit ${++serial}`
    const markers = interactions.map((gk_click, n) => marker("Login", `${unit}.${n}`, { gk_click }))
    const known = async (n: number) =>
      (await call("GET", `/application/${studio.applicationId}/players/${encodeURIComponent(`${unit}.${n}`)}`)).status
    return {
      method: "POST",
      path: "/sdk/v1/markers",
      headers: { authorization: game.publicKey, environment: "development" },
      body: { markers },
      look: async () => {
        const stored = (await Promise.all(markers.map((_each, n) => known(n)))).filter((status) => status === 200)
        const found = [stored.length, await conversions()]
        return either(found.join() === "4,4", found.join() === "0,0", found)
      }
    }
  }

  const reported = async (): Promise<Write> => {
    const serverId = `server-${++serial}`
    const before = await game.count("$serverState")
    return {
      method: "POST",
      path: `/sdk/v1/servers/roblox/${serverId}`,
      headers: { authorization: game.publicKey, environment: "development", sdkversion: "4.2.0", serverid: serverId },
      body: { players: [1], metadata: { fps: 60 } },
      look: async () => {
        const state = await server.run(
          Effect.flatMap(ServerStateRepo, (states) => states.find(EnvironmentId.make(studio.development), serverId))
        )
        const found = [(await game.count("$serverState")) - before, Option.isSome(state)]
        return either(found.join() === "1,true", found.join() === "0,false", found)
      }
    }
  }

  const erased = async (): Promise<Write> => {
    const { interactions, conversions } = await clicked(1)
    const unit = `gone-${++serial}`
    await game.send([marker("Login", unit, { gk_click: interactions[0] }), marker("Level", unit)], {
      environment: "development"
    })
    const cohorts = `/application/${studio.applicationId}/analytics/v1/cohorts`
    const list = { name: "Guests", kind: "static", unitIds: [unit, "other"] }
    const guests = (await call("GET", cohorts)).body.find(({ name }: { readonly name: string }) => name === list.name)
    const { id } = (
      await (guests === undefined ? call("POST", cohorts, list) : call("PUT", `${cohorts}/${guests.id}`, list))
    ).body
    const path = `/application/${studio.applicationId}/players/${unit}`
    assert.strictEqual((await call("GET", path)).body.markerCount, 3)
    return {
      method: "DELETE",
      path,
      headers: session(),
      look: async () => {
        const open = await server.run(Effect.flatMap(ErasureRepo, ({ unfinished }) => unfinished))
        const members = (await call("GET", `${cohorts}/${id}/members`)).body.items.length
        const markers = (await call("GET", path)).body.markerCount ?? 0
        const found = [markers, await conversions(), members, open.length]
        return either(found.join() === "0,0,1,0", found.join() === "3,1,2,0", found)
      }
    }
  }

  const filledEnvironment = async (applicationId: number) => {
    const name = `Stage ${++serial}`
    const { id } = (await call("POST", `/application/${applicationId}/environments`, { name })).body
    const event = { ...marker("Seen", "x"), unitId: "x", sessionId: null, serverId: null, arguments: {} }
    await server.run(
      Effect.flatMap(EventStore, (events) =>
        events.append(EnvironmentId.make(id), Date.now(), [
          { ...event, receivedAt: Date.now(), clamped: false, properties: {}, position: null }
        ])
      )
    )
    const look = async (isThere: () => Promise<boolean>) => {
      const found = [await isThere(), (await types(id)).answer.length]
      return either(found.join() === "false,0", found.join() === "true,1", found)
    }
    return { id, look }
  }

  const environmentRemoved = async (): Promise<Write> => {
    const { id, look } = await filledEnvironment(studio.applicationId)
    const environments = `/application/${studio.applicationId}/environments`
    const isThere = async () =>
      (await call("GET", environments)).body.some((each: { readonly id: number }) => each.id === id)
    return { method: "DELETE", path: `${environments}/${id}`, headers: session(), look: () => look(isThere) }
  }

  const projectRemoved = async (): Promise<Write> => {
    const projects = `/organization/${studio.organizationId}/projects`
    const created = await call("POST", projects, { name: `Game ${++serial}`, timezone: "UTC" })
    const { look } = await filledEnvironment(created.body.id)
    const path = `/application/${created.body.id}`
    const isThere = async () => (await call("GET", path)).status === 200
    return { method: "DELETE", path, headers: session(), look: () => look(isThere) }
  }

  const retentionChanged = async (): Promise<Write> => {
    const days = 10 + (++serial % 300)
    const path = `/application/${studio.applicationId}/environments/${studio.production}`
    const environments = `/application/${studio.applicationId}/environments`
    const kept = async () => {
      const version = await server.run(
        Effect.flatMap(EventStore, (events) => events.version(EnvironmentId.make(studio.production)))
      )
      return Math.round((Date.now() - (version.keptFrom ?? 0)) / 86_400_000)
    }
    const stored = async (): Promise<number | null> =>
      (await call("GET", environments)).body.find((each: { readonly id: number }) => each.id === studio.production)
        .retentionDays
    const before = [await stored(), await kept()]
    return {
      method: "PATCH",
      path,
      headers: session(),
      body: { retentionDays: days },
      look: async () => {
        const found = [await stored(), await kept()]
        return either(found.join() === `${days},${days}`, found.join() === before.join(), found)
      }
    }
  }

  const cohort = (method: string) => async (): Promise<Write> => {
    const cohorts = `/application/${studio.applicationId}/analytics/v1/cohorts`
    const name = `Cohort ${++serial}`
    const list = (unitIds: ReadonlyArray<string>) => ({ name, kind: "static", unitIds })
    const id = method === "POST" ? null : (await call("POST", cohorts, list(["a"]))).body.id
    const named = async () =>
      (await call("GET", cohorts)).body.filter((each: { readonly name: string }) => each.name === name)
    return {
      method,
      path: id === null ? cohorts : `${cohorts}/${id}`,
      headers: session(),
      ...(method === "DELETE" ? {} : { body: list(["a", "b", "c"]) }),
      look: async () => {
        const [record] = await named()
        if (record === undefined) return method === "POST" ? "nothing" : "whole"
        const members = (await call("GET", `${cohorts}/${record.id}/members`)).body.items.length
        const found = [record.status, record.memberCount, members]
        const isWhole = method !== "DELETE" && found.join() === "ready,3,3"
        return either(isWhole, method !== "POST" && found.join() === "ready,1,1", found)
      }
    }
  }

  return {
    markers: markersSent,
    report: reported,
    erasure: erased,
    environment: environmentRemoved,
    project: projectRemoved,
    retention: retentionChanged,
    newList: cohort("POST"),
    changedList: cohort("PUT"),
    removedList: cohort("DELETE")
  }
}

export type Writes = Awaited<ReturnType<typeof writesOf>>
