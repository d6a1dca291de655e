import { HttpApi, OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Context, FastCheck as fc, Option, Predicate, Schema } from "effect"
import { readdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { Api } from "../schema/Api.ts"
import { reasons } from "../schema/Failure.ts"
import type { Envelope, Status } from "../schema/Failure.ts"
import { allPermissions } from "../src/domain/access/Permission.ts"
import { endpoints } from "./support/Endpoints.ts"

/** Every endpoint of the specification's tables, in their order. */
const specified = `
POST   /users/auth/signup
POST   /users/auth/signin
POST   /users/auth/signout
GET    /users/auth/accounts
POST   /users/auth/accounts/switch
DELETE /users/auth/accounts/:handle
GET    /users/personal-access-tokens
POST   /users/personal-access-tokens
POST   /users/personal-access-tokens/:patId/rotate
PUT    /users/personal-access-tokens/:patId/permissions
PUT    /users/personal-access-tokens/:patId/environments
PUT    /users/personal-access-tokens/:patId/projects
DELETE /users/personal-access-tokens/:patId
PUT    /organization/:organizationId/icon
GET    /organization/:organizationId/icon
DELETE /organization/:organizationId/icon
GET    /organization/:organizationId/api-keys
POST   /organization/:organizationId/api-keys
POST   /organization/:organizationId/api-keys/:apiKeyId/rotate
PUT    /organization/:organizationId/api-keys/:apiKeyId/permissions
PUT    /organization/:organizationId/api-keys/:apiKeyId/environments
PUT    /organization/:organizationId/api-keys/:apiKeyId/projects
POST   /application/:applicationId/analytics/v1/queries/heatmaps/execute
POST   /application/:applicationId/analytics/v1/queries/funnels/execute
POST   /application/:applicationId/analytics/v1/queries/insights/execute
POST   /application/:applicationId/analytics/v1/queries/retention/execute
POST   /application/:applicationId/analytics/v1/queries/:queryId/execute
POST   /application/:applicationId/analytics/v1/queries/:queryId/executions
POST   /application/:applicationId/analytics/v1/queries/:queryId/executions/state
GET    /application/:applicationId/analytics/v1/cohorts
POST   /application/:applicationId/analytics/v1/cohorts
POST   /application/:applicationId/analytics/v1/cohorts/execute
GET    /application/:applicationId/analytics/v1/cohorts/:cohortId
PUT    /application/:applicationId/analytics/v1/cohorts/:cohortId
DELETE /application/:applicationId/analytics/v1/cohorts/:cohortId
GET    /application/:applicationId/analytics/v1/cohorts/:cohortId/member-count
GET    /application/:applicationId/analytics/v1/cohorts/:cohortId/members
GET    /application/:applicationId/analytics/v1/cohorts/:cohortId/membership
GET    /application/:applicationId/analytics/v1/cohorts/:cohortId/usage
GET    /application/:applicationId/analytics/v1/markers/arguments
GET    /application/:applicationId/analytics/v1/markers/arguments/values
PUT    /application/:applicationId/analytics/v1/markers/metadata
GET    /application/:applicationId/analytics/v1/markers/properties
GET    /application/:applicationId/analytics/v1/markers/properties/values
POST   /application/:applicationId/analytics/v1/markers/raw
GET    /application/:applicationId/analytics/v1/markers/types
GET    /application/:applicationId/analytics/v1/markers/types/pending
POST   /application/:applicationId/v2/configuration
GET    /application/:applicationId/v2/configuration/:configurationId
PUT    /application/:applicationId/v2/configuration/:configurationId
DELETE /application/:applicationId/v2/configuration/:configurationId
PATCH  /application/:applicationId/v2/configuration/:configurationId
POST   /application/:applicationId/v2/configuration/:configurationId/copy
GET    /application/:applicationId/v2/configurations
GET    /application/:applicationId/deeplinks
POST   /application/:applicationId/deeplinks
GET    /application/:applicationId/deeplinks/:deeplinkId
PUT    /application/:applicationId/deeplinks/:deeplinkId
DELETE /application/:applicationId/deeplinks/:deeplinkId
GET    /application/:applicationId/deeplinks/:deeplinkId/conversions
GET    /organization/:organizationId/grants
GET    /organization/:organizationId/projects/:applicationId/grants
GET    /organization/:organizationId/v2/roles
GET    /organization/:organizationId/v2/roles/:roleId
GET    /application/:applicationId/v2/experiments
POST   /application/:applicationId/v2/experiments
GET    /application/:applicationId/v2/experiments/analytics-catalog
GET    /application/:applicationId/v2/experiments/assignment-counts
GET    /application/:applicationId/v2/experiments/context-properties
GET    /application/:applicationId/v2/experiments/:experimentId
GET    /application/:applicationId/v2/experiments/:experimentId/assignment-counts
GET    /application/:applicationId/v2/experiments/:experimentId/assignments
POST   /application/:applicationId/v2/experiments/:experimentId/assignments
POST   /application/:applicationId/v2/experiments/:experimentId/assignments/reactivate
POST   /application/:applicationId/v2/experiments/:experimentId/assignments/unenroll
POST   /application/:applicationId/v2/experiments/:experimentId/cohorts/:cohortId/retry
GET    /application/:applicationId/v2/experiments/:experimentId/members
GET    /application/:applicationId/v2/experiments/:experimentId/rollout
PATCH  /application/:applicationId/v2/experiments/:experimentId/rollout
POST   /application/:applicationId/v2/experiments/:experimentId/terminate
`

const named = [
  "CONFIGURATION_NOT_FOUND COHORT_IN_USE CREDENTIAL_NOT_ACCEPTED EMAIL_TAKEN ENVIRONMENT_NOT_FOUND ESCALATION",
  "EXPERIMENT_ENDED HASH_MISMATCH INVALID_CREDENTIALS INVALID_MARKERS LAST_OWNER MALFORMED_JSON METHOD_NOT_ALLOWED",
  "OVERLOADED PATH_LOCKED PAYLOAD_TOO_LARGE QUERY_LIMIT_EXCEEDED QUERY_TIMEOUT RATE_LIMITED",
  "ROUTE_NOT_FOUND SLOTS_EXHAUSTED STORAGE_FULL TOO_MANY_ACCOUNTS UNSUPPORTED_MEDIA_TYPE VALIDATION_FAILED"
].flatMap((line) => line.split(" "))

const linesOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.replace(/ +/, " "))

