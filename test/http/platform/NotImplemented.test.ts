import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Arbitrary, FastCheck as fc, Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { CredentialKind } from "../../../schema/access/Auth.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import type { Endpoint } from "../../support/Endpoints.ts"
import { endpoints } from "../../support/Endpoints.ts"
import { notImplemented } from "../../support/NotImplemented.ts"
import { pathIn } from "../../support/analytics/Snapshot.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const folder = resolve(import.meta.dirname, "../../../src/http")

const groupIn = (source: string) => /HttpApiBuilder\.group\(Api, "(\w+)"/.exec(source)?.[1]

/** Endpoints whose handler is the one that answers 501. */
const unbuilt = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => {
    const source = readFileSync(join(folder, file), "utf8")
    const handled = [...source.matchAll(/\.handle(?:Raw)?\(\s*"(\w+)",\s*notImplemented\s*\)/g)]
    return handled.map(([, name]) => `${groupIn(source)}.${name}`)
  })

const sample = (schema: Schema.Schema<unknown, unknown>) => {
  const [value] = fc.sample(Arbitrary.make(schema), { numRuns: 1, seed: 3 })
  return Schema.encodeSync(schema)(value)
}

/** A query string that decodes. */
const queryOf = ({ urlParams }: Endpoint): string => {
  const query = new URLSearchParams()
  const values = urlParams === undefined ? {} : (sample(urlParams) as object)
  for (const [name, value] of Object.entries(values)) {
    for (const each of [value].flat()) query.append(name, String(each))
  }
  return query.toString()
}

describe("what is not built", () => {
  const { request } = testApp(MemoryStores)
  let studio: Studio
  let headersOf: Record<CredentialKind, Record<string, string>>

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    headersOf = {
      session: studio.cookie,
      personal: {},
      secret: { authorization: `Bearer ${await mintKey(request, studio, {})}` },
      public: { authorization: await mintKey(request, studio, { type: "public" }) }
    }
  })

  it("is exactly what the list names", () => {
    assert.deepStrictEqual(unbuilt.sort(), notImplemented.toSorted())
  })

  it("is declared", () => {
    const names = new Set(endpoints().map(({ name }) => name))
    assert.deepStrictEqual(
      notImplemented.filter((name) => !names.has(name)),
      []
    )
  })

  it("answers 501 in the envelope to a good request", async () => {
    for (const endpoint of endpoints()) {
      const { name, method, path, kinds, payload, rawBody } = endpoint
      if (!notImplemented.includes(name)) continue
      const address = pathIn(path, { applicationId: studio.applicationId })
      const answer = await request(method, `${address}?${queryOf(endpoint)}`, {
        headers: { environment_id: String(studio.production), ...(kinds[0] === undefined ? {} : headersOf[kinds[0]]) },
        ...(payload === undefined || rawBody ? {} : { body: sample(payload) })
      })
      assert.deepStrictEqual([answer.status, answer.body?.code], [501, "NOT_IMPLEMENTED"], `${name}: ${answer.text}`)
    }
  })
})
