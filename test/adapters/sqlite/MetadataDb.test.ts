import { assert, describe, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import Database from "better-sqlite3"
import { Effect, Layer, Option, Tracer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MetadataDb } from "../../../src/adapters/sqlite/MetadataDb.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { everySavedQuery } from "../../../src/domain/analytics/question/SavedQuery.ts"
import {
  ApiKeyId,
  ApplicationId,
  EnvironmentId,
  ExecutionId,
  HeatmapId,
  InvitationId,
  MembershipId,
  OrganizationId,
  QueryId,
  RoleId
} from "../../../src/domain/Ids.ts"
import { BrowserRepo } from "../../../src/ports/access/BrowserRepo.ts"
import { CredentialRepo } from "../../../src/ports/access/CredentialRepo.ts"
import { ExecutionRepo } from "../../../src/ports/analytics/ExecutionRepo.ts"
import { HeatmapRepo } from "../../../src/ports/analytics/HeatmapRepo.ts"
import { MarkerRepo } from "../../../src/ports/analytics/MarkerRepo.ts"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { RoleRepo } from "../../../src/ports/access/RoleRepo.ts"
import { SavedQueryRepo } from "../../../src/ports/analytics/SavedQueryRepo.ts"
import { UserRepo } from "../../../src/ports/access/UserRepo.ts"
import { instant, newUserId } from "../../support/access/Tenants.ts"

const pragma = (name: string) =>
  Effect.map(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`pragma ${name}`)),
    ([row = {}]) => Object.values(row)[0]
  )

const databaseFile = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "metadata-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ),
  (folder) => join(folder, "metadata.sqlite")
)

const lookups = Effect.gen(function* () {
  const browsers = yield* BrowserRepo
  const credentials = yield* CredentialRepo
  const organizations = yield* OrganizationRepo
  const projects = yield* ProjectRepo
  const roles = yield* RoleRepo
  const users = yield* UserRepo
  const organization = OrganizationId.make(1)
  const application = ApplicationId.make(1)
  const membership = MembershipId.make(1)
  const key = ApiKeyId.make(1)
  const user = newUserId()
  yield* Effect.all([
    browsers.findByTokenHash("a"),
    browsers.listOfUser(user),
    browsers.remove(1),
    credentials.find(organization, key),
    credentials.findPersonal(user, key),
    credentials.findBySecretHash("a"),
    credentials.list(organization),
    credentials.listPersonal(user),
    credentials.touch(key, instant(0)),
    organizations.find(organization),
    organizations.listOfUser(user),
    organizations.icon(organization),
    organizations.findMember(organization, membership),
    organizations.findMemberByUser(organization, user),
    organizations.members(organization),
    organizations.removeMember(membership),
    organizations.findInvitation(organization, InvitationId.make(1)),
    organizations.findInvitationByHash("a"),
    organizations.invitations(organization),
    projects.find(application),
    projects.list(organization),
    projects.remove(application),
    projects.findEnvironment(EnvironmentId.make(1)),
    projects.environments(application),
    roles.find(organization, RoleId.make(1)),
    roles.list(organization),
    roles.removeGrant(membership, null),
    roles.grantsOf(membership),
    roles.grants(organization),
    roles.remove(RoleId.make(1)),
    users.find(user),
    users.findByEmail("a")
  ])
})

const analyticsLookups = Effect.gen(function* () {
  const executions = yield* ExecutionRepo
  const heatmaps = yield* HeatmapRepo
  const markers = yield* MarkerRepo
  const queries = yield* SavedQueryRepo
  const application = ApplicationId.make(1)
  const environment = EnvironmentId.make(1)
  const uuid = newUserId()
  const query = QueryId.make(uuid)
  const heatmap = HeatmapId.make(uuid)
  const execution = ExecutionId.make(uuid)
  yield* Effect.all([
    executions.find(query, execution),
    executions.findByKey(query, environment, "key"),
    executions.unfinished(application),
    executions.claim(instant(0), "a", instant(0), []),
    executions.cancel(execution, instant(0)),
    executions.requeue(instant(0)),
    executions.removeFinished(instant(0)),
    heatmaps.find(application, heatmap),
    heatmaps.list(application),
    heatmaps.image(heatmap),
    heatmaps.remove(heatmap),
    markers.metadata(environment),
    queries.find(application, query),
    queries.list(application, everySavedQuery, { createdAt: instant(0), id: query }, 10),
    queries.ran(query, instant(0)),
    queries.star(query, uuid, false),
    queries.starred(uuid, [query]),
    queries.remove(application, query)
  ])
})

describe("metadata database", () => {
  it.scoped(
    "commits into a write-ahead log, which another thread brings to the disk before anything is acknowledged",
    () =>
      Effect.gen(function* () {
        const filename = yield* databaseFile
        const settings = Effect.all([
          pragma("journal_mode"),
          pragma("synchronous"),
          pragma("foreign_keys"),
          pragma("busy_timeout")
        ])
        assert.deepStrictEqual(yield* Effect.provide(settings, MetadataDb(filename)), ["wal", 1, 1, 5000])
      })
  )

  it.scoped("searches by index: no lookup reads a whole table", () =>
    Effect.gen(function* () {
      const spans: Array<Tracer.Span> = []
      const tracer = yield* Effect.tracer
      const noting = Tracer.make({
        context: tracer.context,
        span: (...options) => {
          const span = tracer.span(...options)
          spans.push(span)
          return span
        }
      })
      const filename = yield* databaseFile
      const context = yield* Layer.build(SqliteMetadata(filename))
      yield* Effect.zipRight(lookups, analyticsLookups).pipe(Effect.provide(context), Effect.withTracer(noting))
      const statements = spans.flatMap(({ attributes, parent }) => {
        const statement = attributes.get("db.query.text")
        const around = Option.getOrUndefined(parent)
        const isEnforced = around?._tag !== "Span" || around.attributes.get("db.foreign_keys") !== "off"
        return statement === undefined ? [] : [{ statement, isEnforced }]
      })
      const database = new Database(filename, { readonly: true })
      const scans = statements.filter(({ statement, isEnforced }) => {
        database.pragma(`foreign_keys = ${isEnforced ? "on" : "off"}`)
        const parameters = Array.from({ length: String(statement).split("?").length - 1 }, () => null)
        const plan = database.prepare<Array<null>, { detail: string }>(`explain query plan ${statement}`)
        return plan.all(...parameters).some(({ detail }) => detail.startsWith("SCAN"))
      })
      database.close()
      assert.isAtLeast(statements.length, 45)
      assert.deepStrictEqual(scans, [])
    })
  )
})
