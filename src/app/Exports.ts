import * as NodeContext from "@effect/platform-node/NodeContext"
import { Effect, Layer, Redacted } from "effect"
import { said } from "../adapters/sqlite/operations/OwnProgram.ts"
import { ExportsJob } from "../jobs/Exports.ts"
import { ExportPlace, ExportUnmade } from "../ports/operations/ExportPlace.ts"
import { ExportSchedule } from "../services/operations/ExportSchedule.ts"
import { bucketOptions } from "./BucketOptions.ts"
import type { Configuration } from "./Config.ts"
import { Services } from "./Services.ts"

/** Loaded only where exports are made. */
const files = Effect.promise(() => import("./commands/ServerExport.ts"))

const Process = ({ data, exportTo, exportEnvironments, retentionDays, s3Endpoint, s3Region }: Configuration) =>
  Layer.succeed(ExportPlace, {
    last: Effect.flatMap(files, ({ lastExportOf }) => lastExportOf(data, exportTo, { s3Endpoint, s3Region })).pipe(
      Effect.mapError(({ message }) => new ExportUnmade({ message })),
      Effect.provide(NodeContext.layer)
    ),
    make: Effect.mapError(
      said([
        ...["export-all", "--data", data, "--to", exportTo, "--retention-days", String(retentionDays)],
        ...(exportEnvironments === "" ? [] : ["--environments", exportEnvironments]),
        ...bucketOptions(exportTo, { s3Endpoint, s3Region })
      ]),
      (message) => new ExportUnmade({ message })
    )
  })

const onDatabases =
  "--export-to does nothing: exports by themselves read a data folder, and markers are in ClickHouse, which writes Parquet itself"

const warnOfPlace = ({ exportTo, ...settings }: Configuration) =>
  Effect.flatMap(
    Effect.promise(() => import("./commands/BackupFiles.ts")),
    (loaded) => loaded.warnOfPlace("--export-to cannot be used, so that nothing is exported", exportTo, settings)
  ).pipe(Effect.provide(NodeContext.layer))

/** Exports by themselves, where a folder or bucket is named for them; they read a data folder, not databases. */
export const ExportsByThemselves = (configuration: Configuration) => {
  if (configuration.exportTo === "") return Layer.empty
  if (Redacted.value(configuration.metadata) !== "") return Layer.effectDiscard(Effect.logWarning(onDatabases))
  return ExportsJob.pipe(
    Layer.merge(Layer.effectDiscard(warnOfPlace(configuration))),
    Layer.provide(ExportSchedule.Default),
    Layer.provide(Process(configuration)),
    Layer.provide(Services)
  )
}