type Failure = new (fields: { readonly message: string }) => Envelope & { readonly _tag: string }

const isFailure = (value: unknown): value is Failure & { readonly name: string } =>
  Predicate.isFunction(value) && "fields" in value && "ast" in value && value.name !== "InvalidMarkers"

const contract = resolve(import.meta.dirname, "../schema")

const errorFiles = readdirSync(contract, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith("Errors.ts")
)

const errorModules: ReadonlyArray<object> = await Promise.all(errorFiles.map((file) => import(join(contract, file))))

const failures = errorModules
  .flatMap((module) => Object.values(module).filter(isFailure))
  .filter((failure) => failure.name !== "InvalidMarkers")

const duplicates = (values: ReadonlyArray<string>) => values.filter((value, at) => values.indexOf(value) !== at)

describe("the contract", () => {
  it("F6: names the permission of every endpoint, and asks for every permission that there is", () => {
    const silent = endpoints().filter(({ requirement }) => requirement === undefined)
    assert.deepStrictEqual(
      silent.map(({ name }) => name),
      []
    )
    const asked = new Set(endpoints().map(({ requirement }) => requirement?.permission))
    assert.deepStrictEqual(
      allPermissions.filter((permission) => !asked.has(permission)),
      []
    )
  })

  it("declares every endpoint of the specification", () => {
    const declared = new Set(endpoints().map(({ method, path }) => `${method} ${path}`))
    assert.deepStrictEqual(
      linesOf(specified).filter((line) => !declared.has(line)),
      []
    )
    assert.strictEqual(linesOf(specified).length, 80)
  })

  it("names every operation and every address once", () => {
    assert.deepStrictEqual(duplicates(endpoints().map(({ name }) => name)), [])
    assert.deepStrictEqual(
      duplicates(endpoints().map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ":")}`)),
      []
    )
  })

  it("says what every group and every endpoint is for", () => {
    const silent: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: ({ group }) => {
        const isDescribed =
          Option.isSome(Context.getOption(group.annotations, OpenApi.Title)) &&
          Option.isSome(Context.getOption(group.annotations, OpenApi.Description))
        if (!isDescribed) silent.push(group.identifier)
      },
      onEndpoint: ({ endpoint, group }) => {
        const summary = Option.getOrElse(Context.getOption(endpoint.annotations, OpenApi.Summary), () => "")
        if (summary === "" || summary.includes("\n")) silent.push(`${group.identifier}.${endpoint.name}`)
      }
    })
    assert.deepStrictEqual(silent, [])
  })

  it("has one failure for each code, named like it, with the phrase of its status", () => {
    const codes = failures.map((failure) => new failure({ message: "" }).code)
    assert.deepStrictEqual(duplicates(codes), [])
    for (const failure of failures) {
      const { code, statusCode, error, _tag } = new failure({ message: "" })
      assert.strictEqual(_tag, failure.name)
      assert.strictEqual(code, failure.name.replace(/(?<!^)(?=[A-Z])/g, "_").toUpperCase())
      assert.strictEqual(error, reasons[statusCode as Status])
    }
    assert.deepStrictEqual(
      named.filter((code) => ![...codes, "INVALID_MARKERS"].includes(code)),
      []
    )
  })

  it("asks for an environment on queries, cohorts and markers, and lets it be left out elsewhere", () => {
    for (const { name, headers } of endpoints()) {
      const group = name.split(".")[0] ?? ""
      if (!["queries", "cohorts", "markers"].includes(group)) continue
      assert.isDefined(headers, name)
      assert.isTrue(Option.isNone(Schema.decodeUnknownOption(headers!)({})), name)
      assert.isTrue(Option.isSome(Schema.decodeUnknownOption(headers!)({ environment_id: "3" })), name)
    }
    for (const { name, headers } of endpoints()) {
      if (headers === undefined || !/^(configurations|deeplinks|experiments|assignments|players)\./.test(name)) continue
      assert.isTrue(Option.isSome(Schema.decodeUnknownOption(headers)({})), name)
    }
  })

  it.each(endpoints().flatMap(({ name, payload }) => (payload === undefined ? [] : [[name, payload] as const])))(
    "takes back every body of %s that it can write",
    (_, payload) => {
      const write = Schema.encodeSync(payload)
      const read = Schema.decodeUnknownSync(payload)
      for (const body of fc.sample(Arbitrary.make(payload), { numRuns: 20, seed: 11 })) {
        const written = JSON.stringify(write(body))
        assert.strictEqual(JSON.stringify(write(read(JSON.parse(written)))), written)
      }
    }
  )
})
