import { endOfText } from "../../JsonText.ts"
import type { Document, Json } from "../../configuration/Document.ts"

const quote = 0x22
const comma = 0x2c

/** The place after the value that begins at `at`: that of a comma, or of the bracket that ends what the value is in. */
const endOfValue = (json: string, at: number): number => {
  let depth = 0
  for (let place = at; place < json.length; place++) {
    const unit = json.charCodeAt(place)
    if (unit === quote) place = endOfText(json, place)
    else if (unit === 0x5b || unit === 0x7b) depth++
    else if (unit === 0x5d || unit === 0x7d) {
      if (depth === 0) return place
      depth--
    } else if (unit === comma && depth === 0) return place
  }
  return json.length
}

/**
 * Some fields of an object, from its JSON text as `JSON.stringify` writes it. What lies behind them is not read, and nothing else is
 * parsed: to parse a large document takes many times as long.
 */
export const fieldsOf = (json: string, names: ReadonlyArray<string>): Document => {
  const found: Array<readonly [string, Json]> = []
  for (let at = 1; at < json.length && json.charCodeAt(at) === quote && found.length < names.length;) {
    const nameEnd = endOfText(json, at)
    const valueEnd = endOfValue(json, nameEnd + 2)
    const name: string = JSON.parse(json.slice(at, nameEnd + 1))
    if (names.includes(name)) found.push([name, JSON.parse(json.slice(nameEnd + 2, valueEnd))])
    at = valueEnd + 1
  }
  return Object.fromEntries(found)
}
