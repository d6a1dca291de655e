import type { DocumentChange } from "../../../domain/configuration/Diff.ts"
import type { BodyOf } from "../../api/Endpoints.ts"
import type { AnyExperiment } from "../../api/Started.ts"
import type { Document, Json, Path } from "../../../domain/configuration/Document.ts"
import { withValue } from "../../configurations/Draft.ts"
import type { Shape } from "../../ui/kept/Kept.ts"

export type PlanBody = BodyOf<"experiments.create">
export type MetricBody = NonNullable<NonNullable<PlanBody["metrics"]>["goals"]>[number]
export type KeptMetric = AnyExperiment["metrics"]["goals"][number]
export type ConditionBody = NonNullable<NonNullable<PlanBody["targeting"]>["conditions"]>[number]

export type Operation =
  | { readonly op: "set"; readonly path: Path; readonly value: Json }
  | { readonly op: "delete"; readonly path: Path }

/** A group as it is typed: `percent` may be no number yet. */
export interface GroupDraft {
  readonly key: string
  readonly name: string
  /** What the game calls it; empty: its name. */
  readonly label: string
  readonly percent: string
  readonly isControl: boolean
  readonly operations: ReadonlyArray<Operation>
}

export const metricKinds = [
  { value: "proportion", label: "Players who do it" },
  { value: "count", label: "Times per player" },
  { value: "sum", label: "Sum per player" },
  { value: "ratio", label: "Ratio of two sums" },
  { value: "retention", label: "Players who come back" },
  { value: "funnel", label: "Players who finish a saved question" }
] as const

/** `kept` is one that was made with the API and that no field here can say. */
export type MetricKind = (typeof metricKinds)[number]["value"] | "kept"

export interface MetricDraft {
  readonly key: string
  /** As results name it; empty: made of its name. */
  readonly id: string
  readonly role: "goal" | "guardrail"
  readonly kind: MetricKind
  /** Empty: named by what it measures. */
  readonly name: string
  readonly marker: string
  /** Of a ratio, empty: how often the marker comes. */
  readonly argument: string
  /** What a ratio divides by, in the same way. */
  readonly perMarker: string
  readonly perArgument: string
  /** Within so many days of the first exposure; of players who come back, the day. Empty for any time. */
  readonly days: string
  readonly queryId: string
  readonly direction: "increase" | "decrease"
  readonly kept: KeptMetric | null
}

export interface ConditionDraft {
  readonly key: string
  readonly property: string
  readonly operator: ConditionBody["operator"]
  /** Several values are separated by commas. */
  readonly value: string
  /** What was read from the server, with its words: untouched, it is sent as it was. */
  readonly kept?: ConditionBody
}

/** An experiment that somebody plans, as it is typed. */
export interface PlanDraft {
  readonly name: string
  readonly hypothesis: string
  readonly description: string
  readonly unitType: PlanBody["unitType"]
  readonly assignmentMode: PlanBody["assignmentMode"]
  readonly autoAssignment: boolean
  readonly permanentEnrollment: boolean
  /** Percent of players who stay out of the experiment. */
  readonly holdout: string
  readonly baseId: number | null
  readonly groups: ReadonlyArray<GroupDraft>
  readonly cohortIds: ReadonlyArray<number>
  readonly conditions: ReadonlyArray<ConditionDraft>
  readonly newUsersOnly: boolean
  readonly percent: string
  readonly steps: ReadonlyArray<{ readonly at: string; readonly percent: number }>
  readonly layer: string
  readonly metrics: ReadonlyArray<MetricDraft>
  /** The relative change that should be seen, in percent. */
  readonly effect: string
  /** Days of the project's zone; empty: at once, and no planned end. */
  readonly startDay: string
  readonly endDay: string
  /** Instants that the days were read from: an untouched day is sent as the instant that it was. */
  readonly startsAt: string | null
  readonly endsAt: string | null
  /** When what the server has was changed last before this was begun; null where it has nothing. */
  readonly basedOn: string | null
}

let made = 0

/** A key that no other part of the draft has. */
export const freshKey = (): string => `${Date.now().toString(36)}${(made++).toString(36)}`

export const freshGroup = (name: string, percent: string, isControl = false): GroupDraft => ({
  key: freshKey(),
  name,
  label: "",
  percent,
  isControl,
  operations: []
})

export const freshMetric = (role: MetricDraft["role"]): MetricDraft => ({
  key: freshKey(),
  id: "",
  role,
  kind: "proportion",
  name: "",
  marker: "",
  argument: "",
  perMarker: "",
  perArgument: "",
  days: "",
  queryId: "",
  direction: "increase",
  kept: null
})

export const freshPlan = (cohortIds: ReadonlyArray<number> = []): PlanDraft => ({
  name: "",
  hypothesis: "",
  description: "",
  unitType: "user",
  assignmentMode: "weightedHash",
  autoAssignment: true,
  permanentEnrollment: true,
  holdout: "0",
  baseId: null,
  groups: [freshGroup("As it is", "50", true), freshGroup("Changed", "50")],
  cohortIds,
  conditions: [],
  newUsersOnly: false,
  percent: "100",
  steps: [],
  layer: "",
  metrics: [freshMetric("goal")],
  effect: "10",
  startDay: "",
  endDay: "",
  startsAt: null,
  endsAt: null,
  basedOn: null
})

/** Equal shares for all groups; what rounding leaves goes to the first. */
export const evenly = (groups: ReadonlyArray<GroupDraft>): ReadonlyArray<GroupDraft> => {
  const share = Math.floor(10_000 / groups.length)
  const first = 10_000 - share * (groups.length - 1)
  return groups.map((group, index) => ({ ...group, percent: String((index === 0 ? first : share) / 100) }))
}

/** The base with what a group changes in it. */
export const changedBy = (base: Document, operations: ReadonlyArray<Operation>): Document =>
  operations.reduce(
    (document, each) => withValue(document, each.path, each.op === "set" ? each.value : undefined),
    base
  )

export const operationsOf = (changes: ReadonlyArray<DocumentChange>): ReadonlyArray<Operation> =>
  changes.map((change) =>
    change.op === "set" ? { op: "set", path: change.path, value: change.value } : { op: "delete", path: change.path }
  )

/** The name by which this browser keeps a new plan of an environment, or what is not saved yet of a draft that has an id. */
export const planPlace = (environmentId: number, id?: number): string =>
  `experiment-${environmentId}${id === undefined ? "" : `-${id}`}`

/** What an earlier version has kept gets the fields that there are now. */
export const planShape: Shape<PlanDraft> = {
  version: 1,
  read: (kept) =>
    Array.isArray(kept.groups) && Array.isArray(kept.metrics)
      ? {
          ...freshPlan(),
          ...kept,
          groups: kept.groups.map((group) => ({ ...freshGroup("", "0"), ...group })),
          metrics: kept.metrics.map((metric) => ({ ...freshMetric("goal"), ...metric }))
        }
      : null
}
