import Database from "better-sqlite3"
import { Effect } from "effect"
import { describeMismatch } from "../../../domain/operations/FilePair.ts"
import type { DataFiles } from "../DataFolder.ts"
import { findMismatch } from "./FoundFiles.ts"
import { bad, type Finding, good } from "../../../domain/operations/Finding.ts"

interface Row {
  readonly kind: string
  readonly text: string
  readonly found_at: number
  readonly accepted_at: number | null
}

const dateOf = (instant: number): string => new Date(instant).toISOString()

const findingOf = ({ kind, text, found_at: foundAt, accepted_at: acceptedAt }: Row): Finding => {
  const found = `Found at the start of ${dateOf(foundAt)}: ${text}`
  if (kind !== "lost") return good(acceptedAt === null ? found : `${found}. Deleted at ${dateOf(acceptedAt)}`)
  return acceptedAt === null
    ? bad(`${found}. Put back both files of one backup, or accept the loss with doctor --accept`)
    : good(`${found}. Accepted at ${dateOf(acceptedAt)}`)
}

const rowsOf = (file: string): ReadonlyArray<Row> => {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  const isNoted = database.prepare("select 1 from sqlite_schema where name = 'repairs'").get() !== undefined
  const rows = isNoted
    ? database.prepare<[], Row>("select kind, text, found_at, accepted_at from repairs order by id").all()
    : []
  database.close()
  return rows
}

/** Whether the two files belong together. */
export const checkPair = (files: DataFiles) =>
  findMismatch(files).pipe(
    Effect.map((mismatch) =>
      mismatch === null
        ? good("metadata.sqlite and events.sqlite belong together")
        : bad(describeMismatch(mismatch, files))
    ),
    Effect.catchAll(({ message }) => Effect.succeed(bad(message)))
  )

/** What starts have had to repair, and what of it waits for a human: one finding each. */
export const checkRepairs = ({ metadata }: DataFiles) =>
  Effect.try(() => rowsOf(metadata).map(findingOf)).pipe(Effect.orElseSucceed((): ReadonlyArray<Finding> => []))
