import Database from "better-sqlite3"
import { DateTime, Effect, Layer } from "effect"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { BackupFolder, BackupUnmade } from "../../../ports/operations/BackupFolder.ts"
import type { BackupManifest } from "../../../domain/operations/Backup.ts"
import { isInBucket } from "../../../domain/operations/BucketAddress.ts"
import type { BackupFailed } from "./BackupFailed.ts"
import { installationOf } from "./FileCounts.ts"

/** Characters of what the command says that are kept. */
const longest = 4000

/** The command line of this program: the single executable is its own script. */
const program = (): ReadonlyArray<string> => {
  const [node = process.execPath, script = node] = process.argv
  return script === process.execPath ? [] : [script]
}

/** Runs a command of this program and answers what it said. */
const said = (args: ReadonlyArray<string>) =>
  Effect.async<string, BackupUnmade>((resume) => {
    const child = spawn(process.execPath, [...process.execArgv, ...program(), ...args], {
      stdio: ["ignore", "pipe", "pipe"]
    })
    let words = ""
    const listen = (chunk: Buffer) => {
      if (words.length < longest) words += chunk.toString()
    }
    child.stdout.on("data", listen)
    child.stderr.on("data", listen)
    child.once("error", (cause) => resume(Effect.fail(new BackupUnmade({ message: String(cause) }))))
    child.once("close", (code) =>
      resume(
        code === 0
          ? Effect.succeed(words.trim())
          : Effect.fail(new BackupUnmade({ message: `The backup failed: ${words.trim() || `exit code ${code}`}` }))
      )
    )
    return Effect.sync(() => void child.kill())
  })

const installationIn = (data: string) =>
  Effect.acquireUseRelease(
    Effect.try(() => new Database(join(data, "metadata.sqlite"), { readonly: true, fileMustExist: true })),
    (database) => Effect.try(() => installationOf(database)),
    (database) => Effect.sync(() => database.close())
  )

interface BackupPlan {
  readonly data: string
  readonly to: string
  readonly keep: number
  /** What else the command is told of the place. */
  readonly more: ReadonlyArray<string>
  /** The complete backups there. */
  readonly all: Effect.Effect<ReadonlyArray<{ readonly manifest: BackupManifest }>, BackupFailed>
}

/** Backs the data folder up by the command `backup`. */
export const BackupProcess = ({ data, to, keep, more, all }: BackupPlan) =>
  Layer.succeed(BackupFolder, {
    instants: Effect.gen(function* () {
      // The command makes the folder.
      if (!isInBucket(to) && !existsSync(to)) return []
      const own = yield* installationIn(data)
      return (yield* all).flatMap(({ manifest }) =>
        manifest.installation === own ? [DateTime.toEpochMillis(manifest.instant)] : []
      )
    }).pipe(
      Effect.mapError(
        (cause) => new BackupUnmade({ message: "message" in cause ? String(cause.message) : String(cause) })
      )
    ),
    make: said(["backup", "--data", data, "--to", to, "--keep", String(keep), ...more])
  })
