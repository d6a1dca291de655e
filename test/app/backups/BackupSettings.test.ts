import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { backupHindranceIn } from "../../../src/app/Backups.ts"
import { placeProblem } from "../../../src/app/commands/BackupFiles.ts"
import { defaults } from "../../../src/app/Config.ts"

describe("the settings of backups", () => {
  const metadata = Redacted.make("postgres://localhost/gamekeeper")

  it("say at the start that nothing comes of --backup-to over PostgreSQL and ClickHouse", () => {
    const said = backupHindranceIn({ metadata, backupTo: "/mnt/backups" })
    assert.match(said ?? "", /^--backup-to does nothing, so that no backups are made\. .* by their own means/)
    assert.isNull(backupHindranceIn({ metadata, backupTo: "" }))
    assert.isNull(backupHindranceIn({ ...defaults, backupTo: "/mnt/backups" }))
  })

  const problem = (variables: Readonly<Record<string, string>>) =>
    placeProblem("s3://backups/live", defaults).pipe(
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables)))),
      Effect.provide(NodeContext.layer),
      Effect.runPromise
    )
  const empty = { GAMEKEEPER_S3_ACCESS_KEY_ID: "", GAMEKEEPER_S3_SECRET_ACCESS_KEY: "" }

  it("do not take blanks for a place", async () => {
    const said = await Effect.runPromise(Effect.provide(placeProblem(" ", defaults), NodeContext.layer))
    assert.strictEqual(said, "it is blank: name a folder or s3://bucket/prefix")
  })

  it("take an empty variable of a bucket's key for one that is not set", async () => {
    assert.match((await problem(empty)) ?? "", /^A bucket needs GAMEKEEPER_S3_ACCESS_KEY_ID/)
    const ofAws = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" }
    assert.isNull(await problem({ ...empty, ...ofAws }))
  })
})
