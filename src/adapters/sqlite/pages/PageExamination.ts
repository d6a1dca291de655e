import Database from "better-sqlite3"
import { closeSync, openSync } from "node:fs"
import { missingFrom } from "./LogMark.ts"
import { damagedAmong, damagedPages, ownersOf } from "./PageCheck.ts"
import { PageSums, sumsSuffix } from "./PageSums.ts"
import { isSameOrigin } from "./Token.ts"
import { TokenTable } from "./TokenTable.ts"
import { inspectLog } from "./WriteAheadLog.ts"

/** How often is looked again at what seems to be damaged: a server that runs may have been writing it. */
const attempts = 5

interface Look {
  /** What is wrong with the log, so that no page can be looked at; null: nothing. */
  readonly log: string | null
  /** Pages that seem not to be as they were written. */
  readonly pages: ReadonlyArray<number>
}

const nothing: Look = { log: null, pages: [] }

/** Looks at every page, or at `suspects` alone. */
const lookOnce = (
  file: string,
  db: Database.Database,
  descriptor: number,
  suspects: ReadonlyArray<number> | null
): Look => {
  const stored = PageSums.read(`${file}${sumsSuffix}`, "r")
  if (stored === null) return nothing
  const { header, sums } = stored
  sums.close()
  const log = inspectLog(`${file}-wal`, header.pageSize)
  const missing = missingFrom(log, header.mark) ?? log.damage
  if (missing !== null) return { log: `The log ${file}-wal is damaged: ${missing}`, pages: [] }
  const token = TokenTable.of(db)?.read() ?? null
  if (token === null || !isSameOrigin(token, header.token)) return nothing
  const count = log.frames > 0 ? Math.min(header.pageCount, log.pageCount) : header.pageCount
  const pages =
    suspects === null
      ? damagedPages(descriptor, header.pageSize, count, sums, log.pages)
      : damagedAmong(
          suspects.filter((page) => page <= count && !log.pages.has(page)),
          descriptor,
          header.pageSize,
          sums
        )
  return { log: null, pages }
}

/**
 * Looks again and again, at the same pages: one that was written between its checksum and itself being read is sound at the next look, and
 * in a large file there is always one.
 */
export const untilSure = (look: (suspects: ReadonlyArray<number> | null) => Look): Look => {
  let [found, suspects]: [Look, ReadonlyArray<number> | null] = [nothing, null]
  for (let attempt = 0; attempt < attempts; attempt++) {
    found = look(suspects)
    if (found.log !== null) continue
    if (found.pages.length === 0) return nothing
    suspects = found.pages
  }
  return found
}

/** Compares every page of a database with its checksum, without changing anything, also while a server has it open. */
export const examinePages = (file: string): ReadonlyArray<string> => {
  const descriptor = openSync(file, "r")
  const db = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const { log, pages } = untilSure((suspects) => lookOnce(file, db, descriptor, suspects))
    if (log !== null) return [log]
    if (pages.length === 0) return []
    return ownersOf(db, pages).map(
      (owner, at) => `${file}: page ${pages[at]} (${owner?.name ?? "unknown"}) is not as it was written`
    )
  } finally {
    db.close()
    closeSync(descriptor)
  }
}
