import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { ConfigurationId } from "../../../src/domain/Ids.ts"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"
import { refused } from "../../support/Caller.ts"
import { configurationsOf, link } from "../../support/configuration/Configurations.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import type { Stores } from "../../support/TestApp.ts"
import { testApp } from "../../support/TestApp.ts"

/** Stores in which something happens once, before the configuration is read for the first time from then on. */
const interposed = (store: Stores) => {
  let awaited: { readonly id: ConfigurationId; readonly happens: () => Promise<unknown> } | null = null
  const before = (id: ConfigurationId) =>
    Effect.suspend(() => {
      if (awaited?.id !== id) return Effect.void
      const { happens } = awaited
      awaited = null
      return Effect.promise(happens)
    })
  const watched = Layer.effect(
    ConfigurationRepo,
    Effect.map(ConfigurationRepo, (inner) =>
      ConfigurationRepo.of({ ...inner, find: (...asked) => Effect.zipRight(before(asked[1]), inner.find(...asked)) })
    )
  )
  return {
    stores: watched.pipe(Layer.provideMerge(store)),
    beforeRead: (id: ConfigurationId, happens: () => Promise<unknown>) => {
      awaited = { id, happens }
    },
    hasHappened: () => awaited === null
  }
}

describe.each(stores)(
  "a configuration that is copied to another environment while others write, over %s",
  (_, store) => {
    const world = interposed(store)
    const { request } = testApp(world.stores)
    let studio: Studio
    let call: ReturnType<typeof configurationsOf>
    let there: Record<string, string>

    beforeAll(async () => {
      studio = await openStudio(request, "ada")
      call = configurationsOf(request, studio)
      there = { environment_id: String(studio.development) }
    })

    /** A configuration that links to another, which the other environment has too. */
    const linked = async (name: string) => {
      const target = (await call("POST", "", { name: `${name} target`, configuration: { gold: 5 } })).body
      await call("POST", "", { name: `${name} target`, configuration: { gold: 7 } }, there)
      const source = (await call("POST", "", { name, configuration: { price: link(target.id, ["gold"]) } })).body
      return { target, source }
    }

    const copied = (id: number) => call("POST", `/${id}/copy`, { environmentId: studio.development })

    it("is copied as it then is, where its link and what it led to go", async () => {
      const { target, source } = await linked("Shop")
      world.beforeRead(target.id, async () => {
        await call("PATCH", `/${source.id}`, { changes: [{ op: "set", path: ["price"], value: 5 }] })
        assert.strictEqual((await call("DELETE", `/${target.id}`)).status, 204)
      })
      const { status, body, text } = await copied(source.id)
      assert.isTrue(world.hasHappened())
      assert.deepStrictEqual([status, body.configuration], [201, { price: 5 }], text)
    })

    it("is not there any more, where it is deleted itself", async () => {
      const { target, source } = await linked("Market")
      world.beforeRead(target.id, async () => {
        assert.strictEqual((await call("DELETE", `/${source.id}`)).status, 204)
        assert.strictEqual((await call("DELETE", `/${target.id}`)).status, 204)
      })
      refused(await copied(source.id), 404, "CONFIGURATION_NOT_FOUND")
      assert.isTrue(world.hasHappened())
      const names = (await call("GET", "s", undefined, there)).body.map(({ name }: { name: string }) => name)
      assert.notInclude(names, "Market")
    })
  }
)
