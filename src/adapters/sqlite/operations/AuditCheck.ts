import Database from "better-sqlite3"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import {
  type AuditChain,
  type AuditEntry,
  type ChainFlaw,
  checkEnd,
  checkEntries,
  checkFrom
} from "../../../domain/operations/audit/AuditEntry.ts"
import { bad, type Finding, good } from "../../../domain/operations/Finding.ts"

type Chain = AuditChain & { readonly organizationId: number }

type Link = Pick<AuditEntry, "number" | "text" | "previous" | "hash">

/** Entries that are in memory at once. */
const portion = 1000

const hash = (text: string): string => createHash("sha256").update(text).digest("base64url")

const isThere = "select count(*) from sqlite_schema where type = 'table' and name = 'audit_chains'"

const chainsOf = `select organization_id as organizationId, last, last_hash as lastHash, first, anchor
  from audit_chains order by organization_id`

const entriesFrom = `select number, content as text, previous, hash
  from audit_entries where organization_id = ? and number >= ? order by number limit ${portion}`

const flawOf = (database: Database.Database, chain: Chain): ChainFlaw | null => {
  const entries = database.prepare<[number, number], Link>(entriesFrom)
  let check = checkFrom(chain)
  while (check.next <= chain.last) {
    const found = entries.all(chain.organizationId, check.next)
    if (found.length === 0) break
    const result = checkEntries(check, found, hash)
    if (!("next" in result)) return result
    check = result
  }
  return checkEnd(check, chain)
}

const flawText = (organizationId: number, { kind, number }: ChainFlaw): string =>
  `The log of changes of organization ${organizationId} was changed by hand or restored in part: entry ${number} ${
    kind === "missing" ? "is missing" : "is not as it was written"
  }`

const look = (database: Database.Database): ReadonlyArray<Finding> => {
  if (database.prepare<[], number>(isThere).pluck().get() === 0) return []
  const chains = database.prepare<[], Chain>(chainsOf).all()
  const flaws = chains.flatMap((chain) => {
    const flaw = flawOf(database, chain)
    return flaw === null ? [] : [bad(flawText(chain.organizationId, flaw))]
  })
  const count = chains.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  return flaws.length > 0 ? flaws : [good(`All ${count} entries of the log of changes are as they were written`)]
}

/** Compares every entry of the log of changes with its hash, and with the entry before. Reads one instant of the file. */
export const checkAudit = (metadata: string) =>
  Effect.acquireUseRelease(
    Effect.try(() => new Database(metadata, { readonly: true, fileMustExist: true })),
    (database) => Effect.try(() => database.transaction(() => look(database))()),
    (database) => Effect.sync(() => database.close())
  ).pipe(Effect.orElseSucceed(() => [bad("The log of changes cannot be read")]))
