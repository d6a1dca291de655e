import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Notices } from "../../../src/services/game/Notices.ts"
import { LiveStreams } from "../../../src/services/live/LiveStreams.ts"
import { mintKey, openStudio, type Studio } from "../../support/access/Studio.ts"
import { subscribe } from "../../support/analytics/Events.ts"
import { type Listening, listening } from "../../support/game/Listening.ts"
import { twoApps } from "../../support/operations/TwoApps.ts"
import { stores } from "../../support/Stores.ts"

/** The second says the same, but is left to the platform. */
const paths = ["/sdk/v2/stream", "/sdk/v2/stream?whole"]

describe.each(stores)("streams of an environment that is removed, over %s", (_, store) => {
  let server: Listening
  let studio: Studio
  let environments: string
  let headers: Studio["cookie"]

  beforeAll(async () => {
    server = await listening(store)
    studio = await openStudio(server.request, "ada")
    environments = `/application/${studio.applicationId}/environments`
    headers = studio.cookie
  })

  const beat = () =>
    server.run(
      Effect.zipRight(
        Effect.flatMap(Notices, (notices) => notices.beat()),
        Effect.flatMap(LiveStreams, (streams) => streams.beat())
      )
    )

  const made = async (name: string) => (await server.request("POST", environments, { headers, body: { name } })).body
  const people = (id: number) => `/application/${studio.applicationId}/stream?environmentId=${id}`

  /** Streams of games, opened in both ways, and of people, with what each is asked for with. */
  const opened = async (key: string, { id, alias }: { readonly id: number; readonly alias: string }) => {
    const asked = [
      ...paths.map((path) => [path, { authorization: key, environment: alias }] as const),
      [people(id), headers] as const
    ]
    // The short way is open to who came the whole way before.
    for (let turn = 0; turn < 2; turn++) {
      const stream = await subscribe(server, asked[0]![1])
      await stream.opened()
      stream.close()
    }
    const streams = await Promise.all(asked.map(([path, fields]) => subscribe(server, fields, path)))
    const ids = await Promise.all(streams.map((stream) => stream.opened()))
    return { asked, streams, ids }
  }

  const refusals = ({ asked, ids }: Awaited<ReturnType<typeof opened>>) =>
    Promise.all(
      asked.flatMap(([path, fields], at) =>
        [fields, { ...fields, "last-event-id": ids[at] ?? "" }].map(async (each) => {
          const { status, body } = await server.request("GET", path, { headers: each })
          return `${status} ${body.code}`
        })
      )
    )

  it("end at the next sign of life, and are refused to who comes back", async () => {
    const stage = await made("Stage")
    const key = await mintKey(server.request, studio, { type: "public", environmentIds: [stage.id, studio.production] })
    const others = await opened(key, { id: studio.production, alias: "production" })
    const doomed = await opened(key, stage)
    assert.strictEqual((await server.request("DELETE", `${environments}/${stage.id}`, { headers })).status, 204)
    assert.deepStrictEqual(await refusals(doomed), Array(6).fill("404 ENVIRONMENT_NOT_FOUND"))
    await beat()
    assert.deepStrictEqual(await Promise.all(doomed.streams.map(({ ended }) => ended)), ["end", "end", "end"])
    const again = await made("Stage")
    assert.strictEqual(again.alias, stage.alias)
    assert.deepStrictEqual(await refusals(doomed), [
      ...Array(4).fill("403 FORBIDDEN"),
      ...Array(2).fill("404 ENVIRONMENT_NOT_FOUND")
    ])
    for (const stream of others.streams) {
      for (let event = await stream.next(); !event.isComment;) event = await stream.next()
      stream.close()
    }
  })

  it("end with the whole project too", async () => {
    const home = `/organization/${studio.organizationId}/projects`
    const { id } = (await server.request("POST", home, { headers, body: { name: "Passing" } })).body
    const found = await server.request("GET", `/application/${id}/environments`, { headers })
    const { id: environmentId, alias } = found.body[0]
    const body = { type: "public", name: "passing", applicationId: id, environmentIds: [environmentId] }
    const minted = await server.request("POST", `/organization/${studio.organizationId}/api-keys`, { headers, body })
    const fields = { authorization: minted.body.token, environment: alias }
    const path = `/application/${id}/stream?environmentId=${environmentId}`
    const streams = [await subscribe(server, fields), await subscribe(server, headers, path)]
    await Promise.all(streams.map((stream) => stream.opened()))
    assert.strictEqual((await server.request("DELETE", `/application/${id}`, { headers })).status, 204)
    await beat()
    assert.deepStrictEqual(await Promise.all(streams.map(({ ended }) => ended)), ["end", "end"])
    const again = [
      await server.request("GET", paths[0]!, { headers: fields }),
      await server.request("GET", path, { headers })
    ]
    for (const { status, body } of again) assert.deepStrictEqual([status, body.code], [404, "APPLICATION_NOT_FOUND"])
  })
})

describe.each(stores)("streams of two processes over %s", (_, store) => {
  it("end at one where the environment is removed through the other", async () => {
    const { a, b } = await twoApps(store)
    const studio = await openStudio(a.request, "ada")
    const headers = studio.cookie
    const home = `/application/${studio.applicationId}/environments`
    const stage = (await a.request("POST", home, { headers, body: { name: "Stage" } })).body
    const key = await mintKey(a.request, studio, { type: "public", environmentIds: [stage.id] })
    const fields = { authorization: key, environment: stage.alias }
    const stream = await subscribe(b, fields)
    await stream.opened()
    assert.strictEqual((await a.request("DELETE", `${home}/${stage.id}`, { headers })).status, 204)
    await b.run(Effect.flatMap(Notices, (notices) => notices.beat()))
    assert.strictEqual(await stream.ended, "end")
    const { status, body } = await b.request("GET", paths[0]!, { headers: fields })
    assert.deepStrictEqual([status, body.code], [404, "ENVIRONMENT_NOT_FOUND"])
  }, 60_000)
})
