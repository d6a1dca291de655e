import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { gzipSync } from "node:zlib"
import { checkOf, problemsOf } from "../../../schema/Checks.ts"
import { optional } from "../../../schema/Optional.ts"
import { CreateConfiguration } from "../../../schema/configuration/ConfigurationRecord.ts"
import { flawOf, surveyOf } from "../../../src/http/platform/Flaws.ts"
import { refused } from "../../support/Caller.ts"
import { endpoints } from "../../support/Endpoints.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio, type Studio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const { request } = testApp(stores[0][1])

const kibibyte = 1024
const lists = (bytes: number) => `[${"[],".repeat(Math.floor((bytes - 4) / 3))}[]]`
const signIn = (padding: number) => JSON.stringify({ email: "ada@studio.test", password: "x".repeat(padding) })
const fieldsOf = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1])))
const json = { "content-type": "application/json" }
const gzip = { ...json, "content-encoding": "gzip" }

describe("E1: a caller without a credential", () => {
  it.each([
    ["a body of 16 KiB", signIn(16 * kibibyte - 43), {}, 400, "VALIDATION_FAILED"],
    ["a longer one", signIn(16 * kibibyte), {}, 413, "PAYLOAD_TOO_LARGE"],
    ["a longer one, as its length says", "{}", { "content-length": "16385" }, 413, "PAYLOAD_TOO_LARGE"],
    ["gzip", gzipSync(signIn(10)), gzip, 415, "UNSUPPORTED_MEDIA_TYPE"],
    [
      "gzip under its older name",
      gzipSync(signIn(10)),
      { "content-encoding": "X-GZIP" },
      415,
      "UNSUPPORTED_MEDIA_TYPE"
    ],
    ["a list of lists in gzip", gzipSync(lists(kibibyte ** 2)), gzip, 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["a list of lists", lists(15 * kibibyte), {}, 400, "VALIDATION_FAILED"]
  ])("is answered to %s", async (_, raw, headers, status, code) => {
    for (const path of ["/users/auth/signin", "/users/auth/signup"]) {
      refused(await request("POST", path, { raw, headers: { ...json, ...headers } }), status, code)
    }
  })
})

const open = endpoints().filter(
  ({ kinds, payload, rawBody, method }) => kinds.length === 0 && payload !== undefined && !rawBody && method !== "GET"
)

describe("E1: whoever needs no credential", () => {
  it.each(open.map(({ method, path }) => [method, path.replaceAll(/:\w+/g, "1")] as const))(
    "is told of %s %s that a body is too long, or must come plain, before it is read",
    async (method, path) => {
      const of = (raw: string | Uint8Array, headers: Record<string, string>) =>
        request(method, path, { raw, headers: { ...json, ...headers } })
      refused(await of("{}", { "content-length": "16385" }), 413, "PAYLOAD_TOO_LARGE")
      refused(await of(gzipSync("{}"), gzip), 415, "UNSUPPORTED_MEDIA_TYPE")
    }
  )
})

describe("E1: a caller with a credential", () => {
  let studio: Studio
  const post = (raw: string | Uint8Array, headers: Record<string, string>) =>
    request("POST", `/application/${studio.applicationId}/v2/configuration`, {
      raw,
      headers: { ...headers, ...studio.cookie }
    })

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
  })

  it("may send gzip that inflates to 100 times its size, and no further", async () => {
    const fits = JSON.stringify({ name: "main", configuration: { text: "x".repeat(50 * kibibyte) } })
    assert.strictEqual((await post(gzipSync(fits), gzip)).status, 201)
    const answer = await post(gzipSync(lists(kibibyte ** 2 - 1)), gzip)
    refused(answer, 413, "PAYLOAD_TOO_LARGE")
    assert.include(answer.body.message, "100 times")
  })

  it.each([
    [
      "90,000 unknown fields",
      fieldsOf(90_000),
      400,
      "VALIDATION_FAILED",
      /^body: expected an object of at most 1000 fields$/
    ],
    ["900 unknown fields", fieldsOf(900), 400, "VALIDATION_FAILED", /; and \d+ more$/],
    ["lists in a list", lists(kibibyte ** 2 - 1), 413, "PAYLOAD_TOO_LARGE", /too many values/]
  ])("is told what is wrong with %s", async (_, raw, status, code, message) => {
    const answer = await post(raw, json)
    refused(answer, status, code)
    assert.match(answer.body.message, message)
  })
})

describe("E1: a check", () => {
  const body = Schema.Struct({ name: Schema.String, items: optional(Schema.Array(Schema.Int)) })
  const check = checkOf(body, { isStrict: true })

  it.each([
    ["unknown fields", { name: "a", ...JSON.parse(fieldsOf(5000)) }, /^k0: unknown field; .*; and at least 980 more$/],
    [
      "wrong items",
      { name: "a", items: Array.from({ length: 5000 }, () => "1") },
      /^items.0: .*; and at least 980 more$/
    ],
    ["few problems", { name: 1, items: ["1"] }, /^name: [^;]*; items.0: [^;]*$/]
  ])("stops at 1,000 problems: %s", (_, value, message) => {
    assert.match(problemsOf(check, value) ?? "", message)
  })

  it("of flaws stops at 1,000 as well", () => {
    const text = JSON.stringify(Array.from({ length: 40_000 }, () => "a\u0000b"))
    assert.match(flawOf(JSON.parse(text), surveyOf(Buffer.from(text))) ?? "", /; and at least 980 more$/)
  })
})

/** The same list, which counts how many of its items are read. */
const visitsOf = (items: ReadonlyArray<unknown>) => {
  let visits = 0
  const list = new Proxy(items, {
    get: (target, key, receiver) => {
      if (typeof key === "string" && /^\d+$/.test(key)) visits++
      return Reflect.get(target, key, receiver)
    }
  })
  return { list, count: () => visits }
}

describe("E1: 1 MiB of JSON is refused by the first look that can, and that look ends at 1,000 problems", () => {
  const check = checkOf(CreateConfiguration, { isStrict: true })

  it.each([
    ["90,000 unknown fields", fieldsOf(90_000), "fields"],
    ["lists in a list", lists(kibibyte ** 2), "values"],
    ["numbers in a list", `[${"1,".repeat(524_000)}1]`, "values"],
    ["objects in a list", `[${'{"a":1},'.repeat(130_000)}{}]`, "values"]
  ])("before it is parsed: %s", (_, text, excess) => {
    assert.strictEqual(surveyOf(Buffer.from(text)).excess, excess)
  })

  it("by the walk for flaws: a list of flawed texts", () => {
    const text = JSON.stringify(Array.from({ length: 90_000 }, () => "\u0000b"))
    const visited = visitsOf(JSON.parse(text))
    assert.isDefined(flawOf(visited.list, surveyOf(Buffer.from(text))))
    assert.isAtMost(visited.count(), 1001)
  })

  it("by the check: a long text", () => {
    const text = JSON.stringify({ name: "x".repeat(kibibyte ** 2) })
    const survey = surveyOf(Buffer.from(text))
    assert.isUndefined(survey.excess)
    assert.isUndefined(flawOf(JSON.parse(text), survey))
    assert.isDefined(problemsOf(check, JSON.parse(text)))
  })
})
