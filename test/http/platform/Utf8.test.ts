import { assert, beforeAll, describe, it } from "@effect/vitest"
import { refused } from "../../support/Caller.ts"
import { type Game, gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio, type Studio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const { request } = testApp(stores[0][1])

/** Bytes of a text in which each character is a byte. */
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"))

const json = { "content-type": "application/json" }
const lines = { "content-type": "application/x-ndjson" }
const long = "x".repeat(70_000)
const now = new Date().toISOString()

describe("a body that is no UTF-8", () => {
  let studio: Studio
  let game: Game
  let places: Readonly<Record<string, string>>

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
    const application = `/application/${studio.applicationId}`
    const configuration = `${application}/v2/configuration`
    const { body } = await request("POST", configuration, { headers: studio.cookie, body: { name: "Shop" } })
    const experiment = await request("POST", `${application}/v2/experiments`, {
      headers: studio.cookie,
      body: {
        name: "Shop",
        unitType: "user",
        assignmentMode: "weightedHash",
        baseConfigurationId: body.id,
        groups: ["a", "b"].map((name) => ({ name, weight: 5000 }))
      }
    })
    places = {
      configuration,
      cohorts: `${application}/analytics/v1/cohorts`,
      assignments: `${application}/v2/experiments/${experiment.body.id}/assignments/import`,
      fill: `${application}/analytics/v1/markers/import`,
      signIn: "/users/auth/signin",
      evaluate: "/sdk/v2/configurations/evaluate",
      bulk: "/sdk/v2/experiments/assignments/bulk",
      markers: "/sdk/v1/markers"
    }
  })

  const headersTo = (place: string): Record<string, string> => {
    if (["evaluate", "bulk", "markers"].includes(place)) return { authorization: game.publicKey }
    const authorization = `Bearer ${game.secretKey}`
    const environment = { environment_id: String(studio.development) }
    if (place === "fill") return { authorization, ...environment }
    return place === "cohorts" ? { ...studio.cookie, ...environment } : studio.cookie
  }

  it.each([
    ["configuration", json, '{"name":"a\xff"}'],
    ["configuration", json, `{"name":"a","description":"${long}\xff"}`],
    ["configuration", json, '{"name\xff":"a"}'],
    ["cohorts", json, '{"name":"a","kind":"static","unitIds":["\xc3"]}'],
    ["assignments", json, '[{"distinctId":"a\xff","groupId":1}]'],
    ["assignments", lines, '{"distinctId":"a\xff","groupId":1}\n'],
    ["fill", json, `[{"timestamp":"${now}","type":"Spoiled\xff"}]`],
    ["fill", lines, `{"timestamp":"${now}","type":"Spoiled\xff"}\n`],
    ["fill", lines, `{"timestamp":"${now}","type":"Spoiled"}\n\xe2\x82`],
    ["signIn", json, '{"email":"ada@studio.test","password":"\xff"}'],
    ["evaluate", json, '{"unit":{"type":"user","distinctId":"a\xff"}}'],
    ["bulk", json, '{"unitType":"user","units":[{"distinctId":"a\xff"}]}'],
    ["markers", json, `{"markers":[{"timestamp":"${now}","type":"Spoiled\xff","userId":1}]}`]
  ])("is refused: %s %o %s", async (place, headers, text) => {
    const sent = { headers: { ...headers, ...headersTo(place) }, raw: bytesOf(text) }
    const answer = await request("POST", places[place] ?? "", sent)
    const { errorCode = "MALFORMED_JSON", ...body } = answer.body
    refused({ ...answer, body }, 400, errorCode)
    assert.match(answer.body.message, /^The body is not valid UTF-8(; markers that came before may be stored)?$/)
  })

  it("is none where it holds any character", async () => {
    const text = JSON.stringify({ name: "Käse € 🧀 \uFFFD" })
    const sent = { headers: { ...json, ...studio.cookie }, raw: new TextEncoder().encode(text) }
    const answer = await request("POST", places["configuration"] ?? "", sent)
    assert.deepStrictEqual([answer.status, answer.body.name], [201, "Käse € 🧀 \uFFFD"])
  })
})
