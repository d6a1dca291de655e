import { FetchHttpClient } from "@effect/platform"
import * as NodeContext from "@effect/platform-node/NodeContext"
import type { HttpClient } from "@effect/platform"
import { Effect, Either, Layer, Redacted } from "effect"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { RemoteRefused } from "../../../src/remote/Refused.ts"
import { SchemaChecks } from "../../../src/remote/SchemaChecks.ts"
import type { ComparisonRequest } from "../../../src/remote/ServerState.ts"
import { managedKinds } from "../../../src/remote/ManagedKind.ts"
import { check, compile } from "../../../src/adapters/node/SchemaCheck.ts"
import type { Request } from "../access/Studio.ts"

/** What a token needs to apply cohorts and saved queries. */
export const forCohortsAndQueries = [
  "organization:read",
  "projects:read",
  "cohorts:read",
  "cohorts:write",
  "analytics:read",
  "queries:write"
]

/** Called before each request of the client, with its method and path; may send others, or refuse it. */
/** A saved query, as a file says it. */
export const loginsQuery = {
  name: "Logins",
  queryType: "insight",
  spec: {
    time: { step: "day", relative: { step: "day", value: 7 } },
    metrics: [{ id: "logins", data: { type: "totalEvents", name: "Login" } }]
  }
}

export type Before = (method: string, path: string) => Promise<void>

const fetchOf =
  (request: Request, before: Before): typeof fetch =>
  async (input, init) => {
    const { pathname, search } = new URL(String(input))
    const method = init?.method ?? "GET"
    await before(method, pathname)
    const body = init?.body instanceof Uint8Array ? { raw: init.body } : {}
    const headers = Object.fromEntries(new Headers(init?.headers).entries())
    const { status, text, headers: answered } = await request(method, pathname + search, { headers, ...body })
    return new Response(status === 204 ? null : text, { status, headers: answered })
  }

const schemaChecks = Layer.succeed(SchemaChecks, {
  violations: (schema, value) => Either.flatMap(compile(schema), (validate) => check(validate, value))
})

/** Runs what the commands do, over the API of the test. */
export const remoteOver = (request: Request, token: string, before: Before = () => Promise.resolve()) => {
  const client = FetchHttpClient.layer.pipe(
    Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetchOf(request, before)))
  )
  const run = <A, E>(effect: Effect.Effect<A, E, HttpClient.HttpClient | SchemaChecks | NodeContext.NodeContext>) =>
    Effect.runPromise(Effect.provide(effect, Layer.mergeAll(client, schemaChecks, NodeContext.layer)))
  const asked = (folder: string, more: Partial<ComparisonRequest> = {}): ComparisonRequest => ({
    target: { url: "http://test", token: Redacted.make(token), project: undefined, environment: "production" },
    folder,
    kinds: managedKinds,
    prune: false,
    pruneAll: false,
    reason: "test",
    ...more
  })
  return { run, asked }
}

/** What a command refuses, of one that cannot fail by its files. */
export const refusedBy = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flip(Effect.asVoid(effect)).pipe(
    Effect.filterOrElse(
      (error): error is E & RemoteRefused => error instanceof RemoteRefused,
      (error) => Effect.die(error)
    )
  )

export const writeJson = (folder: string, file: string, value: unknown): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), typeof value === "string" ? value : JSON.stringify(value))
}

export const readJson = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"))

export const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".json") && !file.startsWith("."))
    .sort()
