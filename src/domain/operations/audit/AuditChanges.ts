import { firstCharacters } from "../../Characters.ts"
import { type Document, isObject, type Json, type Path } from "../../configuration/Document.ts"
import { diff, type DocumentChange } from "../../configuration/Diff.ts"
import { pathText } from "../../configuration/PathText.ts"
import type { AuditChange } from "./AuditEntry.ts"

/** Changes that an entry lists, and characters of a value that it shows. */
const mostChanges = 200
const longest = 1000

/** Names of fields of the API that hold what nobody must read later. */
const secret = /^(key|secret|token|password|currentPassword|newPassword|sdkKey)$/

/** Names of lists of players, who may have themselves erased: only their number is told. */
const players = /^(unitIds|userIds|units|players|members|assignments|distinctIds)$/

/** Fields whose content is the studio's own: what a key in it is called says nothing of what it holds. */
const own: ReadonlySet<string> = new Set(["configuration", "schema", "keyDescriptions", "groups", "definition", "spec"])

const shown = (key: string, value: Json): Json => {
  if (secret.test(key) && typeof value === "string") return "[hidden]"
  if (players.test(key) && Array.isArray(value)) return `[${value.length} players]`
  if (own.has(key)) return value
  if (Array.isArray(value)) return value.map((item: Json) => shown("", item))
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(name, inner)]))
    : value
}

/** The value at a path as it may be told. */
const told = ([first = "", ...rest]: Path, value: Json | undefined): Json | undefined =>
  value === undefined || own.has(first) ? value : shown(rest.at(-1) ?? first, value)

const textOf = (value: Json | undefined): string | null => {
  if (value === undefined) return null
  const text = JSON.stringify(value)
  const first = firstCharacters(text, longest)
  return first === text ? text : `${first}… (${text.length} characters)`
}

const changeOf = (change: DocumentChange): AuditChange => {
  const path = pathText("", change.path).replace(/^\./, "")
  const before = textOf(told(change.path, change.previous))
  return { path, before, after: change.op === "remove" ? null : textOf(told(change.path, change.value)) }
}

/** Secrets that an object holds beside its other fields: an address may have one of them in it. */
const secretsIn = (document: Document): ReadonlyArray<string> =>
  Object.entries(document).flatMap(([name, value]) =>
    secret.test(name) && typeof value === "string" && value !== "" ? [value] : []
  )

/** The change without values that have one of the secrets in them. */
const without =
  (secrets: ReadonlyArray<string>) =>
  ({ path, before, after }: AuditChange): AuditChange => {
    const safe = (text: string | null) =>
      text !== null && secrets.some((each) => text.includes(each)) ? '"[hidden]"' : text
    return { path, before: safe(before), after: safe(after) }
  }

const documentOf = (value: Json | null): Document => (value !== null && isObject(value) ? value : {})

/**
 * What differs between an object before and after a change, one line a value; null is an object that was not there. Secrets are hidden,
 * lists of players are told by their number, long values cut, and of very many changes the first are told.
 */
export const auditChanges = (
  before: Json | null,
  after: Json | null
): { readonly changes: ReadonlyArray<AuditChange>; readonly moreChanges: number } => {
  const [was, is] = [documentOf(before), documentOf(after)]
  const all = diff(was, is)
  const kept = all.slice(0, mostChanges).map(changeOf)
  const secrets = [...secretsIn(was), ...secretsIn(is)]
  return { changes: kept.map(without(secrets)), moreChanges: all.length - kept.length }
}
