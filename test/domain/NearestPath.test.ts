import { FastCheck } from "effect"
import { expect, test } from "vitest"
import { NearestPaths } from "../../src/domain/NearestPath.ts"
import { runCount } from "../support/Runs.ts"

const known = [
  "GET /organization",
  "GET /organization/:organizationId",
  "GET /organization/:organizationId/v2/roles",
  "POST /organization/:organizationId/v2/roles",
  "GET /application/:applicationId/v2/configurations",
  "POST /application/:applicationId/v2/configuration",
  "POST /sdk/v1/markers",
  "POST /users/auth/signin",
  "GET /d/:slug",
  "GET /health"
].map((line) => {
  const [method = "", path = ""] = line.split(" ")
  return { method, path }
})
const paths = new NearestPaths(known)
const find = (method: string, path: string): string | undefined => {
  const found = paths.find(method, path)
  return found === undefined ? undefined : `${found.method} ${found.path}`
}

test.each([
  ["POST", "/sdk/v1/marker", "POST /sdk/v1/markers"],
  ["POST", "/sdk/v2/markers", "POST /sdk/v1/markers"],
  ["GET", "/organizations", "GET /organization"],
  ["GET", "/organization/1/roles", "GET /organization/:organizationId/v2/roles"],
  ["POST", "/organization/1/roles/", "POST /organization/:organizationId/v2/roles"],
  ["GET", "/application/1/v1/configuration", "GET /application/:applicationId/v2/configurations"],
  ["POST", "/application/1/v1/configuration", "POST /application/:applicationId/v2/configuration"],
  ["POST", "/users/signin", "POST /users/auth/signin"],
  ["GET", "/api/health", "GET /health"],
  ["GET", "/", undefined],
  ["GET", "/nowhere", undefined],
  ["GET", "/favicon.ico", undefined],
  ["GET", "/wp-admin/index.php", undefined],
  ["GET", `/${"organization".repeat(40)}`, undefined],
  ["GET", "/organization".repeat(40), undefined]
])("of %s %s is %s", (method, path, expected) => {
  expect(find(method, path)).toBe(expected)
})

test("is one of the known paths, whatever is asked", () =>
  FastCheck.assert(
    FastCheck.property(FastCheck.constantFrom("GET", "POST", "PUT"), FastCheck.webPath(), (method, path) => {
      const found = paths.find(method, path)
      expect(found === undefined || known.includes(found)).toBe(true)
    }),
    { numRuns: runCount(300) }
  ))
