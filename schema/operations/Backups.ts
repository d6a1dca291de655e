import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Forbidden } from "../access/AccessErrors.ts"
import { SessionOnly } from "../access/Auth.ts"
import { requiresNone } from "../access/RequiredPermission.ts"
import { Failure } from "../Failure.ts"

export class BackupsUnavailable extends Failure<BackupsUnavailable>()(
  "BACKUPS_UNAVAILABLE",
  409,
  "The server makes no backups: no --backup-to is set, or metadata and markers are in databases of their own."
) {}
export class BackupRunning extends Failure<BackupRunning>()(
  "BACKUP_RUNNING",
  409,
  "A backup or the drill of one runs at this moment."
) {}
export class BackupNotFound extends Failure<BackupNotFound>()(
  "BACKUP_NOT_FOUND",
  404,
  "There is no such backup of this installation where the server makes them."
) {}
export class BackupsUnreadable extends Failure<BackupsUnreadable>()(
  "BACKUPS_UNREADABLE",
  503,
  "The folder or bucket of backups cannot be read."
) {}

const BackupId = Schema.String.annotations({ description: "The name of the backup in its folder" })

export const BackupRunRecord = Schema.Struct({
  kind: Schema.Literal("backup", "drill"),
  backupId: Schema.NullOr(BackupId).annotations({ description: "The backup that is tried; null while one is made" }),
  startedAt: Schema.DateTimeUtc
}).annotations({ identifier: "BackupRun" })
export type BackupRunRecord = typeof BackupRunRecord.Type

export const BackupRecord = Schema.Struct({
  id: BackupId,
  instant: Schema.DateTimeUtc.annotations({ description: "The instant of which both files are" }),
  bytes: Schema.Number.annotations({ description: "Size, compressed" }),
  markers: Schema.Number,
  version: Schema.String.annotations({ description: "The version of Gamekeeper that wrote it" }),
  state: Schema.Literal("complete", "damaged").annotations({
    description: "damaged: it is complete, but some markers were damaged already when they were backed up"
  })
}).annotations({ identifier: "Backup" })
export type BackupRecord = typeof BackupRecord.Type

export const BackupList = Schema.Struct({
  place: Schema.NullOr(Schema.String).annotations({
    description: "Folder or bucket; null: the server makes no backups"
  }),
  everyHours: Schema.Number,
  running: Schema.NullOr(BackupRunRecord),
  last: Schema.NullOr(
    Schema.Struct({
      ...BackupRunRecord.fields,
      endedAt: Schema.DateTimeUtc,
      isGood: Schema.Boolean,
      message: Schema.String.annotations({ description: "What was done, or why it failed" })
    })
  ).annotations({ description: "What ended last since the server was started" }),
  items: Schema.Array(BackupRecord).annotations({ description: "Newest first" })
}).annotations({ identifier: "BackupList" })
export type BackupList = typeof BackupList.Type

export const backupId = HttpApiSchema.param("backupId", BackupId)

const forOwners = requiresNone("Only people whom the server's setting --owner names may.")

const owners =
  "Backups hold the data of every organization of the server, so no role of an organization allows this: the operator names the people with --owner. Tokens are not taken."

export class BackupsGroup extends HttpApiGroup.make("backups")
  .add(
    HttpApiEndpoint.get("list", "/backups")
      .addSuccess(BackupList)
      .addError(Forbidden)
      .addError(BackupsUnreadable)
      .middleware(SessionOnly)
      .annotateContext(forOwners)
      .annotate(OpenApi.Summary, "Backups of the whole server, newest first, and what runs")
      .annotate(OpenApi.Description, owners)
  )
  .add(
    HttpApiEndpoint.post("create", "/backups")
      .addSuccess(BackupRunRecord, { status: 202 })
      .addError(Forbidden)
      .addError(BackupsUnavailable)
      .addError(BackupRunning)
      .middleware(SessionOnly)
      .annotateContext(forOwners)
      .annotate(OpenApi.Summary, "Begin a backup of the whole server now")
      .annotate(
        OpenApi.Description,
        `${owners} The backup is made in a process of its own; the list tells when it has ended, and how.`
      )
  )
  .add(
    HttpApiEndpoint.post("drill")`/backups/${backupId}/drill`
      .addSuccess(BackupRunRecord, { status: 202 })
      .addError(Forbidden)
      .addError(BackupsUnavailable)
      .addError(BackupsUnreadable)
      .addError(BackupNotFound)
      .addError(BackupRunning)
      .middleware(SessionOnly)
      .annotateContext(forOwners)
      .annotate(OpenApi.Summary, "Begin to restore a backup beside, start it, check it, and delete it again")
      .annotate(
        OpenApi.Description,
        `${owners} Nothing of the running server changes; the temporary folder needs room for one uncompressed copy.`
      )
  )
  .annotate(OpenApi.Title, "Backups")
  .annotate(OpenApi.Description, "Backups of the whole server, for the people who own it.") {}
