import { assert, describe, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import Database from "better-sqlite3"
import { Effect, Layer, Option, Tracer } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { MetadataDb } from "../../../src/adapters/sqlite/MetadataDb.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { ApiKeyId, ApplicationId, EnvironmentId, InvitationId, MembershipId, RoleId } from "../../../src/domain/Ids.ts"
import { OrganizationId } from "../../../src/domain/Ids.ts"
import { BrowserRepo } from "../../../src/ports/BrowserRepo.ts"
import { CredentialRepo } from "../../../src/ports/CredentialRepo.ts"
import { OrganizationRepo } from "../../../src/ports/OrganizationRepo.ts"
import { ProjectRepo } from "../../../src/ports/ProjectRepo.ts"
import { RoleRepo } from "../../../src/ports/RoleRepo.ts"
import { UserRepo } from "../../../src/ports/UserRepo.ts"
import { temporaryFolder } from "../../support/MetadataStores.ts"
import { addUser, at, same, userId } from "../../support/Rows.ts"

const pragma = (name: string) =>
  Effect.map(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`pragma ${name}`)),
    ([row = {}]) => Object.values(row)[0]
  )

const databaseFile = Effect.map(temporaryFolder, (folder) => join(folder, "metadata.sqlite"))

const refusal = (filename: string) => Effect.flip(Effect.scoped(Layer.build(SqliteMetadata(filename))))

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
  yield* Effect.all([
    browsers.findByTokenHash("a"),
    browsers.listOfUser(userId(1)),
    browsers.remove(1),
    credentials.find(organization, key),
    credentials.findPersonal(userId(1), key),
    credentials.findBySecretHash("a"),
    credentials.list(organization),
    credentials.listPersonal(userId(1)),
    credentials.touch(key, at()),
    organizations.find(organization),
    organizations.listOfUser(userId(1)),
    organizations.icon(organization),
    organizations.findMember(organization, membership),
    organizations.findMemberByUser(organization, userId(1)),
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
    users.find(userId(1)),
    users.findByEmail("a")
  ])
})

describe("metadata database", () => {
  it.scoped("has what was acknowledged on disk: full synchronous commits in a write-ahead log", () =>
    Effect.gen(function* () {
      const filename = yield* databaseFile
      const settings = Effect.all([
        pragma("journal_mode"),
        pragma("synchronous"),
        pragma("foreign_keys"),
        pragma("busy_timeout")
      ])
      assert.deepStrictEqual(yield* Effect.provide(settings, MetadataDb(filename)), ["wal", 2, 1, 5000])
    })
  )

  it.scoped("is there again after it was closed", () =>
    Effect.gen(function* () {
      const filename = yield* databaseFile
      const user = yield* Effect.provide(addUser(1), SqliteMetadata(filename))
      const find = Effect.flatMap(UserRepo, (users) => users.find(user.id))
      same(yield* Effect.provide(find, SqliteMetadata(filename)), Option.some(user))
    })
  )

  it.scoped("refuses a file of a newer version in one line, and leaves it as it is", () =>
    Effect.gen(function* () {
      const filename = yield* databaseFile
      yield* Effect.provide(addUser(1), SqliteMetadata(filename))
      const database = new Database(filename)
      database.exec("insert into effect_sql_migrations (migration_id, name) values (999, 'future')")
      const schema = () => JSON.stringify(database.prepare("select * from sqlite_master").all())
      const before = schema()
      const { _tag, message } = yield* refusal(filename)
      assert.strictEqual(_tag, "DataFolderUnusable")
      assert.match(message, /^[^\n]*newer version[^\n]*999[^\n]*$/)
      assert.strictEqual(schema(), before)
      database.close()
    })
  )

  it.scoped("refuses a file that is no database, in one line, and leaves it as it is", () =>
    Effect.gen(function* () {
      const filename = yield* databaseFile
      writeFileSync(filename, "not a database, but longer than the header of one would have to be".repeat(20))
      const before = readFileSync(filename, "utf8")
      const { _tag, message } = yield* refusal(filename)
      assert.strictEqual(_tag, "DataFolderUnusable")
      assert.match(message, /^[^\n]*metadata\.sqlite cannot be opened: [^\n]+$/)
      assert.strictEqual(readFileSync(filename, "utf8"), before)
    })
  )

  it.scoped("refuses a folder that is not there", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { _tag } = yield* refusal(join(folder, "missing", "metadata.sqlite"))
      assert.strictEqual(_tag, "DataFolderUnusable")
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
      yield* lookups.pipe(Effect.provide(context), Effect.withTracer(noting))
      const statements = spans.flatMap(({ attributes }) => attributes.get("db.query.text") ?? [])
      const database = new Database(filename, { readonly: true })
      const scans = statements.filter((statement) => {
        const parameters = Array.from({ length: String(statement).split("?").length - 1 }, () => null)
        const plan = database.prepare<Array<null>, { detail: string }>(`explain query plan ${statement}`)
        return plan.all(...parameters).some(({ detail }) => detail.startsWith("SCAN"))
      })
      database.close()
      assert.isAtLeast(statements.length, 32)
      assert.deepStrictEqual(scans, [])
    })
  )
})
