import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Either, FastCheck as fc, Option, Schema } from "effect"
import { problemsOf, checkOf } from "../../schema/Checks.ts"
import { endpoints } from "../support/Endpoints.ts"
import { bodyFrom } from "../support/Malice.ts"
import { runCount } from "../support/Runs.ts"
import { flawOf, surveyOf } from "../../src/http/platform/Flaws.ts"

const bodies = endpoints().flatMap(({ name, path, payload }) =>
  payload === undefined ? [] : [{ name, isStrict: !path.startsWith("/sdk/"), payload }]
)

const valid = (payload: Schema.Schema<unknown, unknown>, numRuns: number): ReadonlyArray<unknown> => {
  const encode = Schema.encodeOption(payload)
  return fc
    .sample(Arbitrary.make(payload), { numRuns, seed: 11 })
    .flatMap((value) => Option.toArray(encode(value)))
    .map((body): unknown => JSON.parse(JSON.stringify(body)))
}

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** What only a program would say: types and syntax of TypeScript, names of its errors. */
const ofProgrammers =
  /readonly|\bundefined\b|[{}<>|]|\bstring\b|Record<|Expected |actual |minLength|maxLength|Int\b|\(.*\)/

const example = /, for example [[{].*?[}\]](?=; |, or |$)/g

/** Messages without what clients sent, which may be anything, and without examples, which are JSON. */
const withoutPaths = (message: string): string =>
  message
    .replaceAll(example, "")
    .split("; ")
    .map((line) => line.slice(line.indexOf(": ") + 2))
    .join("; ")

const readable = fc.sample(fc.constantFrom("filter", "Name", "is_primary", "applicationIDs", "x"), 5)

describe.each(bodies)("H2: problems of $name", ({ payload, isStrict }) => {
  const check = checkOf(payload, { isStrict })

  it("has nothing against a body that decodes", () => {
    for (const body of valid(payload, runCount(40))) assert.isUndefined(problemsOf(check, body), JSON.stringify(body))
  })

  it("finds a problem exactly where decoding fails, and names it in plain words", () => {
    const decode = Schema.decodeUnknownEither(payload, isStrict ? { onExcessProperty: "error" } : {})
    for (const raw of fc.sample(bodyFrom(valid(payload, 12)), { numRuns: runCount(60), seed: 7 })) {
      const json = Buffer.from(raw)
      const body = Option.getOrUndefined(parse(json.toString()))
      if (body === undefined || flawOf(body, surveyOf(json)) !== undefined) continue
      const message = problemsOf(check, body)
      const decoded = decode(body)
      const said = JSON.stringify(body).slice(0, 600)
      if (Either.isLeft(decoded)) assert.isDefined(message, `${said}: ${decoded.left.message.slice(0, 600)}`)
      else assert.isUndefined(message, said)
      if (message !== undefined) assert.notMatch(withoutPaths(message), ofProgrammers, said)
    }
  })

  it("C1: knows every field that a body may have", () => {
    if (!isStrict) return
    for (const body of valid(payload, runCount(20))) {
      if (typeof body !== "object" || body === null || Array.isArray(body)) continue
      for (const name of readable) {
        if (name in body) continue
        const message = problemsOf(check, { ...body, [name]: 1 })
        assert.match(message ?? "", new RegExp(`(^|; )${name}: unknown field`))
      }
    }
  })
})
