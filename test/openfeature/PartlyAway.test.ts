import { ProviderEvents } from "@openfeature/web-sdk"
import { assert, describe, it } from "vitest"
import { GamekeeperWebProvider } from "../../src/openfeature/web.ts"
import { testClient } from "../support/sdk/TestClient.ts"

const experiment = {
  id: 1,
  name: "Dearer gems",
  baseConfigurationId: 1,
  groups: [{ id: 1, label: "dear", weight: 5000, changeset: { operations: [] } }]
}

describe("a page of which only some questions reach the server", () => {
  const cases = [
    ["what its player gets", "/sdk/v2/experiments/active", "evaluate"],
    ["what everybody gets", "/sdk/v2/configurations/evaluate", "configurations"]
  ] as const

  it.each(cases)("is told of a change of %s once all do", async (_, away, changing) => {
    let isAway = false
    let price = 5
    const send: typeof fetch = async (input) => {
      const { pathname } = new URL(String(input))
      if (isAway && pathname === away) throw new Error("nobody is there")
      if (pathname.endsWith("/active")) return Response.json({ hash: "1", experiments: [experiment] })
      const own = pathname.endsWith(changing) ? price : 5
      return Response.json({ hash: String(own), configurationId: 1, configuration: { price: own }, experiments: [] })
    }
    const { client } = testClient(send, {})
    const provider = new GamekeeperWebProvider(client)
    const told: Array<unknown> = []
    provider.events.addHandler(ProviderEvents.ConfigurationChanged, (details) => told.push(details?.flagsChanged))
    await provider.initialize({ targetingKey: "ada" })
    isAway = true
    price = 9
    await provider.refresh()
    isAway = false
    await provider.refresh()
    await provider.refresh()
    assert.deepStrictEqual(told, [["price"]])
    await provider.onClose()
    await client.close()
  })
})
