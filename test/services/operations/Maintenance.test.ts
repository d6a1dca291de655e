import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import type { Event } from "../../../src/domain/analytics/markers/Event.ts"
import type { Click } from "../../../src/domain/deeplinks/Click.ts"
import { DeeplinkId, EnvironmentId } from "../../../src/domain/Ids.ts"
import { EventStore, StoreFull } from "../../../src/ports/analytics/EventStore.ts"
import { ClickRepo } from "../../../src/ports/deeplinks/ClickRepo.ts"
import { TrustedTimes } from "../../../src/ports/operations/TrustedTimes.ts"
import { TrustedClock } from "../../../src/services/operations/TrustedClock.ts"
import { Retention } from "../../../src/services/operations/Retention.ts"
import { Maintenance } from "../../../src/services/operations/Maintenance.ts"
import { caller } from "../../support/Caller.ts"
import { gameOf } from "../../support/game/Game.ts"
import { deeplinkStudioOf } from "../../support/deeplinks/DeeplinkStudio.ts"
import { everyMarker } from "../../support/analytics/EveryMarker.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const day = 86_400_000
const retentionDays = 30

const marker = (daysAgo: number, now: number): Event => ({
  markerId: `00000000-0000-4000-8000-${String(daysAgo).replace(".", "").padStart(12, "0")}`,
  type: "Level",
  unitId: "u1",
  sessionId: null,
  serverId: null,
  timestamp: now - daysAgo * day,
  receivedAt: now,
  clamped: false,
  arguments: {},
  properties: {},
  position: null
})

