import Database from "better-sqlite3"
import { closeSync, openSync } from "node:fs"
import { missingFrom } from "./LogMark.ts"
import { damagedPages, ownersOf } from "./PageCheck.ts"
import { PageSums, sumsSuffix } from "./PageSums.ts"
import { isSameOrigin } from "./Token.ts"
import { TokenTable } from "./TokenTable.ts"
import { inspectLog } from "./WriteAheadLog.ts"

/** How often pages are looked at again: a server that runs may have been writing them. */
const attempts = 3

const lookOnce = (file: string, db: Database.Database, descriptor: number): ReadonlyArray<string> => {
  const stored = PageSums.read(`${file}${sumsSuffix}`)
  if (stored === null) return []
  const { header, sums } = stored
  sums.close()
  const log = inspectLog(`${file}-wal`, header.pageSize)
  const missing = missingFrom(log, header.mark) ?? log.damage
  if (missing !== null) return [`The log ${file}-wal is damaged: ${missing}`]
  const token = TokenTable.of(db)?.read() ?? null
  if (token === null || !isSameOrigin(token, header.token)) return []
  const count = log.frames > 0 ? Math.min(header.pageCount, log.pageCount) : header.pageCount
  const damaged = damagedPages(descriptor, header.pageSize, count, sums, log.pages)
  return ownersOf(db, damaged).map(
    (owner, at) => `${file}: page ${damaged[at]} (${owner?.name ?? "unknown"}) is not as it was written`
  )
}

/** Compares every page of a database with its checksum, without changing anything, also while a server has it open. */
export const examinePages = (file: string): ReadonlyArray<string> => {
  const descriptor = openSync(file, "r")
  const db = new Database(file, { readonly: true, fileMustExist: true })
  try {
    let problems = lookOnce(file, db, descriptor)
    for (let attempt = 1; attempt < attempts && problems.length > 0; attempt++)
      problems = lookOnce(file, db, descriptor)
    return problems
  } finally {
    db.close()
    closeSync(descriptor)
  }
}
