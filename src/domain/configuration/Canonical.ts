import type { Document, Json, Path } from "./Document.ts"
import { isObject } from "./Document.ts"

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The canonical JSON text, independent of the order of keys (RFC 8785, JSON Canonicalization Scheme). */
export const canonical = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonical(item)).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort(byCodeUnits)
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key]!)}`).join(",")}}`
}

/** Values that `contentSteps` writes in one step. */
const valuesPerStep = 4096

interface Counted {
  values: number
}

const isNested = (value: Json): value is ReadonlyArray<Json> | Document => typeof value === "object" && value !== null

/** `canonical` in steps of so many values. */
function* canonicalSteps(value: Json, counted: Counted): Generator<undefined, string> {
  if (!isNested(value)) return JSON.stringify(value)
  const fields = isObject(value) ? Object.keys(value).sort(byCodeUnits) : null
  const [items, length] = [isObject(value) ? [] : value, fields === null ? Object.keys(value).length : fields.length]
  let text = ""
  for (let at = 0; at < length; at++) {
    const key = fields?.[at]
    const each = key === undefined || !isObject(value) ? items[at]! : value[key]!
    const written = isNested(each) ? yield* canonicalSteps(each, counted) : JSON.stringify(each)
    text += `${at === 0 ? "" : ","}${key === undefined ? "" : `${JSON.stringify(key)}:`}${written}`
    if (++counted.values % valuesPerStep === 0) yield undefined
  }
  return fields === null ? `[${text}]` : `{${text}}`
}

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
  return contentOf(yield* canonicalSteps(document, { values: 0 }), privacy)
}
