import type { FlagMetadata } from "@openfeature/core"
import { isRecord } from "../sdk/Record.ts"

/** A value of a configuration that names its variants, as flagd writes flags. */
export interface FlagDefinition {
  readonly variants: Readonly<Record<string, unknown>>
  /** Null where the caller's default holds. */
  readonly defaultVariant: string | null
  readonly isEnabled: boolean
  readonly metadata: FlagMetadata
}

const parts = new Set(["variants", "defaultVariant", "state", "metadata", "description"])

const isMetadataValue = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value)

const metadataOf = (value: unknown): FlagMetadata => {
  const metadata: FlagMetadata = {}
  if (isRecord(value))
    for (const [name, each] of Object.entries(value)) if (isMetadataValue(each)) metadata[name] = each
  return metadata
}

/** The definition of a flag with variants; null for a plain value, which is a flag without. */
export const definitionOf = (value: unknown): FlagDefinition | null => {
  if (!isRecord(value) || !isRecord(value["variants"]) || !Object.keys(value).every((name) => parts.has(name)))
    return null
  const { variants, defaultVariant = null, state, metadata } = value
  if (defaultVariant !== null && typeof defaultVariant !== "string") return null
  return { variants, defaultVariant, isEnabled: state !== "DISABLED", metadata: metadataOf(metadata) }
}

export type Path = ReadonlyArray<string>

/** Where a flag may be: at the key itself, or with points at a path. */
export const pathsOf = (key: string): ReadonlyArray<Path> => (key.includes(".") ? [[key], key.split(".")] : [[key]])

/** The value at a path of a configuration; undefined where there is none. */
export const valueAt = (configuration: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, step) => (isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined),
    configuration
  )

/** Whether a change at one path changes what is at the other. */
export const touches = (one: Path, other: Path): boolean => {
  const length = Math.min(one.length, other.length)
  return one.slice(0, length).every((step, at) => step === other[at])
}
