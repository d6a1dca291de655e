import { assert, beforeAll, describe, it } from "@effect/vitest"
import { request as httpRequest } from "node:http"
import { PasswordStrengthNode } from "../../../src/adapters/node/PasswordStrength.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { until } from "../../support/analytics/Analyst.ts"
import { type Listening, listening, silent } from "../../support/game/Listening.ts"
import { type Write, type Writes, writesOf } from "../../support/operations/TwoStoreWrites.ts"
import { phased } from "../../support/Phases.ts"
import { stores } from "../../support/Stores.ts"
import { passwordWorker } from "../../support/Workers.ts"

const kinds: ReadonlyArray<readonly [string, keyof Writes]> = [
  ["markers with their conversions", "markers"],
  ["a report of a game server", "report"],
  ["the erasure of a player", "erasure"],
  ["the removal of an environment", "environment"],
  ["the removal of a project", "project"],
  ["a change of retention", "retention"],
  ["a new list", "newList"],
  ["a changed list", "changedList"],
  ["the removal of a list", "removedList"]
]

describe.each(stores)("G1: a caller that hangs up, over %s", (_, store) => {
  const phases = phased(store)
  let server: Listening
  let writes: Writes

  beforeAll(async () => {
    server = await listening(phases.stores, {}, silent, PasswordStrengthNode(passwordWorker))
    writes = await writesOf(server, await openStudio(server.request, "ada"))
  })

  /** Sends the request on a socket of its own, which is closed once the request is in that phase; false where it has fewer phases. */
  const hangUpIn = async (phase: number, { method, path, headers, body }: Write) => {
    phases.halt(phase)
    let isAnswered = false
    const json: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" }
    const outgoing = httpRequest({ ...server.address, method, path, headers: { ...headers, ...json }, agent: false })
    outgoing.on("error", () => undefined)
    outgoing.on("response", (message) => {
      message.resume()
      message.on("end", () => (isAnswered = true))
    })
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
    await until(() => isAnswered || phases.isHalted())
    outgoing.destroy()
    // A server that answers what came later has noticed that the caller is gone.
    for (let asked = 0; asked < 2; asked++) await server.request("GET", "/health")
    return { isAnswered, calls: await phases.release() }
  }

  it.each(kinds)("G1: leaves the whole or nothing of %s, whatever phase it hangs up in", async (_name, kind) => {
    const found = new Set<string>()
    for (let phase = 0; ; phase++) {
      const write = await writes[kind]()
      assert.strictEqual(await write.look(), "nothing")
      const { isAnswered, calls } = await hangUpIn(phase, write)
      const left = await write.look()
      assert.include(["nothing", "whole"], left, `after ${calls.join(" ")}, hung up in phase ${phase}`)
      found.add(left)
      if (!isAnswered) continue
      assert.strictEqual(left, "whole")
      assert.isAbove(phase, 2)
      break
    }
    assert.deepStrictEqual([...found].sort(), ["nothing", "whole"])
  })
})
