import type { Document, Json, Path } from "./Document.ts"
import { isObject, keysOf } from "./Document.ts"

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The canonical JSON text, independent of the order of keys (RFC 8785, JSON Canonicalization Scheme). */
export const canonical = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonical(item)).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort(byCodeUnits)
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key]!)}`).join(",")}}`
}

/** Values that one step writes. */
const valuesPerStep = 4096

/** The keys of an object, sorted in parts and then merged: to sort 60,000 at once takes tens of milliseconds. */
function* sortedSteps(keys: ReadonlyArray<string>): Generator<undefined, ReadonlyArray<string>> {
  let parts: ReadonlyArray<ReadonlyArray<string>> = [[]]
  for (let at = 0; at < keys.length; at += valuesPerStep) {
    if (at > 0) yield undefined
    const part = keys.slice(at, at + valuesPerStep).sort(byCodeUnits)
    parts = at === 0 ? [part] : [...parts, part]
  }
  while (parts.length > 1) {
    const merged: Array<ReadonlyArray<string>> = []
    for (let at = 0; at < parts.length; at += 2) merged.push(yield* mergedSteps(parts[at] ?? [], parts[at + 1] ?? []))
    parts = merged
  }
  return parts[0] ?? []
}

function* mergedSteps(a: ReadonlyArray<string>, b: ReadonlyArray<string>): Generator<undefined, ReadonlyArray<string>> {
  if (b.length === 0) return a
  const merged: Array<string> = []
  for (let [from, of] = [0, 0]; merged.length < a.length + b.length;) {
    const [left, right] = [a[from], b[of]]
    if (right === undefined || (left !== undefined && left < right)) {
      merged.push(left ?? "")
      from++
    } else {
      merged.push(right)
      of++
    }
    if (merged.length % valuesPerStep === 0) yield undefined
  }
  return merged
}

/** The fields of an object in the order in which they are written. */
type Order = (keys: ReadonlyArray<string>) => Generator<undefined, ReadonlyArray<string>>

// eslint-disable-next-line require-yield
function* asTheyAre(keys: ReadonlyArray<string>): Generator<undefined, ReadonlyArray<string>> {
  return keys
}

const isNested = (value: Json): value is ReadonlyArray<Json> | Document => typeof value === "object" && value !== null

function* writtenSteps(value: Json, order: Order, counted: { values: number }): Generator<undefined, string> {
  if (!isNested(value)) return JSON.stringify(value)
  const keys = isObject(value) ? yield* order(keysOf(value)) : null
  const items = isObject(value) ? [] : value
  let text = keys === null ? "[" : "{"
  for (let at = 0; at < (keys ?? items).length; at++) {
    const key = keys?.[at]
    const each = key === undefined || !isObject(value) ? items[at]! : value[key]!
    const written = isNested(each) ? yield* writtenSteps(each, order, counted) : JSON.stringify(each)
    text += `${at === 0 ? "" : ","}${key === undefined ? "" : `${JSON.stringify(key)}:`}${written}`
    if (++counted.values % valuesPerStep === 0) yield undefined
  }
  return text + (keys === null ? "]" : "}")
}

/** What `JSON.stringify` writes, in steps: after each, others may have a turn. */
export const jsonTextSteps = (value: Json): Generator<undefined, string> =>
  writtenSteps(value, asTheyAre, { values: 0 })

const contentOf = (document: string, privacy: ReadonlyArray<Path>): string => {
  const paths = [...new Set(privacy.map((path) => JSON.stringify(path)))].sort(byCodeUnits)
  return `{"configuration":${document},"privacy":[${paths.join(",")}]}`
}

/**
 * The text whose hash is a configuration's hash: it changes exactly when the document or the set of private paths does.
 */
export const content = (document: Document, privacy: ReadonlyArray<Path>): string =>
  contentOf(canonical(document), privacy)

/** The same text in steps: after each, others may have a turn. */
export function* contentSteps(document: Document, privacy: ReadonlyArray<Path>): Generator<undefined, string> {
  return contentOf(yield* writtenSteps(document, sortedSteps, { values: 0 }), privacy)
}
