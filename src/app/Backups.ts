import * as NodeContext from "@effect/platform-node/NodeContext"
import { Effect, Layer, Redacted } from "effect"
import { NoBackups } from "../adapters/local/NoBackups.ts"
import { BackupProcess } from "../adapters/sqlite/operations/BackupProcess.ts"
import { BackupsJob } from "../jobs/Backups.ts"
import { BackupSchedule } from "../services/operations/BackupSchedule.ts"
import { bucketOptions } from "./BucketOptions.ts"
import type { Configuration } from "./Config.ts"
import { Services } from "./Services.ts"

/** Loaded only where backups are made or asked for. */
const files = Effect.promise(() => import("./commands/BackupFiles.ts"))

const notConfigured = "The server makes no backups: start it with --backup-to and a folder or s3://bucket/prefix"

const onDatabases =
  "Metadata and markers are in PostgreSQL and ClickHouse: back these up by their own means, with all processes stopped"

/** What is said of a place for backups that gets none, because the server has no data folder; null of one that does, and where none is named. */
export const backupHindranceIn = ({
  metadata,
  backupTo
}: Pick<Configuration, "metadata" | "backupTo">): string | null =>
  backupTo === "" || Redacted.value(metadata) === ""
    ? null
    : `--backup-to does nothing, so that no backups are made. ${onDatabases}`

/** Where the server makes backups; PostgreSQL and ClickHouse have means of their own. */
export const Backups = ({ data, metadata, backupTo, backupKeep, s3Endpoint, s3Region }: Configuration) => {
  if (Redacted.value(metadata) !== "") return NoBackups(onDatabases)
  if (backupTo === "") return NoBackups(notConfigured)
  return BackupProcess({
    data,
    to: backupTo,
    keep: backupKeep,
    more: bucketOptions(backupTo, { s3Endpoint, s3Region }),
    all: Effect.flatMap(files, ({ listBackups }) => listBackups(backupTo, { s3Endpoint, s3Region })).pipe(
      Effect.provide(NodeContext.layer)
    )
  })
}

const warnOfPlace = ({ backupTo, ...settings }: Configuration) =>
  Effect.flatMap(files, (loaded) =>
    loaded.warnOfPlace("--backup-to cannot be used, so that no backups are made", backupTo, settings)
  )

/** Backups by themselves, where a folder or bucket is named for them and there is a data folder. */
export const BackupsByThemselves = (configuration: Configuration) => {
  const hindrance = backupHindranceIn(configuration)
  if (hindrance !== null) return Layer.effectDiscard(Effect.logError(hindrance))
  if (configuration.backupTo === "") return Layer.empty
  return BackupsJob.pipe(
    Layer.merge(Layer.effectDiscard(warnOfPlace(configuration))),
    Layer.provide(BackupSchedule.Default),
    Layer.provide(Services)
  )
}
