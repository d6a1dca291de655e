import type { EvaluationContext, EvaluationDetails, FlagValue, JsonValue } from "@openfeature/core"

/** What the scenarios need of a hook: the two SDKs declare their own. */
export interface HeardHook {
  readonly before: () => void
  readonly after: (context: unknown, details: Details) => void
  readonly error: () => void
  readonly finally: (context: unknown, details: Details) => void
}

export type Details = EvaluationDetails<FlagValue>

export type FlagType = "boolean" | "string" | "integer" | "float" | "object"

export interface Question {
  readonly type: FlagType
  readonly key: string
  readonly fallback: JsonValue
}

/** The evaluation API of one SDK, with our provider in a domain of its own. */
export interface Subject {
  readonly status: () => string | Promise<string>
  readonly addHook: (hook: HeardHook) => void | Promise<void>
  readonly details: (
    question: Question,
    context: EvaluationContext,
    hooks?: ReadonlyArray<HeardHook>
  ) => Promise<Details>
  readonly close: () => Promise<void>
}

export type ProviderState = "stable" | "not ready" | "error" | "fatal" | "stale"

export interface World {
  readonly open: (state: ProviderState) => Promise<Subject>
  subject: Subject | null
  context: Record<string, boolean | number | string | null>
  question: Question | null
  details: Details | null
  readonly heard: Array<readonly [stage: string, details: Details | null]>
  ordered: Array<string>
}

export const newWorld = (open: World["open"]): World => ({
  open,
  subject: null,
  context: {},
  question: null,
  details: null,
  heard: [],
  ordered: []
})

const isType = (text: string): text is FlagType => ["boolean", "string", "integer", "float", "object"].includes(text)

/** A value as the scenarios write it. */
export const valueOf = (type: string, text: string): JsonValue => {
  const plain = text.replaceAll('\\"', '"')
  if (type === "string") return plain
  if (type === "null" || plain === "null") return null
  if (type === "boolean") return plain === "true"
  return type === "object" ? JSON.parse(plain) : Number(plain)
}

export const ask = (world: World, type: string, key: string, fallback: string): void => {
  const lower = type.toLowerCase()
  if (!isType(lower)) throw new Error(`no type of flags: ${type}`)
  world.question = { type: lower, key, fallback: valueOf(lower, fallback) }
}

export const evaluate = async (world: World, hooks?: ReadonlyArray<HeardHook>): Promise<void> => {
  if (world.subject === null || world.question === null) throw new Error("nothing to evaluate")
  world.details = await world.subject.details(world.question, world.context, hooks)
}
