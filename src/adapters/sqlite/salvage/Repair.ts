import { FileSystem, Path } from "@effect/platform"
import Database from "better-sqlite3"
import { Clock, Data, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import type { PairIds } from "../../../domain/operations/FilePair.ts"
import { describeLoss, describeTable, isWhole, type SalvageReport } from "../../../domain/operations/Salvage.ts"
import { ifStopped } from "../../../ports/operations/MeaningOfStop.ts"
import { reasonOf } from "../../local/ReasonOf.ts"
import { acquireDataFolder, type DataFiles, dataFilesIn, isFolderInUse } from "../DataFolder.ts"
import { MetadataDb } from "../MetadataDb.ts"
import { syncFolder } from "../operations/CompressedFile.ts"
import { cutOffIn, removeCutOff, repairing } from "../operations/CutOff.ts"
import { lostAssignmentsNote } from "../operations/LostAssignments.ts"
import { salvageEvents } from "./EventsSalvage.ts"
import { salvageMetadata } from "./MetadataSalvage.ts"

/** A folder cannot be repaired. `message` is one line for the operator. */
export class RepairRefused extends Data.TaggedError("RepairRefused")<{ readonly message: string }> {}

/** What the lock of this process leaves in the folder. */
const lockFile = /^lock(-journal)?$/

const inFile = <A>(file: string, use: (database: Database.Database) => A): A => {
  const database = new Database(file, { fileMustExist: true })
  const result = use(database)
  database.pragma("wal_checkpoint(truncate)")
  database.close()
  return result
}

const idsIn = (file: string): PairIds | undefined =>
  inFile(file, (database) => database.prepare<[], PairIds>("select own, partner from file_pair").get())

const putIds = (file: string, { own, partner }: PairIds): void =>
  inFile(file, (database) => {
    database.exec("delete from file_pair")
    database.prepare<[string, string | null]>("insert into file_pair (own, partner) values (?, ?)").run(own, partner)
  })

/** A file that has lost the ids by which the two belong together gets them from the other one. */
const pairAgain = ({ metadata, events }: DataFiles): void => {
  const [first, second] = [idsIn(metadata), idsIn(events)]
  if (first !== undefined && second !== undefined) return
  const ownOfMetadata = first?.own ?? second?.partner ?? randomUUID()
  const ownOfEvents = second?.own ?? first?.partner ?? randomUUID()
  putIds(metadata, { own: ownOfMetadata, partner: ownOfEvents })
  putIds(events, { own: ownOfEvents, partner: ownOfMetadata })
}

interface Note {
  readonly name: string
  readonly value: number
}

const notesIn = (file: string, table: string): ReadonlyArray<Note> =>
  inFile(file, (database) =>
    database.prepare<[], Note>(`select name, value from ${table} where name in ('round', 'noted_at')`).all()
  )

const putNotes = (file: string, table: string, notes: ReadonlyArray<Note>): void =>
  inFile(file, (database) => {
    const put = database.prepare<[string, number]>(`insert or ignore into ${table} (name, value) values (?, ?)`)
    for (const { name, value } of notes) put.run(name, value)
  })

/** A file that has lost the number of their last common note gets it from the other one, so that neither is taken for an older copy. */
const noteAgain = ({ metadata, events }: DataFiles): void => {
  const [first, second] = [notesIn(metadata, "file_notes"), notesIn(events, "partner_note")]
  putNotes(metadata, "file_notes", second)
  putNotes(events, "partner_note", first)
}

/** Exposures tell to whom assignments belonged that are lost: the first start reads them all. */
const leaveAssignments = (file: string, { metadata }: SalvageReport): void => {
  if (metadata.every((table) => table.name !== "assignments" || isWhole(table))) return
  inFile(file, (database) =>
    database.prepare("insert or replace into file_notes (name, value) values (?, 1)").run(lostAssignmentsNote)
  )
}

/** What the report says is lost, a line each. */
export const linesOf = ({ losses, metadata, events, notes }: SalvageReport): ReadonlyArray<string> => [
  ...losses.map(describeLoss),
  ...metadata.filter((table) => !isWhole(table)).map((table) => describeTable("metadata.sqlite", table)),
  ...events.filter((table) => !isWhole(table)).map((table) => describeTable("events.sqlite", table)),
  ...notes
]

/** The doctor lists what was lost as accepted: whoever repairs a folder has been told. */
const remember = (file: string, report: SalvageReport, now: number): void =>
  inFile(file, (database) => {
    const put = database.prepare<[number, string, number]>(
      "insert into repairs (found_at, kind, environment_id, text, accepted_at) values (?, 'lost', null, ?, ?)"
    )
    for (const line of linesOf(report)) put.run(now, `By the repair: ${line}`, now)
  })

const attempted = <A>(what: string, work: () => A) =>
  Effect.try({ try: work, catch: (cause) => new RepairRefused({ message: `${what}: ${reasonOf(cause)}` }) })

/** Refuses a folder that a server uses, or in which a file is missing. */
const demandDamaged = Effect.fnUntraced(function* (data: string) {
  const files = yield* FileSystem.FileSystem
  const from = yield* dataFilesIn(data)
  for (const file of [from.metadata, from.events])
    if (!(yield* files.exists(file)))
      return yield* new RepairRefused({ message: `${file} is missing, so there is nothing to repair from` })
  if (yield* isFolderInUse(data))
    return yield* new RepairRefused({ message: `Another gamekeeper uses the data folder ${data}: stop it first` })
  return from
})

/** Nothing may be written into the damaged folder. */
const demandApart = Effect.fnUntraced(function* (data: string, to: string) {
  const path = yield* Path.Path
  const way = path.relative(path.resolve(data), path.resolve(to))
  const isWithin = way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way)
  if (isWithin)
    return yield* new RepairRefused({ message: `The folder ${to} is in the damaged one, ${data}: name one elsewhere` })
})

