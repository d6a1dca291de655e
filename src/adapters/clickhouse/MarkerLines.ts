import type { Event, Value, Values } from "../../domain/analytics/markers/Event.ts"

/**
 * The path of a name without its type. Dots would divide it, so they are written as a percent sign and two digits, as is all that a name of
 * ClickHouse could not have.
 */
export const pathOf = (name: string): string => encodeURIComponent(name.toWellFormed()).replaceAll(".", "%2E")

/** A text of JSON in UTF-8. */
const textOf = (text: string): string => JSON.stringify(text.toWellFormed())

/** With a point, so that it becomes a double; -0 is 0. */
const numberText = (number: number): string =>
  Number.isInteger(number) && Math.abs(number) < 1e21 ? (number + 0).toFixed(1) : String(number)

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
const valuesText = (values: Values): string =>
  `{${Object.entries(values)
    .map(([name, value]) => pathAndText(name, value))
    .join(",")}}`

/** A marker as a line of the table, but for the sequence, which is known when it is stored: `lineOf` completes it. */
export const unnumberedLine = (environment: number, receivedAt: number, event: Event): string => {
  const { type, timestamp, unitId, sessionId, serverId, clamped, markerId, position } = event
  const [x, y, z] = position ?? [null, null, null]
  const columns = {
    environment,
    type: type.toWellFormed(),
    at: timestamp,
    unit: unitId?.toWellFormed() ?? "",
    hasUnit: unitId !== null,
    session: sessionId?.toWellFormed() ?? "",
    hasSession: sessionId !== null,
    server: serverId?.toWellFormed() ?? "",
    hasServer: serverId !== null,
    delay: receivedAt - timestamp,
    clamped,
    id: markerId,
    x,
    y,
    z
  }
  return `${JSON.stringify(columns).slice(0, -1)},"a":${valuesText(event.arguments)},"p":${valuesText(event.properties)}}`
}

/** The line with its sequence. */
export const lineOf = (unnumbered: string, sequence: number): string => `{"sequence":${sequence},${unnumbered.slice(1)}`
