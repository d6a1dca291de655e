import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { rmSync } from "node:fs"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { webhookTypes } from "../../../src/domain/operations/webhooks/WebhookEvents.ts"
import { WebhookRepo } from "../../../src/ports/operations/WebhookRepo.ts"
import { addOrganization } from "../../support/access/Tenants.ts"
import { forgetMigrations } from "../../support/operations/OlderMetadata.ts"
import { webhookOf } from "../../support/operations/StoredWebhooks.ts"
import { inFile } from "../../support/Stores.ts"

it.scopedLive("webhooks of an older version ask for the types that have other names now", () =>
  Effect.gen(function* () {
    const { file } = yield* inFile
    const cases: ReadonlyArray<readonly [before: ReadonlyArray<string>, after: ReadonlyArray<string>]> = [
      [[], []],
      [
        ["cohort.failed", "alert.fired"],
        ["cohort.failed", "alert.fired"]
      ],
      [
        ["configuration.changed", "key.changed", "key.revoked", "invitation.revoked"],
        ["configuration.updated", "key.updated", "key.deactivated", "invitation.revoked"]
      ],
      [
        ["experiment.rollout_changed", "experiment.draft_changed", "experiment.changed", "member.role_changed"],
        ["experiment.rolloutChanged", "experiment.draftUpdated", "experiment.updated", "member.roleChanged"]
      ]
    ]
    const organization = yield* Effect.gen(function* () {
      const { id } = yield* addOrganization
      const webhooks = yield* WebhookRepo
      for (const [types] of cases) yield* webhooks.insert(webhookOf(id, { types }))
      return id
    }).pipe(Effect.provide(SqliteMetadata(file)))
    const database = new Database(file)
    forgetMigrations(database, 33)
    database.close()
    rmSync(`${file}-sums`)
    const found = yield* Effect.flatMap(WebhookRepo, (webhooks) => webhooks.list(organization)).pipe(
      Effect.provide(SqliteMetadata(file))
    )
    assert.sameDeepMembers(
      found.map(({ types }) => types),
      cases.map(([, after]) => after)
    )
    for (const [, after] of cases) for (const type of after) assert.include(webhookTypes, type)
  })
)
