import { assert, describe, it } from "@effect/vitest"
import type { Answer } from "../support/App.ts"
import { complaint, operationOf } from "./Contract.ts"

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: new Headers({
    "content-type": "application/json",
    "x-content-type-options": "nosniff",
    "x-request-id": "1",
    "cache-control": "no-store",
    ...headers
  }),
  text: body === undefined ? "" : JSON.stringify(body),
  body
})

const uncontrolled = (given: Answer): Answer => {
  given.headers.delete("cache-control")
  return given
}

const role = {
  id: 1,
  organizationId: 1,
  name: "Nothing",
  description: null,
  type: "custom",
  permissions: [],
  memberCount: 0,
  createdAt: "2026-11-20T10:00:00.000Z",
  updatedAt: "2026-11-20T10:00:00.000Z"
}
const path = "/organization/1/v2/roles/1"
const missing = { statusCode: 404, code: "ROLE_NOT_FOUND", error: "Not Found", message: "No" }
const game = { statusCode: 401, code: "UNAUTHENTICATED", error: "Unauthorized", message: "No" }

type Case = readonly [said: string, method: string, path: string, answer: Answer, complaint: RegExp | null]

const cases: ReadonlyArray<Case> = [
  ["an answer as declared", "GET", path, answer(200, role), null],
  ["a refusal as declared", "GET", path, answer(404, missing), null],
  ["a refusal as declared, to a game", "GET", "/sdk/v2/status", answer(401, { ...game, errorCode: game.code }), null],
  ["no body as declared", "DELETE", path, answer(204, undefined), null],
  ["a field more", "GET", path, answer(200, { ...role, secret: 1 }), /secret/],
  ["a field less", "GET", path, answer(200, { ...role, memberCount: undefined }), /memberCount/],
  ["a field of another type", "GET", path, answer(200, { ...role, id: "1" }), /id/],
  ["another status", "GET", path, answer(201, role), /roles\.get answers 201, which is not declared/],
  ["another content type", "GET", path, answer(200, role, { "content-type": "text/plain" }), /content type/],
  ["a body where none is declared", "DELETE", path, answer(204, {}), /with a body/],
  ["a failure of the server", "GET", path, answer(500, { ...missing, statusCode: 500 }), /^status 500/],
  ["a code of another status", "GET", path, answer(404, { ...missing, statusCode: 400 }), /other status/],
  [
    "a code that is not declared",
    "GET",
    path,
    answer(404, { ...missing, code: "GONE" }),
    /GONE, which is not declared/
  ],
  ["an envelope with more", "GET", path, answer(404, { ...missing, stack: "" }), /stack/],
  ["an empty message", "GET", "/nowhere", answer(404, { ...missing, message: "" }), /no envelope/],
  ["no errorCode for a game", "GET", "/sdk/v2/status", answer(401, game), /no errorCode/],
  ["an answer that a cache may keep", "GET", path, uncontrolled(answer(200, role)), /roles\.get does not say/],
  ["no nosniff", "GET", path, answer(200, role, { "x-content-type-options": "" }), /nosniff/]
]

describe("the judge of answers", () => {
  it.each(cases)("judges %s", (_, method, asked, given, expected) => {
    const found = complaint(method, asked, given)
    if (expected === null) assert.isUndefined(found)
    else assert.match(found ?? "", expected)
  })

  it.each([
    ["GET", "/organization/7/v2/roles/8", "roles.get"],
    ["GET", "/%6frganization/7/v2/roles/8/", "roles.get"],
    ["GET", "/users/personal-access-tokens;a=b?c=d", "personalTokens.list"],
    ["GET", "/application/1/v2/experiments/analytics-catalog", "experiments.catalog"],
    ["GET", "/application/1/v2/experiments/5", "experiments.get"],
    ["POST", "/application/1/v2/experiments/5", undefined],
    ["GET", "/organization//v2/roles", undefined],
    ["GET", "/ORGANIZATION/7/v2/roles/8", undefined]
  ])("knows that %s %s is %s", (method, asked, name) => {
    assert.strictEqual(operationOf(method, asked)?.name, name)
  })
})
