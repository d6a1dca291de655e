import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { ContextPropertyRepo } from "../../../src/ports/game/ContextPropertyRepo.ts"
import { UnitSightRepo } from "../../../src/ports/game/UnitSightRepo.ts"
import { ContextProperties } from "../../../src/services/game/ContextProperties.ts"
import { bearer } from "../../support/Caller.ts"
import { desk, hour, marker } from "../../support/analytics/PlayerDesk.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { eventually } from "../../support/Npm.ts"
import { type TwoApps, twoApps } from "../../support/operations/TwoApps.ts"
import { stores } from "../../support/Stores.ts"

describe.each(stores)("a player who is erased at A soon after a game has asked B, over %s", (_, store) => {
  let two: TwoApps
  let lab: Laboratory

  beforeAll(async () => {
    two = await twoApps(store)
    lab = await laboratoryOf(two.a.request, "ada")
  }, 60_000)

  /** Asks B what the player gets. */
  const ask = async (configuration: string, distinctId: string) => {
    const context = { schemaVersion: 1, properties: { account: distinctId } }
    const answer = await two.b.request("POST", "/sdk/v2/configurations/evaluate", {
      headers: { ...bearer(lab.game.publicKey), environment: "development" },
      body: { configuration, unit: { type: "user", distinctId }, context }
    })
    assert.strictEqual(answer.status, 200, answer.text)
  }

  /** When players were first seen, as the stores have it. */
  const sightsOf = (...distinctIds: ReadonlyArray<string>) =>
    two.run(
      Effect.flatMap(UnitSightRepo, (repo) =>
        repo.firstSeen(EnvironmentId.make(lab.studio.development), "user", distinctIds)
      )
    )

  it("is in nothing that B had yet to write", async () => {
    const { name } = await lab.configure()
    const environmentId = EnvironmentId.make(lab.studio.development)
    await lab.game.send([marker("Login", "gone", hour)])
    await ask(name, "gone")
    assert.strictEqual((await desk(two.a.request, lab.studio).erase("gone")).status, 200)
    await ask(name, "stays")
    const seen = await eventually("what B has noted", async () => {
      const found = await sightsOf("gone", "stays")
      return found.has("stays") ? [...found.keys()] : undefined
    })
    assert.deepStrictEqual(seen, ["stays"])
    await two.b.run(Effect.flatMap(ContextProperties, ({ list }) => list(environmentId)))
    const facts = await two.run(Effect.flatMap(ContextPropertyRepo, (repo) => repo.list(environmentId)))
    assert.deepStrictEqual(
      facts.map(({ values }) => values.map(([value]) => value)),
      [["stays"]]
    )
  })

  it("is seen by B for the first time when they come back, although B had kept when that was", async () => {
    const { name } = await lab.configure()
    await lab.game.send([marker("Login", "returns", hour)])
    await ask(name, "returns")
    await eventually("what B has noted", async () => ((await sightsOf("returns")).has("returns") ? true : undefined))
    const erasedFrom = Date.now()
    assert.strictEqual((await desk(two.a.request, lab.studio).erase("returns")).status, 200)
    assert.isFalse((await sightsOf("returns")).has("returns"))
    const seenAt = await eventually("the player who has come back", async () => {
      await ask(name, "returns")
      return (await sightsOf("returns")).get("returns")
    })
    assert.isAtLeast(seenAt, erasedFrom)
  })
})
