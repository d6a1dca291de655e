import type { Event, Position, Value, Values } from "../../domain/analytics/markers/Event.ts"

/** Names that are their own paths. */
const plain = /^[\w-]*$/

/**
 * The path of a name without its type. Dots would divide it, so they are written as a percent sign and two digits, as is all that a name of
 * ClickHouse could not have.
 */
export const pathOf = (name: string): string =>
  plain.test(name) ? name : encodeURIComponent(name.toWellFormed()).replaceAll(".", "%2E")

/** Texts of which JSON changes no character, as most are. */
const unchanged = /^[ !#-[\]-~]*$/

/** A text of JSON in UTF-8. */
const textOf = (text: string): string => (unchanged.test(text) ? `"${text}"` : JSON.stringify(text.toWellFormed()))

/** With a point, so that it becomes a double; -0 is 0. */
const numberText = (number: number): string =>
  Number.isInteger(number) && Math.abs(number) < 1e21 ? `${number + 0}.0` : String(number)

const pathAndText = (name: string, value: Value): string => {
  const path = pathOf(name)
  switch (typeof value) {
    case "number":
      return `"n_${path}":${numberText(value)}`
    case "string":
      return `"s_${path}":${textOf(value)}`
    case "boolean":
      return `"b_${path}":${value}`
    default:
      return `"l_${path}":${textOf(JSON.stringify(value))}`
  }
}

/**
 * Values with a path for each name and type of value: `n_` numbers, `s_` texts, `b_` booleans, `l_` lists as JSON. So 1, "1" and true stay
 * apart, and every path has one type.
 */
const valuesText = (values: Values): string => {
  let text = ""
  for (const name in values) {
    const value = values[name]
    if (value !== undefined) text += `${text === "" ? "" : ","}${pathAndText(name, value)}`
  }
  return `{${text}}`
}

/** The columns of a text that may be missing: then they are left out. */
const maybeColumns = (name: string, text: string | null, flag: string): string =>
  text === null ? "" : `,"${name}":${textOf(text)},"${flag}":true`

const placeColumns = ([x, y, z]: Position): string => `,"x":${x + 0},"y":${y + 0},"z":${z + 0}`

/**
 * A marker as a line of the table, but for its beginning with the sequence, which is known when it is stored: `lineOf` completes it, or whoever
 * stores it. What a line leaves out is null, "" or false.
 */
export const unnumberedLine = (environment: number, receivedAt: number, event: Event): string => {
  const { type, timestamp, unitId, sessionId, serverId, clamped, markerId, position } = event
  const who = `${maybeColumns("unit", unitId, "hasUnit")}${maybeColumns("session", sessionId, "hasSession")}${maybeColumns("server", serverId, "hasServer")}`
  const place = position === null ? "" : placeColumns(position)
  return `"environment":${environment},"type":${textOf(type)},"at":${timestamp}${who},"delay":${receivedAt - timestamp}${clamped ? ',"clamped":true' : ""},"id":"${markerId}"${place},"a":${valuesText(event.arguments)},"p":${valuesText(event.properties)}}`
}

/** The line with its sequence. */
export const lineOf = (unnumbered: string, sequence: number): string => `{"sequence":${sequence},${unnumbered}`