describe.each(stores)("maintenance over %s", (_, store) => {
  const { request, run } = testApp(store, { retentionDays })

  const maintain = () =>
    run(
      Effect.provide(
        Effect.flatMap(Maintenance, (job) => job.run()),
        Maintenance.Default.pipe(Layer.provide(Retention.Default), Layer.provide(TrustedClock.Default))
      )
    )

  const kept = (environmentId: number) =>
    run(Effect.flatMap(EventStore, (events) => events.ask(EnvironmentId.make(environmentId), everyMarker))).then(
      ({ answer }) => answer.items.length
    )

  const put = (environmentId: number, days: ReadonlyArray<number>) =>
    run(
      Effect.gen(function* () {
        const events = yield* EventStore
        const now = yield* Clock.currentTimeMillis
        yield* events.append(
          EnvironmentId.make(environmentId),
          now,
          days.map((one) => marker(one, now))
        )
      })
    )

  it("drops what is older than the days of retention", async () => {
    const studio = await openStudio(request, "ada")
    await put(studio.production, [40, 60, 90])
    await maintain()
    assert.strictEqual(await kept(studio.production), 0)
    await put(studio.production, [1, 29])
    await maintain()
    assert.strictEqual(await kept(studio.production), 2)
  })

  it("drops it too where the disk is so full that no time can be noted: that gives room again", async () => {
    const studio = await openStudio(request, "gus")
    await put(studio.production, [40, 60])
    const full = Layer.succeed(TrustedTimes, { get: Effect.succeed(null), put: () => Effect.die(new StoreFull()) })
    const clock = TrustedClock.Default.pipe(Layer.provide(full))
    await run(
      Effect.provide(
        Effect.flatMap(Maintenance, (job) => job.run()),
        Maintenance.Default.pipe(Layer.provide(Retention.Default), Layer.provide(clock))
      )
    )
    assert.strictEqual(await kept(studio.production), 0)
  })

  it("C4: hides what is past an environment's own days at once, to the row, before anything is deleted", async () => {
    const studio = await openStudio(request, "cay")
    const call = caller(request, studio.cookie)
    const days = Array.from({ length: 30 }, (_, index) => index + 0.5)
    await put(studio.production, days)
    await put(studio.development, days)
    const path = `/application/${studio.applicationId}/environments/${studio.production}`
    const set = async (body: object) => {
      assert.strictEqual((await call("PATCH", path, body)).status, 200)
      return kept(studio.production)
    }
    assert.strictEqual(await kept(studio.production), 30)
    assert.strictEqual(await set({ retentionDays: 5 }), 5)
    assert.strictEqual(await set({ markerRetentionDays: { Level: 2, Other: 1 } }), 2)
    assert.strictEqual(await set({ markerRetentionDays: {} }), 5)
    await maintain()
    assert.strictEqual(await set({ retentionDays: null }), 5)
    assert.strictEqual(await kept(studio.development), 30)
  })

  it("keeps a click for a week beyond its window: what a player did offline in it comes later", async () => {
    const { studio, define, conversions } = await deeplinkStudioOf(request, "dee")
    const game = await gameOf(request, studio)
    const { id } = await define({ attributionWindowHours: 1 })
    const [now, hour] = [Date.now(), day / 24]
    const clickOf = (clickedAt: number): Click => {
      const facts = { visitor: "v", source: null, country: null, device: "phone" as const }
      const interactionId = crypto.randomUUID()
      return { ...facts, interactionId, deeplinkId: DeeplinkId.make(id), clickedAt, expiresAt: clickedAt + hour }
    }
    const [recent, old] = [clickOf(now - 3 * hour), clickOf(now - 8 * day)]
    await run(Effect.flatMap(ClickRepo, (clicks) => clicks.record([recent, old])))
    await maintain()
    for (const { interactionId, clickedAt } of [recent, old])
      await game.send([
        {
          markerId: crypto.randomUUID(),
          timestamp: clickedAt + hour / 2,
          eventName: "Login",
          distinctId: `player ${clickedAt}`,
          properties: { gk_click: interactionId }
        }
      ])
    const { items } = await conversions(id)
    assert.deepStrictEqual(
      items.map(({ unitId }: { unitId: string }) => unitId),
      [`player ${recent.clickedAt}`]
    )
  })

  it("drops what came to an environment after its removal", async () => {
    const studio = await openStudio(request, "bea")
    const path = `/application/${studio.applicationId}/environments`
    const call = caller(request, studio.cookie)
    const { id } = (await call("POST", path, { name: "Passing" })).body
    await call("POST", path, { name: "Staying" })
    assert.strictEqual((await call("DELETE", `${path}/${id}`)).status, 204)
    await put(id, [1, 2])
    await put(studio.production, [3])
    await maintain()
    assert.deepStrictEqual([await kept(id), await kept(studio.production)], [0, 1])
  })

  it("drops that too where what is past retention cannot be dropped, and fails in the end", async () => {
    const studio = await openStudio(request, "flo")
    const path = `/application/${studio.applicationId}/environments`
    const call = caller(request, studio.cookie)
    await call("POST", path, { name: "Staying" })
    assert.strictEqual((await call("DELETE", `${path}/${studio.development}`)).status, 204)
    await put(studio.development, [1, 2])
    const refusing = Layer.map(Layer.effect(EventStore, EventStore), (context) =>
      Context.add(context, EventStore, {
        ...Context.get(context, EventStore),
        maintain: () => Effect.dieMessage("a table cannot be read")
      })
    )
    const ended = await run(
      Effect.exit(
        Effect.provide(
          Effect.flatMap(Maintenance, (job) => job.run()),
          Maintenance.Default.pipe(
            Layer.provide(Retention.Default),
            Layer.provide(TrustedClock.Default),
            Layer.provide(refusing)
          )
        )
      )
    )
    assert.include(String(ended), "a table cannot be read")
    assert.strictEqual(await kept(studio.development), 0)
  })
})

describe.each(stores)("removal over %s", (_, store) => {
  const { request, run } = testApp(store)

  const kept = (environmentId: number) =>
    run(Effect.flatMap(EventStore, (events) => events.ask(EnvironmentId.make(environmentId), everyMarker))).then(
      ({ answer }) => answer.items.length
    )

  const sent = async (name: string) => {
    const studio = await openStudio(request, name)
    const game = await gameOf(request, studio)
    const some = [1, 2, 3].map((level) => ({ timestamp: Date.now(), eventName: "Level", properties: { level } }))
    await game.send(some)
    await game.send(some, { environment: "production" })
    return { studio, call: caller(request, studio.cookie) }
  }

  it("of an environment takes its markers with it, and no others", async () => {
    const { studio, call } = await sent("cyd")
    assert.deepStrictEqual([await kept(studio.development), await kept(studio.production)], [3, 3])
    const path = `/application/${studio.applicationId}/environments/${studio.development}`
    assert.strictEqual((await call("DELETE", path)).status, 204)
    assert.deepStrictEqual([await kept(studio.development), await kept(studio.production)], [0, 3])
  })

  it("of a project takes the markers of all its environments with it", async () => {
    const [{ studio, call }, other] = [await sent("dot"), await sent("eve")]
    assert.strictEqual((await call("DELETE", `/application/${studio.applicationId}`)).status, 204)
    assert.deepStrictEqual([await kept(studio.development), await kept(studio.production)], [0, 0])
    assert.strictEqual(await kept(other.studio.production), 3)
  })
})
