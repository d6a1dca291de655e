import { Effect } from "effect"
import type { RoleRecord } from "../../schema/access/Roles.ts"
import type { ConfigurationId } from "../domain/Ids.ts"
import type { Connection } from "./Connection.ts"
import { everyPage, pageOf } from "../../schema/EveryPage.ts"
import type { ManagedKind } from "./ManagedKind.ts"
import { fileSchemas } from "./FileSchemas.ts"
import type { Objects } from "./Objects.ts"
import { objectsOf } from "./Objects.ts"

const configurations = ({ client, application, environment }: Connection, reason: string): Objects => {
  const calls = client.configurations
  const headers = { environment_id: environment.id }
  const applicationId = application.id
  const get = ({ id }: { readonly id: ConfigurationId }) =>
    calls.get({ headers, path: { applicationId, configurationId: id } })
  return objectsOf({
    kind: "configurations",
    schema: fileSchemas.configurations,
    list: Effect.flatMap(calls.list({ path: { applicationId }, headers, urlParams: {} }), Effect.forEach(get)),
    get,
    create: (content) =>
      calls.create({ path: { applicationId }, headers, payload: { ...content, alias: content.alias ?? null } }),
    replace: ({ id, hash, isPrimary: wasPrimary }, { isPrimary, ...content }) => {
      const path = { applicationId, configurationId: id }
      const payload = { ...content, alias: content.alias ?? null, baseHash: hash, reason }
      const replaced = calls.replace({ path, headers, payload })
      return isPrimary && !wasPrimary ? Effect.zipRight(replaced, calls.makePrimary({ path, headers })) : replaced
    },
    remove: ({ id }) => calls.remove({ path: { applicationId, configurationId: id }, headers })
  })
}

const cohorts = ({ client, application, environment }: Connection): Objects => {
  const calls = client.cohorts
  const headers = { environment_id: environment.id }
  const applicationId = application.id
  return objectsOf({
    kind: "cohorts",
    schema: fileSchemas.cohorts,
    list: calls.list({ path: { applicationId }, headers }),
    get: ({ id }) => calls.get({ path: { applicationId, cohortId: id }, headers }),
    create: (content) =>
      content.kind === "static"
        ? calls.create({ path: { applicationId }, headers, payload: { ...content, unitIds: [] } })
        : calls.create({ path: { applicationId }, headers, payload: content }),
    replace: ({ id, updatedAt }, content) => {
      const path = { applicationId, cohortId: id }
      return content.kind === "static"
        ? calls.update({ path, headers, payload: { ...content, basedOn: updatedAt } })
        : calls.update({ path, headers, payload: { ...content, basedOn: updatedAt } })
    },
    remove: ({ id }) => calls.remove({ path: { applicationId, cohortId: id }, headers })
  })
}

/** A request is of one type of query at a time, so the client takes each by itself. */
const queries = ({ client, application }: Connection): Objects => {
  const calls = client.savedQueries
  const applicationId = application.id
  return objectsOf({
    kind: "queries",
    schema: fileSchemas.queries,
    list: everyPage((cursor) => calls.list({ path: { applicationId }, urlParams: pageOf(cursor) })),
    get: ({ id }) => calls.get({ path: { applicationId, queryId: id } }),
    create: (content) => {
      const path = { applicationId }
      switch (content.queryType) {
        case "insight":
          return calls.create({ path, payload: { ...content, listed: true } })
        case "funnel":
          return calls.create({ path, payload: { ...content, listed: true } })
        case "retention":
          return calls.create({ path, payload: { ...content, listed: true } })
        case "heatmap":
          return calls.create({ path, payload: { ...content, listed: true } })
      }
    },
    replace: ({ id, listed, updatedAt }, content) => {
      const path = { applicationId, queryId: id }
      switch (content.queryType) {
        case "insight":
          return calls.update({ path, payload: { ...content, listed, basedOn: updatedAt } })
        case "funnel":
          return calls.update({ path, payload: { ...content, listed, basedOn: updatedAt } })
        case "retention":
          return calls.update({ path, payload: { ...content, listed, basedOn: updatedAt } })
        case "heatmap":
          return calls.update({ path, payload: { ...content, listed, basedOn: updatedAt } })
      }
    },
    remove: ({ id }) => calls.remove({ path: { applicationId, queryId: id } })
  })
}

const boards = ({ client, application }: Connection): Objects => {
  const calls = client.boards
  const applicationId = application.id
  return objectsOf({
    kind: "boards",
    schema: fileSchemas.boards,
    list: everyPage((cursor) => calls.list({ path: { applicationId }, urlParams: pageOf(cursor) })),
    get: ({ id }) => calls.get({ path: { applicationId, boardId: id } }),
    create: (payload) => calls.create({ path: { applicationId }, payload }),
    replace: ({ id, updatedAt }, content) =>
      calls.update({ path: { applicationId, boardId: id }, payload: { ...content, basedOn: updatedAt } }),
    remove: ({ id }) => calls.remove({ path: { applicationId, boardId: id } })
  })
}

/** Custom roles. The API lets only a signed-in browser write roles, so `apply` leaves them out before it comes here. */
const roles = ({ client, application: { organizationId } }: Connection): Objects => {
  const calls = client.roles
  return objectsOf({
    kind: "roles",
    schema: fileSchemas.roles,
    list: Effect.map(calls.list({ path: { organizationId } }), (all) => all.filter(({ type }) => type === "custom")),
    get: ({ id }: RoleRecord) => calls.get({ path: { organizationId, roleId: id } }),
    create: (payload) => calls.create({ path: { organizationId }, payload }),
    replace: ({ id }, payload) => calls.update({ path: { organizationId, roleId: id }, payload }),
    remove: ({ id }) => calls.remove({ path: { organizationId, roleId: id } })
  })
}

/** What the server keeps of each kind. `reason` stands beside the versions of configurations that are written. */
export const inventoryOf = (connection: Connection, reason: string): Record<ManagedKind, Objects> => ({
  configurations: configurations(connection, reason),
  cohorts: cohorts(connection),
  queries: queries(connection),
  boards: boards(connection),
  roles: roles(connection)
})
