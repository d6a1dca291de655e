import { Command, Options } from "@effect/cli"
import { Console, Data, DateTime, Effect, Option } from "effect"
import { tmpdir } from "node:os"
import { options } from "../app/Config.ts"
import { countOption } from "../app/SettingKinds.ts"
import type { BackupManifest } from "../domain/operations/Backup.ts"
import { ifStopped } from "../services/operations/Stopping.ts"
import { printFindings } from "./Findings.ts"
import { loaded } from "./Loaded.ts"

const files = loaded(() => import("../app/commands/BackupFiles.ts"))

const megabytes = ({ files }: BackupManifest): string =>
  `${((files.metadata.stored.bytes + files.events.stored.bytes) / 1e6).toFixed(1)} MB`

const markersOf = ({ files }: BackupManifest): number => files.events.counts["markers"] ?? 0

const describe = (manifest: BackupManifest): string =>
  `of ${DateTime.formatIso(manifest.instant)}, ${markersOf(manifest)} markers, ${megabytes(manifest)}, by version ${manifest.version}`

const bucket = { s3Endpoint: options.s3Endpoint, s3Region: options.s3Region }

const newestOf = Options.text("from").pipe(
  Options.withDescription("A backup, or a folder or s3://bucket/prefix of backups, of which the newest is taken")
)

export const BackupCommand = Command.make(
  "backup",
  {
    ...bucket,
    data: options.data,
    to: Options.text("to").pipe(
      Options.withDescription("Folder of backups, in which this one gets a folder of its own; or s3://bucket/prefix")
    ),
    keep: countOption("keep").pipe(
      Options.optional,
      Options.withDescription("How many backups of this installation stay there; default: all")
    )
  },
  Effect.fnUntraced(function* ({ data, to, keep, ...settings }) {
    yield* ifStopped("no backup was made")
    const { backUpInto } = yield* files
    const { name, manifest, removed, ahead } = yield* backUpInto({ data, to, keep: Option.getOrNull(keep) }, settings)
    yield* Console.log(`${name} is complete and was read back: ${describe(manifest)}`)
    for (const problem of manifest.damage)
      yield* Console.log(`BAD  The data folder is damaged, and so is the backup: ${problem}`)
    if (manifest.damage.length > 0) yield* Console.log("No older backup was deleted: they may hold what is damaged")
    for (const each of ahead)
      yield* Console.log(
        `${each} is dated ahead of the clock: it does not count, and stays. Delete it if its clock was wrong`
      )
    for (const old of removed) yield* Console.log(`${old} was deleted, since ${Option.getOrNull(keep)} are kept`)
  })
).pipe(Command.withDescription("Back up the data folder, also while a server uses it, both files of one instant"))

export const BackupsCommand = Command.make(
  "backups",
  { ...bucket, from: Options.text("from").pipe(Options.withDescription("Folder or s3://bucket/prefix of backups")) },
  Effect.fnUntraced(function* ({ from, ...settings }) {
    const { listBackups } = yield* files
    const found = yield* listBackups(from, settings)
    if (found.length === 0) yield* Console.log(`${from} holds no complete backup`)
    for (const { name, manifest } of found) yield* Console.log(`${name}  ${describe(manifest)}`)
  })
).pipe(Command.withDescription("List the complete backups in a folder, oldest first"))

export const RestoreCommand = Command.make(
  "restore",
  {
    ...bucket,
    data: options.data,
    from: newestOf,
    force: Options.boolean("force").pipe(
      Options.withDescription("Move the databases of a folder that is not empty into a folder beside them")
    )
  },
  Effect.fnUntraced(function* ({ data, from, force, ...settings }) {
    yield* ifStopped(`nothing was restored, and what ${data} held is as it was`)
    const { restoreFrom } = yield* files
    const { backup, manifest, aside } = yield* restoreFrom({ data, from, force }, settings)
    yield* Console.log(`${data} is restored from ${backup}: ${describe(manifest)}`)
    if (aside !== null) yield* Console.log(`What was there before is in ${aside}`)
  })
).pipe(Command.withDescription("Restore a backup into an empty data folder that no server uses"))

class DrillFailed extends Data.TaggedError("DrillFailed")<{ readonly message: string }> {}

export const DrillCommand = Command.make(
  "drill",
  {
    ...bucket,
    from: newestOf,
    within: Options.directory("in").pipe(
      Options.withDefault(tmpdir()),
      Options.withDescription(
        "Folder with room for the restored files, which are deleted afterwards (the temporary folder)"
      )
    )
  },
  Effect.fnUntraced(function* ({ from, within, ...settings }) {
    yield* ifStopped(`whether ${from} can be restored and started was not found out`)
    const { drillFrom } = yield* loaded(() => import("../app/commands/Drill.ts"))
    const { backup, manifest, findings } = yield* drillFrom(from, within, settings)
    const failure = yield* printFindings(findings)
    if (failure !== null) return yield* new DrillFailed({ message: `${backup}: ${failure}` })
    yield* Console.log(`${backup} can be restored and started: ${describe(manifest)}`)
  })
).pipe(Command.withDescription("Restore a backup into a folder of its own, start it, check it, and delete it again"))
