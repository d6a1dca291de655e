import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ClickRepo } from "../../../src/ports/deeplinks/ClickRepo.ts"
import { EnrolmentRepo } from "../../../src/ports/experiments/EnrolmentRepo.ts"
import { desk, hour, marker } from "../../support/analytics/PlayerDesk.ts"
import { refused } from "../../support/Caller.ts"
import { deeplinkStudioOf } from "../../support/deeplinks/DeeplinkStudio.ts"
import { laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { gameOf } from "../../support/game/Game.ts"
import { heldMarkers, makeGate } from "../../support/Gate.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const [beforeStoring, afterFinding, afterEnrolling] = [makeGate(), makeGate(), makeGate()]

const heldClicks = Layer.effect(
  ClickRepo,
  Effect.map(ClickRepo, (repo) => ({ ...repo, find: (id: string) => Effect.zipLeft(repo.find(id), afterFinding.pass) }))
)

const heldEnrolments = Layer.effect(
  EnrolmentRepo,
  Effect.map(EnrolmentRepo, (repo) => ({
    enrolAll: (...all: Parameters<typeof repo.enrolAll>) => Effect.zipLeft(repo.enrolAll(...all), afterEnrolling.pass)
  }))
)

const held = Layer.mergeAll(heldMarkers(beforeStoring), heldClicks, heldEnrolments)

describe.each(stores)(
  "a player who is erased while a request is about to store something of it, over %s",
  (label, store) => {
    const { request } = testApp(Layer.merge(store, Layer.provide(held, store)), { trustProxy: true })
    let links: Awaited<ReturnType<typeof deeplinkStudioOf>>
    let game: Awaited<ReturnType<typeof gameOf>>
    let players: ReturnType<typeof desk>

    beforeAll(async () => {
      links = await deeplinkStudioOf(request, label)
      game = await gameOf(request, links.studio)
      players = desk(request, links.studio)
    })

    const erase = (unitId: string) => async () => assert.strictEqual((await players.erase(unitId)).status, 200)

    it("leaves no marker of a batch that was read before", async () => {
      const gone = `late-${label}`
      await game.send([marker("Login", gone, 2 * hour)])
      const batch = [marker("Login", gone, hour), marker("Login", `other-${label}`, hour)]
      assert.strictEqual((await beforeStoring.overtaken(() => game.send(batch), erase(gone))).status, 200)
      refused(await players.get(gone), 404, "PLAYER_NOT_FOUND")
      assert.strictEqual((await players.get(`other-${label}`)).body.markerCount, 1)
    })

    it("leaves no conversion of a link, and no marker of it", async () => {
      const gone = `converted-${label}`
      const { id, slug } = await links.define()
      const location = new URL((await links.click(slug)).headers.get("location") ?? "")
      const interactionId = location.searchParams.get("gk_click")
      const login = marker("Login", gone, 0, { deeplinkData: { id: "x", interactionId } })
      assert.strictEqual((await afterFinding.overtaken(() => game.send([login]), erase(gone))).status, 200)
      assert.deepStrictEqual((await links.conversions(id)).items, [])
      refused(await players.get(gone), 404, "PLAYER_NOT_FOUND")
    })

    it("leaves no marker of an exposure", async () => {
      const lab = await laboratoryOf(request, `lab-${label}`)
      const gone = `exposed-${label}`
      const { configuration, path } = await lab.begin()
      const inLab = desk(request, lab.studio)
      await lab.game.send([marker("Login", gone, hour)])
      await afterEnrolling.overtaken(
        () => lab.evaluate(configuration.name, gone),
        async () => assert.strictEqual((await inLab.erase(gone)).status, 200)
      )
      // Exposures are written in their order.
      await lab.evaluate(configuration.name, `other-${label}`)
      assert.deepStrictEqual(
        (await lab.exposed(path)).map(({ distinctId }) => distinctId),
        [`other-${label}`]
      )
      refused(await inLab.get(gone), 404, "PLAYER_NOT_FOUND")
    })
  }
)
