import type { EvaluateConfiguration } from "../../../schema/game/SdkConfigurations.ts"
import { isObject } from "../../../schema/Words.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import type { NamedUnits } from "../../services/game/SdkExperiments.ts"

const backslash = 0x5c

/** Whether no text in the JSON has escaped characters: where every field is known, there is then no flaw that `flawOf` looks for. */
export const isUnescaped = (json: Buffer): boolean => !json.includes(backslash)

const isText = (value: unknown, low: number, high: number): value is string =>
  typeof value === "string" && value.length >= low && value.length <= high

const isUnitType = (value: unknown): value is UnitType => value === "user" || value === "server"

const hasFields = (value: object, count: number): boolean => Object.keys(value).length === count

/**
 * A question that says nothing of its unit but its name, as the schema of `EvaluateConfiguration` would decode it, for a tenth of the time.
 * Undefined leaves the value to the schema: it may still be a question.
 */
export const plainEvaluationIn = (value: unknown): EvaluateConfiguration | undefined => {
  if (!isObject(value)) return undefined
  const { configuration, knownHash, unit } = value
  if (!isObject(unit) || !hasFields(unit, 2)) return undefined
  const { type, distinctId } = unit
  if (!isUnitType(type) || !isText(distinctId, 1, 256)) return undefined
  const asked = { type, distinctId }
  if (configuration === undefined && knownHash === undefined) return hasFields(value, 1) ? { unit: asked } : undefined
  if (configuration !== undefined && !isText(configuration, 1, 100)) return undefined
  if (knownHash !== undefined && !isText(knownHash, 0, 256)) return undefined
  const named = configuration === undefined ? {} : { configuration }
  const known = knownHash === undefined ? {} : { knownHash }
  const fields = 1 + Number(configuration !== undefined) + Number(knownHash !== undefined)
  return hasFields(value, fields) ? { ...named, unit: asked, ...known } : undefined
}

/** Units of one request. */
const mostUnits = 250

/** The same of `AssignUnits`: units of which nothing is said but their names. */
export const namedUnitsIn = (value: unknown): NamedUnits | undefined => {
  if (!isObject(value) || !hasFields(value, 2)) return undefined
  const { unitType, units } = value
  if (!isUnitType(unitType) || !Array.isArray(units) || units.length === 0 || units.length > mostUnits) return undefined
  const all: ReadonlyArray<unknown> = units
  const distinctIds: Array<string> = []
  for (const unit of all) {
    if (!isObject(unit) || !hasFields(unit, 1) || !isText(unit["distinctId"], 1, 256)) return undefined
    distinctIds.push(unit["distinctId"])
  }
  return { unitType, distinctIds }
}
