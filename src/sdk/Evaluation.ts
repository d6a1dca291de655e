import { isRecord } from "./Record.ts"
import type { Reply, Transport } from "./Transport.ts"

export type PropertyValue = string | number | boolean | null | ReadonlyArray<string | number | boolean>

/** Whom a configuration is for. With a unit, experiments decide what it gets, and that it got it is recorded as its exposure. */
export interface Unit {
  readonly type: "user" | "server"
  readonly distinctId: string
  /** What the targeting of experiments may ask about, such as a level or a platform. */
  readonly properties?: Readonly<Record<string, PropertyValue>>
}

/** The group of a unit in an experiment. */
export interface Assignment {
  readonly experimentId: number
  readonly groupId: number
  /** How it came into the group: `weightedHash`, `roundRobin`, or by hand, which is `manual`. */
  readonly source?: string
}

/** Which configuration, and for whom; without a unit it is the one that everybody gets who is in no experiment. */
export interface EvaluationQuestion {
  /** Alias or name of the configuration; without one the primary. */
  readonly name?: string
  readonly unit?: Unit
}

/** A configuration as the server tells it. */
export interface Evaluation {
  readonly hash: string
  /** Null in copies that earlier versions have kept. */
  readonly configurationId: number | null
  readonly configuration: Readonly<Record<string, unknown>>
  readonly experiments: ReadonlyArray<Assignment>
}

const isAssignment = (value: unknown): value is Assignment =>
  isRecord(value) && typeof value["experimentId"] === "number" && typeof value["groupId"] === "number"

const assignmentOf = ({ experimentId, groupId, source }: Assignment): Assignment => ({
  experimentId,
  groupId,
  ...(typeof source === "string" ? { source } : {})
})

/** The evaluation that an answer or a kept copy holds; null where it is none. */
export const evaluationOf = (body: unknown): Evaluation | null => {
  if (!isRecord(body) || typeof body["hash"] !== "string" || !isRecord(body["configuration"])) return null
  const { hash, configuration, configurationId, experiments } = body
  const assignments: ReadonlyArray<unknown> = Array.isArray(experiments) ? experiments : []
  return {
    hash,
    configurationId: typeof configurationId === "number" ? configurationId : null,
    configuration,
    experiments: assignments.filter(isAssignment).map(assignmentOf)
  }
}

/** Asks for a configuration; with the hash that is known, an unchanged one costs a short answer. */
export const askEvaluation = (
  transport: Transport,
  { name, unit }: EvaluationQuestion,
  knownHash: string | undefined
): Promise<Reply> => {
  // Programs without types have null for a player who has not signed in.
  if (unit === undefined || unit === null) {
    const query = new URLSearchParams({
      ...(name === undefined ? {} : { configuration: name }),
      ...(knownHash === undefined ? {} : { hash: knownHash })
    })
    return transport("GET", `/sdk/v2/configurations?${query.toString()}`)
  }
  const { type, distinctId, properties } = unit
  return transport("POST", "/sdk/v2/configurations/evaluate", {
    body: {
      ...(name === undefined ? {} : { configuration: name }),
      unit: { type, distinctId },
      ...(properties === undefined ? {} : { context: { schemaVersion: 1, properties } }),
      ...(knownHash === undefined ? {} : { knownHash })
    }
  })
}