/** Answers what a repair into the folder that was cut off has left there. */
const demandEmpty = Effect.fnUntraced(function* (to: string) {
  const files = yield* FileSystem.FileSystem
  if (yield* isFolderInUse(to))
    return yield* new RepairRefused({ message: `Another gamekeeper uses the data folder ${to}: name another one` })
  const isThere = yield* files.exists(to)
  const left = isThere ? (yield* cutOffIn(to)).filter(({ command }) => command === "repair") : []
  const isLeft = (name: string) => left.some((each) => each.name === name)
  const present = isThere
    ? (yield* files.readDirectory(to)).filter((name) => !lockFile.test(name) && !isLeft(name))
    : []
  if (present.length > 0)
    return yield* new RepairRefused({
      message: `The folder ${to} is not empty (${present.slice(0, 4).join(", ")}): name a new one`
    })
  return left
})

interface RepairWish {
  /** The damaged folder, which no server uses and in which nothing is changed. */
  readonly data: string
  /** A folder that does not exist or is empty. */
  readonly to: string
}

/**
 * Makes a new data folder of what can be read of a damaged one, and answers what was lost. Both files get into their place when both are
 * complete.
 */
export const repair = Effect.fnUntraced(function* ({ data, to }: RepairWish) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const from = yield* demandDamaged(data)
  yield* demandApart(data, to)
  const left = yield* demandEmpty(to)
  const target = yield* acquireDataFolder(to)
  yield* removeCutOff(to, left)
  const begun = path.join(to, repairing)
  yield* Effect.acquireRelease(files.makeDirectory(begun, { mode: 0o700 }), () =>
    Effect.ignoreLogged(files.remove(begun, { recursive: true, force: true }))
  )
  const fresh = yield* dataFilesIn(begun)
  yield* Effect.scoped(Layer.build(MetadataDb(fresh.metadata)))
  // The first start makes checksums of what is in the file then.
  yield* files.remove(`${fresh.metadata}-sums`, { force: true })
  const metadata = yield* attempted(`${from.metadata} cannot be repaired`, () =>
    salvageMetadata(from.metadata, fresh.metadata)
  )
  const events = yield* attempted(`${from.events} cannot be repaired`, () =>
    salvageEvents(from.events, fresh.events, metadata.sequences)
  )
  const report: SalvageReport = {
    environments: events.environments,
    losses: events.losses,
    metadata: metadata.tables,
    events: events.tables,
    notes: [...metadata.notes, ...events.notes],
    withoutSums: [...(metadata.hasSums ? [] : ["metadata.sqlite"]), ...(events.hasSums ? [] : ["events.sqlite"])]
  }
  const now = yield* Clock.currentTimeMillis
  yield* attempted(`${to} cannot be written`, () => {
    pairAgain(fresh)
    noteAgain(fresh)
    leaveAssignments(fresh.metadata, report)
    remember(fresh.metadata, report, now)
  })
  // Each name lasts through a power cut before the next one, and before anybody is told of the repair.
  const putInPlace = Effect.forEach(["metadata", "events"] as const, (name) =>
    files
      .chmod(fresh[name], 0o600)
      .pipe(
        Effect.zipRight(files.rename(fresh[name], target[name])),
        Effect.zipRight(Effect.promise(() => syncFolder(to)))
      )
  )
  yield* Effect.uninterruptible(
    Effect.zipRight(putInPlace, ifStopped(`${to} holds what could be read of ${data}, but what is lost was not said`))
  )
  return report
}, Effect.scoped)
