import { FileSystem, Path } from "@effect/platform"
import Database from "better-sqlite3"
import { Clock, Effect, Option } from "effect"
import { statfs } from "node:fs/promises"
import { dataFilesIn, filesOpenToOthers, strangerIn } from "../DataFolder.ts"
import { isMountedReadOnly, obstacleOf } from "../Obstacle.ts"
import { openForReading } from "../events/file/EventsDb.ts"
import { verify } from "../events/file/Verification.ts"
import { checkAudit } from "./AuditCheck.ts"
import { checkFormats, checkWritable } from "./FileChecks.ts"
import { obstaclesIn } from "./FolderChecks.ts"
import { examinePages } from "../pages/PageExamination.ts"
import { bad, good } from "../../../domain/operations/Finding.ts"
import { checkPair, checkRepairs } from "./RepairCheck.ts"
import { checkRetention } from "./RetentionCheck.ts"
import { checkRows } from "./RowCheck.ts"

const inspect = <A>(file: string, read: (database: Database.Database) => A) =>
  Effect.try(() => {
    const database = new Database(file, { readonly: true, fileMustExist: true })
    const result = read(database)
    database.close()
    return result
  })

const checkFile = (file: string, name: string, what: string) =>
  inspect(file, (database) => database.pragma("quick_check", { simple: true })).pipe(
    Effect.map((result) =>
      result === "ok"
        ? good(`${name} is sound`)
        : bad(`${name} is damaged (${String(result)}): restore it from a backup`)
    ),
    Effect.catchAll(({ error }) => Effect.succeed(bad(`${name} cannot be read: ${obstacleOf(file, error) ?? what}`)))
  )

/** Compares every stored marker with its checksums, and names what is damaged. */
const checkSegments = (file: string) =>
  Effect.try(() => {
    const database = openForReading(file)
    const { segments, tailBatches, problems } = verify(database)
    database.close()
    return problems.length === 0
      ? [good(`All ${segments} segments and ${tailBatches} batches of markers are sound`)]
      : problems.map((problem) => bad(`events.sqlite: ${problem}`))
  }).pipe(Effect.orElseSucceed(() => [bad("The markers cannot be read")]))

/** Compares every page of a database with its checksum. */
const checkPages = (file: string, name: string) =>
  Effect.try(() => {
    const problems = examinePages(file)
    return problems.length === 0 ? [good(`Every page of ${name} is as it was written`)] : problems.map(bad)
  }).pipe(Effect.orElseSucceed(() => [bad(`The pages of ${name} cannot be read`)]))

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

/** Bytes of free disk space below which the doctor warns. */
const lowDiskBytes = 1e9

/**
 * Looks at the data folder without changing it; `deep` reads every marker and proves that none is kept past retention, `retentionDays`
 * being those of the server. A running server does not mind. A folder that is deleted at once needs no room to grow.
 */
export const examine = Effect.fnUntraced(function* (
  folder: string,
  deep: boolean,
  retentionDays: number,
  isDeletedAtOnce = false
) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const obstacles = yield* obstaclesIn(folder)
  if (obstacles.length > 0) return obstacles
  const home = path.resolve(folder)
  const access = files.access(folder, { writable: true, readable: true }).pipe(
    Effect.as(good(`The data folder ${home} can be written`)),
    Effect.orElseSucceed(() => bad(`The data folder ${home} cannot be written by this user`))
  )
  // No owner of the files can write them there.
  const writable = isMountedReadOnly(folder)
    ? [
        Effect.succeed(
          bad(`The data folder ${home} is on a file system that is mounted read-only: no server can use it`)
        )
      ]
    : [access, checkWritable(folder)]
  const disk = Effect.tryPromise(() => statfs(folder)).pipe(
    Effect.map(({ bavail, bsize }) => {
      const free = gigabytes(bavail * bsize)
      return bavail * bsize < lowDiskBytes ? bad(`Only ${free} of disk are free`) : good(`${free} of disk are free`)
    }),
    Effect.orElseSucceed(() => bad("The disk's free space cannot be read"))
  )
  const readers = Effect.all([filesOpenToOthers(folder), strangerIn(folder)]).pipe(
    Effect.map(([open, stranger]) => {
      if (open.length > 0 && process.platform !== "win32") {
        return bad(
          `Other users of this machine can open ${open.join(", ")}: start the server once, or use chmod go-rwx`
        )
      }
      return good(
        Option.match(stranger, {
          onNone: () => "Only the server's own user can open the data folder",
          onSome: (name) =>
            `Only the server's own user can open the server's files, though the data folder holds other things too, such as ${name}`
        })
      )
    }),
    Effect.orElseSucceed(() => bad("The permissions of the data folder cannot be read"))
  )
  const restore = "put back both files of one backup"
  const { metadata, events } = yield* dataFilesIn(folder)
  const now = yield* Clock.currentTimeMillis
  const pages = deep
    ? yield* Effect.zipWith(
        checkPages(metadata, "metadata.sqlite"),
        checkPages(events, "events.sqlite"),
        (first, second) => [...first, ...second]
      )
    : []
  const segments = deep ? yield* checkSegments(events) : []
  const retention = deep ? yield* checkRetention({ metadata, events }, retentionDays, now) : []
  const audit = deep ? yield* checkAudit(metadata) : []
  const findings = yield* Effect.all([
    Effect.succeed(good(`Node ${process.version}`)),
    ...writable,
    readers,
    ...(isDeletedAtOnce ? [] : [disk]),
    checkFile(metadata, "metadata.sqlite (people, keys, projects)", restore),
    checkFile(events, "events.sqlite (markers)", restore),
    checkPair({ metadata, events })
  ])
  const repairs = yield* checkRepairs({ metadata, events })
  const rows = yield* checkRows(metadata, deep)
  const formats = yield* checkFormats(metadata, events)
  return [...findings, ...formats, ...repairs, ...rows, ...pages, ...segments, ...retention, ...audit]
})
