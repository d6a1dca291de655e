import type { Endpoint } from "../support/Endpoints.ts"
import { endpoints } from "../support/Endpoints.ts"
import { pathIn } from "../support/analytics/Snapshot.ts"

type Id = string | number

/** Ids of a name that are kept; older ones make room. */
const mostKept = 12

const singular = (word: string): string => word.replace(/ies$/, "y").replace(/s$/, "")

/** Fields that stand in paths beside ids. */
const others: ReadonlySet<string> = new Set(["token", "slug", "handle", "version"])

/** Names of the path parameters that continue each path: what a list or a creation at that path answers has such ids. */
const continuations = new Map(
  endpoints().flatMap(({ path }) =>
    [...path.matchAll(/\/:([A-Za-z]+)/g)].map(({ index, 1: name = "" }) => [path.slice(0, index), name] as const)
  )
)

const ownName = ({ path }: Endpoint): string | undefined =>
  continuations.get(path) ?? /\/:([A-Za-z]+)(?:\/(?:rotate|copy))?$/.exec(path)?.[1]

/** The ids of one tenant, by the name they have in paths: gathered from what the server answers. */
export class Ids {
  private readonly found = new Map<string, Array<Id>>()

  add(name: string, id: unknown): void {
    if ((typeof id !== "string" && typeof id !== "number") || id === "") return
    const ids = this.found.get(name) ?? []
    if (ids.includes(id)) return
    ids.push(id)
    if (ids.length > mostKept) ids.shift()
    this.found.set(name, ids)
  }

  of(name: string): ReadonlyArray<Id> {
    return this.found.get(name) ?? []
  }

  /** Notes every id of an answer: fields that end in `Id`, and the `id` of objects by the field that holds them. */
  gather(endpoint: Endpoint, answered: unknown): void {
    this.read(answered, ownName(endpoint), 0)
  }

  private read(value: unknown, idName: string | undefined, depth: number): void {
    if (typeof value !== "object" || value === null || depth > 5) return
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) this.read(item, idName, depth + 1)
      return
    }
    for (const [key, inner] of Object.entries(value)) {
      if (key === "id" && idName !== undefined) this.add(idName, inner)
      else if (/[a-z]Id$/.test(key) || others.has(key)) this.add(key, inner)
      else this.read(inner, key === "items" ? idName : `${singular(key)}Id`, depth + 1)
    }
  }
}

const choices = 24

/**
 * An id of that name, the choice of which decides between the tenant's own ids, one in 24 times another tenant's, and one in 24 times one
 * that nobody has.
 */
export const chosen = (name: string, choice: number, own: Ids, foreign: Ids): Id => {
  const kind = choice % choices
  const ids = kind === choices - 1 ? foreign.of(name) : kind === choices - 2 ? [] : own.of(name)
  return ids[Math.floor(choice / choices) % Math.max(ids.length, 1)] ?? pathIn(`:${name}`, {})
}

/** What stands in a body or a query string for an id that is known only when it is sent. */
export const placeholder = (name: string, choice: number): string => `known:${name}:${choice}`

/** The text with ids in place of placeholders, as JSON values where a placeholder is a whole JSON text. */
export const filledIn = (text: string, own: Ids, foreign: Ids): string => {
  const idOf = (name: string, choice: string) => {
    const id = chosen(name, Number(choice), own, foreign)
    return typeof id === "string" && /^\d{1,15}$/.test(id) ? Number(id) : id
  }
  return text
    .replace(/"known:(\w+):(\d+)"/g, (_, name: string, choice: string) => JSON.stringify(idOf(name, choice)))
    .replace(/known:(\w+):(\d+)/g, (_, name: string, choice: string) => String(idOf(name, choice)))
}
