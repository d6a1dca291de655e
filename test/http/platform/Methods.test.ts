import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Array } from "effect"
import { Report } from "../../../schema/Report.ts"
import { routes } from "../../../src/http/middleware/DeclaredRoutes.ts"
import { routeOf } from "../../../src/http/middleware/Routes.ts"
import { openStudio, type Studio } from "../../support/access/Studio.ts"
import { refused } from "../../support/Caller.ts"
import { endpoints } from "../../support/Endpoints.ts"
import { stores } from "../../support/Stores.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"

const { request } = testApp(stores[0][1])

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** Where a word may as well be the id of something that takes another method. */
const idsToo: Readonly<Record<string, string>> = { "/users/auth/accounts/switch": "DELETE" }

const filled = (path: string): string => path.replaceAll(/:\w+/g, "1")

const paths = Object.entries(Array.groupBy(endpoints(), ({ path }) => filled(path))).map(
  ([path, those]) => [path, new Set(those.map(({ method }) => method))] as const
)

describe("a known path", () => {
  it("is many, and words beside ids are among them", () => {
    assert.isAbove(paths.length, 100)
    const said = paths.map(([path]) => path)
    assert.includeMembers(said, ["/application/1/analytics/v1/cohorts/execute", "/sdk/v1/heatmaps/list"])
  })

  it.each(paths)("takes no method but its own: %s", async (path, own) => {
    for (const method of methods.filter((each) => !own.has(each) && idsToo[path] !== each)) {
      const answer = await request(method, path)
      assert.deepStrictEqual([answer.status, answer.body?.code], [405, "METHOD_NOT_ALLOWED"], `${method} ${path}`)
      const keys = path.startsWith("/sdk/") ? [...envelopeKeys, "errorCode"].sort() : envelopeKeys
      assert.deepStrictEqual(Object.keys(answer.body).sort(), keys)
      const allowed = answer.headers.get("allow")?.split(", ") ?? []
      const heads = own.has("GET") ? ["HEAD"] : []
      assert.sameMembers(allowed, [...own, ...heads, ...(idsToo[path] === undefined ? [] : [idsToo[path]])])
    }
  })
})

/** Whether the parameter of a route may be any text, and so a step in a path. */
const takesSteps = (path: string, name: string): boolean => {
  const route = routes.find((each) => each.path === path)
  const report = new Report()
  const given = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, each = ""]) => [each, "1"]))
  route?.parameters.path({ ...given, [name]: ".." }, report)
  return report.message === undefined
}

const steps = endpoints()
  .filter(({ method }) => method !== "GET")
  .flatMap(({ method, path }) =>
    [...path.matchAll(/:(\w+)/g)]
      .filter(([, name = ""]) => takesSteps(path, name))
      .flatMap(([parameter]) => [".", ".."].map((step) => [method, filled(path.replace(parameter, step))] as const))
  )

describe("a step in a path", () => {
  it.each(steps)("%s %s leads a client that shortens paths to nothing else", (method, path) => {
    assert.isUndefined(routeOf({ method, url: new URL(path, "http://localhost").pathname }))
  })
})

describe("a slash at the end of a path", () => {
  let studio: Studio
  const ask = (method: string, path: string, body?: unknown) =>
    request(method, `/application/${studio.applicationId}${path}`, {
      headers: { ...studio.cookie, environment_id: String(studio.production) },
      ...(body === undefined ? {} : { body })
    })

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
  })

  it("removes and changes nothing", async () => {
    const before = await ask("GET", "")
    refused(await ask("DELETE", "/"), 404, "ROUTE_NOT_FOUND")
    refused(await ask("PATCH", "/", { name: "Other" }), 404, "ROUTE_NOT_FOUND")
    refused(await ask("DELETE", "/?reason=x"), 404, "ROUTE_NOT_FOUND")
    assert.deepStrictEqual((await ask("GET", "")).body, before.body)
  })

  it.each([
    ["GET", "/", undefined, 200],
    ["GET", "/analytics/v1/cohorts/", undefined, 200],
    ["GET", "/analytics/v1/cohorts", undefined, 200],
    ["POST", "/analytics/v1/cohorts/", { name: "A", kind: "static", unitIds: [] }, 201],
    ["POST", "/analytics/v1/cohorts", { name: "B", kind: "static", unitIds: [] }, 201],
    ["GET", "/deeplinks/", undefined, 200],
    ["GET", "/deeplinks", undefined, 200],
    ["POST", "/deeplinks/", { name: "A", type: "other", redirectUrl: "https://a.test" }, 201],
    ["POST", "/deeplinks", { name: "B", type: "other", redirectUrl: "https://a.test" }, 201]
  ])("is left alone where nothing is removed or changed: %s %s", async (method, path, body, status) => {
    const answer = await ask(method, path, body)
    assert.strictEqual(answer.status, status, answer.text)
  })
})
