import { isRecord } from "./Record.ts"
import type { Reply, Transport } from "./Transport.ts"
import type { Unit } from "./Evaluation.ts"

/** A value that a group sets in its configuration, or with `isDeleted` takes out of it. */
export interface ExperimentChange {
  readonly path: ReadonlyArray<string>
  readonly isDeleted: boolean
  readonly value: unknown
}

/** A group of a running experiment, with what it changes. */
export interface ExperimentGroup {
  readonly id: number
  readonly label: string
  /** Basis points; null where groups take turns. */
  readonly weight: number | null
  readonly changes: ReadonlyArray<ExperimentChange>
}

/** An experiment that decides now about a configuration. */
export interface RunningExperiment {
  readonly id: number
  readonly name: string
  readonly configurationId: number
  /** Whether properties of a unit decide if it takes part. */
  readonly isTargeted: boolean
  readonly groups: ReadonlyArray<ExperimentGroup>
}

export interface RunningExperiments {
  readonly hash: string
  readonly experiments: ReadonlyArray<RunningExperiment>
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const changeOf = (operation: unknown): ReadonlyArray<ExperimentChange> => {
  if (!isRecord(operation)) return []
  const path = listOf(operation["path"]).filter((step) => typeof step === "string")
  return [{ path, isDeleted: operation["op"] === "delete", value: operation["value"] }]
}

const groupOf = (value: unknown): ReadonlyArray<ExperimentGroup> => {
  if (!isRecord(value) || typeof value["id"] !== "number" || typeof value["label"] !== "string") return []
  const { id, label, weight, changeset } = value
  const operations = listOf(isRecord(changeset) ? changeset["operations"] : [])
  return [{ id, label, weight: typeof weight === "number" ? weight : null, changes: operations.flatMap(changeOf) }]
}

const experimentOf = (value: unknown): ReadonlyArray<RunningExperiment> => {
  if (!isRecord(value)) return []
  const { id, name, baseConfigurationId: configurationId, requiredProperties, groups } = value
  if (typeof id !== "number" || typeof name !== "string" || typeof configurationId !== "number") return []
  const isTargeted = listOf(requiredProperties).length > 0
  return [{ id, name, configurationId, isTargeted, groups: listOf(groups).flatMap(groupOf) }]
}

/** The running experiments that an answer holds; null where it is none. */
export const runningExperimentsOf = (body: unknown): RunningExperiments | null =>
  isRecord(body) && typeof body["hash"] === "string" && Array.isArray(body["experiments"])
    ? { hash: body["hash"], experiments: body["experiments"].flatMap(experimentOf) }
    : null

/** Asks for the running experiments of a type of units; with the hash that is known, unchanged ones cost a short answer. */
export const askExperiments = (
  transport: Transport,
  unitType: Unit["type"],
  knownHash: string | undefined
): Promise<Reply> => {
  const query = new URLSearchParams({
    "unit-type": unitType,
    ...(knownHash === undefined ? {} : { hash: knownHash })
  })
  return transport("GET", `/sdk/v2/experiments/active?${query.toString()}`)
}
