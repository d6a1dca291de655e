import {
  HttpApiClient,
  HttpClient,
  HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "@effect/platform"
import { Effect, type Redacted } from "effect"
import { isOurs } from "../domain/operations/Unreachable.ts"
import { everyPage, pageOf } from "../../schema/EveryPage.ts"
import { Api } from "../../schema/Api.ts"
import type { ApplicationRecord } from "../../schema/access/ApplicationRecord.ts"
import type { EnvironmentRecord } from "../../schema/access/Environments.ts"
import { explained, notOurs, refusal } from "./Refused.ts"

/** Where a server is, and which project and environment of it are meant. */
export interface Target {
  readonly url: string
  readonly token: Redacted.Redacted
  /** Id or name; undefined: the only one that the token covers. */
  readonly project: string | undefined
  /** Alias, name or id. */
  readonly environment: string
}

/** Refuses what a proxy or another program answers before it is read as ours. */
const demandOurs = (response: HttpClientResponse.HttpClientResponse) =>
  isOurs(response.status, response.headers["content-type"])
    ? Effect.succeed(response)
    : new HttpClientError.ResponseError({
        request: response.request,
        response,
        reason: "Decode",
        description: notOurs
      })

/** Only of the groups that commands use: to compile the schemas of all endpoints takes longer than most commands do. */
const clientOf = Effect.fnUntraced(function* (url: string, token: Redacted.Redacted) {
  const httpClient = (yield* HttpClient.HttpClient).pipe(
    HttpClient.mapRequest(HttpClientRequest.bearerToken(token)),
    HttpClient.transformResponse(Effect.flatMap(demandOurs))
  )
  const server = { baseUrl: url, httpClient }
  return yield* Effect.all({
    boards: HttpApiClient.group(Api, { ...server, group: "boards" }),
    cohorts: HttpApiClient.group(Api, { ...server, group: "cohorts" }),
    configurations: HttpApiClient.group(Api, { ...server, group: "configurations" }),
    environments: HttpApiClient.group(Api, { ...server, group: "environments" }),
    experiments: HttpApiClient.group(Api, { ...server, group: "experiments" }),
    heatmaps: HttpApiClient.group(Api, { ...server, group: "heatmaps" }),
    markers: HttpApiClient.group(Api, { ...server, group: "markers" }),
    organizations: HttpApiClient.group(Api, { ...server, group: "organizations" }),
    projects: HttpApiClient.group(Api, { ...server, group: "projects" }),
    roles: HttpApiClient.group(Api, { ...server, group: "roles" }),
    savedQueries: HttpApiClient.group(Api, { ...server, group: "savedQueries" })
  })
})

export type Client = Effect.Effect.Success<ReturnType<typeof clientOf>>

export interface Connection {
  readonly client: Client
  readonly application: ApplicationRecord
  readonly environment: EnvironmentRecord
}

const named = (all: ReadonlyArray<{ readonly id: number; readonly name: string }>) =>
  all.map(({ id, name }) => `${name} (${id})`).join(", ")

const applicationOf = Effect.fnUntraced(function* (client: Client, wanted: string | undefined) {
  const organizations = yield* Effect.mapError(client.organizations.list({}), explained("Organizations"))
  const pages = yield* Effect.forEach(organizations, ({ id }) =>
    everyPage((cursor) =>
      client.projects.list({
        path: { organizationId: id },
        urlParams: pageOf(cursor)
      })
    ).pipe(Effect.mapError(explained("Projects")))
  )
  const all = pages.flat()
  const found = wanted === undefined ? all : all.filter(({ id, name }) => String(id) === wanted || name === wanted)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const choice = all.length === 0 ? "the token covers no project" : `the token covers ${named(all)}`
  return yield* refusal(
    wanted === undefined ? `Name one with --project: ${choice}` : `No one project ${wanted}: ${choice}`
  )
})

/** The client of a server, with the project and environment that are meant. */
export const connect = Effect.fnUntraced(function* ({ url, token, project, environment }: Target) {
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url))
    return yield* refusal(
      `The address of the server, in GAMEKEEPER_URL or --url, has to begin with http:// or https://: ${url} does not`
    )
  const client = yield* clientOf(url, token)
  const application = yield* applicationOf(client, project)
  const all = yield* Effect.mapError(
    client.environments.list({ path: { applicationId: application.id } }),
    explained("Environments")
  )
  // Nobody else has the alias, and an environment may be called like another one's.
  const alike = all.filter(({ id, name }) => [name, String(id)].includes(environment))
  const found = all.find(({ alias }) => alias === environment) ?? alike[0]
  if (found === undefined) {
    return yield* refusal(`${application.name} has no environment ${environment} for this token: ${named(all)}`)
  }
  if (found.alias !== environment && alike.length > 1) {
    return yield* refusal(`${application.name} has several environments called ${environment}: name one by its alias`)
  }
  return { client, application, environment: found } satisfies Connection
})
