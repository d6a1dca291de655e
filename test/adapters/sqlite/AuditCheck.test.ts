import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { checkAudit } from "../../../src/adapters/sqlite/operations/AuditCheck.ts"
import type { AuditContent } from "../../../src/domain/operations/audit/AuditEntry.ts"
import { AuditRepo } from "../../../src/ports/operations/AuditRepo.ts"
import { addOrganization } from "../../support/access/Tenants.ts"
import { withFolder } from "../../support/Server.ts"

const hash = (text: string) => createHash("sha256").update(text).digest("base64url")

const content = (at: number): AuditContent => ({
  at,
  actor: { kind: "system", userId: null, email: null, keyId: null, keyName: null },
  address: null,
  requestId: `request ${at}`,
  operation: "cohorts.create",
  object: { kind: "cohorts", id: String(at), name: "Whales" },
  applicationId: null,
  environmentId: null,
  reason: null,
  outcome: "done",
  changes: [],
  moreChanges: 0
})

const write = (count: number) =>
  Effect.gen(function* () {
    const repo = yield* AuditRepo
    const { id: organizationId } = yield* addOrganization
    for (let at = 1; at <= count; at++) {
      const change = { id: `${organizationId} ${at}`, organizationId, content: content(at) }
      yield* repo.begin(change)
      yield* repo.append(change, hash)
    }
    return organizationId
  })

it("the doctor finds an entry of the log of changes that was changed, and one that is missing, wherever it is", () =>
  withFolder(async (folder) => {
    const file = join(folder, "metadata.sqlite")
    const written = Effect.all([write(3), write(1005)])
    const [few, many] = await Effect.runPromise(Effect.provide(written, SqliteMetadata(file)))
    const found = () => Effect.runPromise(Effect.map(checkAudit(file), (all) => all.map(({ text }) => text)))
    assert.deepStrictEqual(await found(), ["All 1008 entries of the log of changes are as they were written"])
    const changed = (statement: string) => {
      const database = new Database(file)
      database.exec(statement)
      database.close()
      return found()
    }
    const of = (organization: number, number: number) => `organization_id = ${organization} and number = ${number}`
    const told = "was changed by hand or restored in part: entry"
    assert.deepStrictEqual(
      await changed(`update audit_entries set content = replace(content, 'Whales', 'Minnows') where ${of(many, 1002)}`),
      [`The log of changes of organization ${many} ${told} 1002 is not as it was written`]
    )
    assert.deepStrictEqual(await changed(`delete from audit_entries where ${of(few, 3)}`), [
      `The log of changes of organization ${few} ${told} 3 is missing`,
      `The log of changes of organization ${many} ${told} 1002 is not as it was written`
    ])
  }))
