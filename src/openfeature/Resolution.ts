import { ErrorCode, type JsonValue, type ResolutionDetails, StandardResolutionReasons } from "@openfeature/core"
import type { Evaluation } from "../sdk/Evaluation.ts"
import type { RunningExperiment } from "../sdk/RunningExperiments.ts"
import { type Decision, decisionOf } from "./Decision.ts"
import { definitionOf, pathsOf, valueAt } from "./Flag.ts"

/** What the value of a flag follows from. */
export interface Facts {
  /** The configuration as the unit gets it, or as everybody does. */
  readonly evaluation: Evaluation
  /** The experiments that run on it. */
  readonly experiments: ReadonlyArray<RunningExperiment>
  /** Whether the server could not be asked lately. */
  readonly isStale: boolean
}

export type IsKind<Value> = (value: unknown) => value is Value

export const isBoolean = (value: unknown): value is boolean => typeof value === "boolean"
export const isText = (value: unknown): value is string => typeof value === "string"
export const isNumber = (value: unknown): value is number => typeof value === "number"
export const isStructure = <Value extends JsonValue>(value: unknown): value is Value =>
  typeof value === "object" && value !== null

/** The caller's default, because of an error. */
export const failed = <Value>(value: Value, errorCode: ErrorCode, errorMessage: string): ResolutionDetails<Value> => ({
  value,
  reason: StandardResolutionReasons.ERROR,
  errorCode,
  errorMessage
})

const found = <Value>(
  { isStale }: Facts,
  { reason, metadata }: Decision,
  value: Value,
  variant: string
): ResolutionDetails<Value> => ({
  value,
  variant,
  reason: isStale ? StandardResolutionReasons.STALE : reason,
  flagMetadata: metadata
})

const baseVariant = "base"

/** The value of a flag, or why the caller's default holds. */
export const resolve = <Value>(
  facts: Facts,
  key: string,
  fallback: Value,
  isKind: IsKind<Value>
): ResolutionDetails<Value> => {
  const { configuration } = facts.evaluation
  const paths = pathsOf(key)
  const value = paths.map((path) => valueAt(configuration, path)).find((each) => each !== undefined)
  if (value === undefined) return failed(fallback, ErrorCode.FLAG_NOT_FOUND, `The configuration has no ${key}`)
  const mismatch = () => failed(fallback, ErrorCode.TYPE_MISMATCH, `${key} is not a ${typeof fallback}`)
  const decision = decisionOf(facts.evaluation, facts.experiments, paths)
  const definition = definitionOf(value)
  if (definition === null) {
    if (value === null) return { value: fallback, reason: StandardResolutionReasons.DEFAULT }
    return isKind(value) ? found(facts, decision, value, decision.group ?? baseVariant) : mismatch()
  }
  const { variants, defaultVariant, isEnabled, metadata } = definition
  if (!isEnabled) return { value: fallback, reason: StandardResolutionReasons.DISABLED, flagMetadata: metadata }
  if (defaultVariant === null)
    return { value: fallback, reason: StandardResolutionReasons.DEFAULT, flagMetadata: metadata }
  if (!Object.hasOwn(variants, defaultVariant))
    return failed(fallback, ErrorCode.GENERAL, `${key} has no variant ${defaultVariant}`)
  const chosen = variants[defaultVariant]
  const full = { ...decision, metadata: { ...metadata, ...decision.metadata } }
  return isKind(chosen) ? found(facts, full, chosen, defaultVariant) : mismatch()
}
