import { Option } from "effect"
import { isObject } from "../Collector.ts"
import { exactJson } from "../ExactJson.ts"

type Entries = Readonly<Record<string, unknown>>

/** Fields that an export has, and no dialect of games. */
const ownFields = ["unitId", "arguments", "position", "x"]

const positionIn = ({ position, x, y, z }: Entries): unknown =>
  position ?? (typeof x === "number" && typeof y === "number" && typeof z === "number" ? [x, y, z] : null)

/**
 * A row of an export of ours (`markerColumns`) as a game would send the marker, so that it is the same marker, also by its id; anything
 * else as it is. What a dialect of games says in its own words goes first.
 */
export const asSent = (content: unknown): unknown => {
  if (!isObject(content) || content["eventName"] !== undefined) return content
  if (!ownFields.some((name) => content[name] !== undefined && content[name] !== null)) return content
  const { unitId, arguments: values, x: _, y: __, z: ___, position: ____, ...rest } = content
  const position = positionIn(content)
  const properties = rest["properties"] ?? {}
  return {
    ...rest,
    distinctId: rest["distinctId"] ?? rest["userId"] ?? unitId,
    value: rest["value"] ?? values,
    properties: position === null || !isObject(properties) ? properties : { ...properties, position }
  }
}

/** The order of receipt that a row of an export of ours tells, and its instant; undefined for anything else. */
export const receiptOf = (content: unknown): { readonly sequence: number; readonly timestamp: string } | undefined => {
  if (!isObject(content) || content["eventName"] !== undefined) return undefined
  const { sequence, timestamp } = content
  return typeof sequence === "number" && typeof timestamp === "string" ? { sequence, timestamp } : undefined
}

const storedJson = Option.liftThrowable((json: string): unknown => JSON.parse(json))

/**
 * The value of one line of markers; none for what is no JSON. The numbers in a row of an export of ours are numbers that were stored, so that long
 * ones stay numbers. In anything else they are texts.
 */
export const markerJson = (json: string): Option.Option<unknown> =>
  Option.flatMap(exactJson(json), (value) => (receiptOf(value) === undefined ? Option.some(value) : storedJson(json)))
