import { assert, it } from "@effect/vitest"
import { memoryStorage } from "../../src/sdk/node.ts"

it("a storage in memory has the texts that were written last: a server asks for one player after the other, for months", async () => {
  const storage = memoryStorage()
  const text = "x".repeat(1024 * 1024)
  for (let n = 0; n < 6; n++) await storage.write(`player-${n}`, text)
  const kept = await Promise.all(Array.from({ length: 6 }, (_, n) => storage.read(`player-${n}`)))
  assert.deepStrictEqual(
    kept.map((each) => each?.length ?? 0),
    [0, 0, ...Array.from({ length: 4 }, () => text.length)]
  )
})
