import { assert, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { mintKey, openStudio } from "../support/access/Studio.ts"
import { fetchRequest, startServer, withFolder } from "../support/Server.ts"

const path = "/sdk/v1/markers"

const marker = (more: object = {}) => ({
  markerId: randomUUID(),
  timestamp: Date.now(),
  eventName: "Login",
  distinctId: "ann",
  properties: { level: 1 },
  ...more
})

const textOf = (...markers: ReadonlyArray<object>) => JSON.stringify({ markers })

/** Bodies, and the status and the number of stored markers that each is answered with. */
const cases: ReadonlyArray<readonly [name: string, body: string, status: number, stored?: number]> = [
  ["plain markers", textOf(...Array.from({ length: 100 }, () => marker())), 200, 100],
  ["a new type", textOf(marker({ eventName: "Logout" })), 200, 1],
  ["a new name beside known ones", textOf(marker(), marker({ properties: { level: 2, boss: "é" } })), 200, 2],
  ["texts that are no ASCII", textOf(marker({ distinctId: "Zoë", properties: { boss: "Ü" } })), 200, 1],
  ["a rejected marker", textOf(marker(), { eventName: "" }), 200, 1],
  ["none but rejected markers", textOf({ eventName: "" }), 400],
  ["no JSON", `${textOf(marker())}}`, 400],
  ["no list", JSON.stringify({ events: [] }), 400],
  ["more than is given away unread", textOf(marker({ properties: { boss: "x".repeat(7000) } })), 200, 1],
  [
    "many large ones",
    textOf(...Array.from({ length: 12 }, () => marker({ properties: { boss: "x".repeat(7000) } }))),
    200,
    12
  ]
]

describe("bodies of markers, which go to the writer's thread and may come back", () => {
  it(
    "are answered as they deserve, whoever reads them, also many at a time",
    () =>
      withFolder(async (folder) => {
        const server = await startServer(join(folder, "data"))
        const request = fetchRequest(server.url)
        const studio = await openStudio(request, "ada")
        const headers = {
          authorization: await mintKey(request, studio, { type: "public" }),
          environment: "production",
          "content-type": "application/json"
        }
        const send = (raw: string) => request("POST", path, { headers, raw })
        for (let turn = 0; turn < 3; turn++) assert.strictEqual((await send(textOf(marker()))).status, 200)
        const told = async ([name, body, status, stored]: (typeof cases)[number]) => {
          const answer = await send(body)
          assert.strictEqual(answer.status, status, `${name}: ${answer.text}`)
          if (stored === undefined) return
          assert.strictEqual(answer.body.ingestedMarkersCount, stored, name)
          assert.strictEqual((await send(body)).body.duplicateMarkersCount, stored, `${name}, again`)
        }
        for (const each of cases) await told(each)
        const fresh = (body: string) => body.replaceAll(/"markerId":"[^"]*"/g, () => `"markerId":"${randomUUID()}"`)
        const many = Array.from({ length: 8 }, () =>
          cases.map(([name, body, ...answer]) => [name, fresh(body), ...answer] as const)
        )
        await Promise.all(many.flat().map(told))
        assert.strictEqual((await server.stop()).code, 0)
      }),
    300_000
  )
})
