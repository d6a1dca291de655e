import type { Range } from "../time/Buckets.ts"
import type { Scalar, StoredEvent, Values } from "../markers/Event.ts"
import type { Filter } from "../filter/Filter.ts"
import type { FunnelAnswer, FunnelPlan, FunnelUnit, FunnelUnitsPlan } from "../funnel/FunnelPlan.ts"
import type { HeatmapAnswer, HeatmapPlan } from "../heatmap/HeatmapPlan.ts"
import type { InsightAnswer, InsightPlan } from "../insight/InsightPlan.ts"
import type { RetentionAnswer, RetentionPlan } from "../retention/RetentionPlan.ts"
import type { ScorecardAnswer, ScorecardPlan } from "../../experiments/results/ScorecardPlan.ts"
import type { Selector } from "../filter/Selector.ts"

/** Where a listing goes on: after this marker, leaving out what was received after `asOf`. */
export interface ListingCursor {
  readonly timestamp: number
  readonly sequence: number
  readonly asOf: number
}

/** Markers newest first, ties by latest receipt first. */
export interface ListingPlan {
  readonly range: Range
  /** Null: of every type. */
  readonly types: ReadonlyArray<string> | null
  /** Null: of every unit and of none. */
  readonly unitId: string | null
  readonly filter: Filter
  readonly limit: number
  readonly after: ListingCursor | null
}

export interface ListingAnswer {
  readonly items: ReadonlyArray<StoredEvent>
  readonly next: ListingCursor | null
}

/** A type of marker seen in the environment; instants are timestamps of its markers. */
export interface SeenType {
  readonly name: string
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** Markers of the last 30 UTC days, today included. */
  readonly count30d: number
  readonly arguments: number
}

export type DataType = "string" | "number" | "boolean" | "array"

/** An argument or property; `dataType` is the most frequent one. */
export interface SeenName {
  readonly name: string
  readonly dataType: DataType
  readonly types: ReadonlyArray<string>
  readonly lastSeenAt: number
}

export interface SeenValue {
  readonly value: Scalar
  readonly count: number
}

export interface ValuesPlan {
  readonly source: "argument" | "property"
  readonly name: string
  /** Null: of every type. */
  readonly type: string | null
  /** Part of the value's text, without regard to case; null: any. */
  readonly search: string | null
  readonly limit: number
}

export interface UnitSummary {
  readonly unitId: string
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly events: number
}

/** Units by how many markers they have. */
export interface CountedUnitsPlan {
  readonly selector: Selector
  readonly range: Range
  /** At least 1. */
  readonly minimum: number
  /** Null: as many as there are. */
  readonly maximum: number | null
  /** Ids wanted, ascending by UTF-16 code units; the count is of all. */
  readonly limit: number
}

export interface CountedUnits {
  readonly count: number
  readonly unitIds: ReadonlyArray<string>
}

/** What units brought, each in [from, to] (epoch milliseconds); every unit once. */
export interface RevenuePlan {
  /** Whose number is what a marker of any type brought. */
  readonly argument: string
  /** Of markers of this type that tell nothing there, this argument. */
  readonly purchase: { readonly type: string; readonly argument: string }
  readonly units: ReadonlyArray<{ readonly unitId: string; readonly from: number; readonly to: number }>
}

export interface UnitRevenue {
  /** Of any marker of the unit, whenever; null when there is none. */
  readonly firstSeenAt: number | null
  readonly revenue: number
}

/** Everything the store can be asked, with the answer's shape. */
export interface Answers {
  readonly insight: { readonly plan: InsightPlan; readonly answer: InsightAnswer }
  readonly funnel: { readonly plan: FunnelPlan; readonly answer: FunnelAnswer }
  readonly funnelUnits: { readonly plan: FunnelUnitsPlan; readonly answer: ReadonlyArray<FunnelUnit> }
  readonly retention: { readonly plan: RetentionPlan; readonly answer: RetentionAnswer }
  readonly heatmap: { readonly plan: HeatmapPlan; readonly answer: HeatmapAnswer }
  readonly scorecard: { readonly plan: ScorecardPlan; readonly answer: ScorecardAnswer }
  readonly listing: { readonly plan: ListingPlan; readonly answer: ListingAnswer }
  readonly types: { readonly plan: { readonly now: number }; readonly answer: ReadonlyArray<SeenType> }
  readonly names: {
    readonly plan: { readonly source: "argument" | "property"; readonly type: string | null }
    readonly answer: ReadonlyArray<SeenName>
  }
  readonly values: { readonly plan: ValuesPlan; readonly answer: ReadonlyArray<SeenValue> }
  readonly countedUnits: { readonly plan: CountedUnitsPlan; readonly answer: CountedUnits }
  readonly revenue: { readonly plan: RevenuePlan; readonly answer: ReadonlyArray<UnitRevenue> }
  /** The latest value of each property of a unit. */
  readonly profile: { readonly plan: { readonly unitId: string }; readonly answer: Values }
  readonly unit: { readonly plan: { readonly unitId: string }; readonly answer: UnitSummary | null }
}

export type QuestionKind = keyof Answers

type Matching<Kind extends QuestionKind> = {
  readonly [Each in Kind]: { readonly kind: Each; readonly plan: Answers[Each]["plan"] }
}[Kind]

/** One question of any kind. */
export type Question = Matching<QuestionKind>

/** The questions about single markers, as opposed to the catalogue. */
export type EventQuestion = Exclude<Question, { readonly kind: "types" | "names" | "values" }>

/** One question of a given kind. */
export type QuestionOf<Kind extends QuestionKind> = Matching<Kind> & Question

/** Names a state of the markers of one environment, while the process runs. */
export interface DataVersion {
  /** Of the markers acknowledged so far; 0 before the first. */
  readonly highestSequence: number
  /** Grows when a removal of markers begins and when it ends. */
  readonly removals: number
  /** Grows when the members of a cohort change. */
  readonly generations: number
}

/** What an answer cost and how much it saw. */
export interface AnswerMeta {
  readonly rowsScanned: number
  readonly elapsedMs: number
  /** The highest sequence of the environment that the answer has seen; 0 when it is empty. */
  readonly highestSequence: number
  /** Names of the segments that could not be read and were left out. */
  readonly damaged: ReadonlyArray<string>
}
