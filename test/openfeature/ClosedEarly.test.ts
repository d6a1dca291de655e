import { assert, describe, it } from "vitest"
import { GamekeeperProvider } from "../../src/openfeature/server.ts"
import { GamekeeperWebProvider } from "../../src/openfeature/web.ts"
import { testClient } from "../support/sdk/TestClient.ts"

const nextTurn = () => new Promise((done) => setImmediate(done))

const providers = [
  ["servers", GamekeeperProvider],
  ["pages", GamekeeperWebProvider]
] as const

describe("a provider that is closed before it has begun", () => {
  it.each(providers)("hears nothing of what is published afterwards: %s", async (_, Provider) => {
    const asked: Array<string> = []
    const waiting: Array<() => void> = []
    const send: typeof fetch = async (input) => {
      asked.push(new URL(String(input)).pathname)
      await new Promise<void>((answered) => waiting.push(answered))
      return Response.json({ hash: "1", configurationId: 1, configuration: {}, experiments: [] })
    }
    const { client } = testClient(send, { stream: true })
    const provider = new Provider(client)
    const begun = provider.initialize()
    await nextTurn()
    await provider.onClose()
    for (const answered of waiting) answered()
    await begun
    await nextTurn()
    assert.deepStrictEqual(asked, ["/sdk/v2/configurations", "/sdk/v2/experiments/active"])
    await client.close()
  })
})
