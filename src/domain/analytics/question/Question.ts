import type { TimeSpan } from "../time/Buckets.ts"
import type { Scalar, StoredEvent, Values } from "../markers/Event.ts"
import type { Filter } from "../filter/Filter.ts"
import type { FunnelNext, FunnelNextPlan } from "../funnel/FunnelNext.ts"
import type { FunnelAnswer, FunnelPlan, FunnelUnit, FunnelUnitsPlan } from "../funnel/FunnelPlan.ts"
import type { HeatmapAnswer, HeatmapPlan } from "../heatmap/HeatmapPlan.ts"
import type { HeatmapArguments, HeatmapArgumentsPlan } from "../heatmap/HeatmapArguments.ts"
import type { HeatmapUnitsPlan } from "../heatmap/HeatmapUnits.ts"
import type { InsightAnswer, InsightPlan } from "../insight/InsightPlan.ts"
import type { PlayersAnswer, PlayersPlan } from "../players/PlayersPlan.ts"
import type { InsightUnitsPlan } from "../insight/InsightUnits.ts"
import type { RetentionAnswer, RetentionPlan } from "../retention/RetentionPlan.ts"
import type { RetentionUnitsPlan } from "../retention/RetentionUnits.ts"
import type { ScorecardAnswer, ScorecardPlan } from "../../experiments/results/ScorecardPlan.ts"
import type { Selector } from "../filter/Selector.ts"
import type { TypeCounts, TypeCountsPlan } from "../markers/TypeCounts.ts"
import type { UnitList } from "./UnitList.ts"

/** Where a listing continues: after this marker, ignoring what was received after `asOf` (a sequence). */
export interface ListingCursor {
  readonly timestamp: number
  readonly sequence: number
  readonly asOf: number
}

/** Lists markers, newest first, ties by latest receipt. */
export interface ListingPlan {
  readonly range: TimeSpan
  /** Null: all types. */
  readonly types: ReadonlyArray<string> | null
  /** Null: markers of all units, and those without a unit. */
  readonly unitId: string | null
  readonly filter: Filter
  readonly limit: number
  readonly after: ListingCursor | null
}

export interface ListingAnswer {
  readonly items: ReadonlyArray<StoredEvent>
  readonly next: ListingCursor | null
}

/** A marker type observed in the environment. Instants are timestamps of its markers (epoch ms). */
export interface SeenType {
  readonly name: string
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** The number of markers in the last 30 UTC days, including today. */
  readonly count30d: number
  readonly arguments: number
}

export const dataTypes = ["string", "number", "boolean", "array"] as const
export type DataType = (typeof dataTypes)[number]

/** An observed argument or property. `dataType` is its most frequent type. */
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

/** A version of the game, as its markers name it, and the timestamp of the first of them (epoch ms). */
export interface SeenVersion {
  readonly version: string
  readonly firstSeenAt: number
}

export interface ValuesPlan {
  readonly source: "argument" | "property"
  readonly name: string
  /** Null: all types. */
  readonly type: string | null
  /** A part of the value's text, ignoring case; null: every value. */
  readonly search: string | null
  readonly limit: number
}

export interface UnitSummary {
  readonly unitId: string
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly events: number
}

/** Finds units by their number of matching markers. */
export interface CountedUnitsPlan {
  readonly selector: Selector
  readonly range: TimeSpan
  /** At least 1. */
  readonly minimum: number
  /** Null: no upper limit. */
  readonly maximum: number | null
  /** The number of ids to list, ascending by UTF-16 code units; the count always covers all units. */
  readonly limit: number
}

export interface CountedUnits {
  readonly count: number
  readonly unitIds: ReadonlyArray<string>
}

/** Sums up revenue of units, each within its own range [from, to] (epoch ms, inclusive). Each unit may occur once. */
export interface RevenuePlan {
  /** The argument, of markers of any type, whose number is the revenue. */
  readonly argument: string
  /** Markers of this type that lack `argument` count with this argument instead. */
  readonly purchase: { readonly type: string; readonly argument: string }
  readonly units: ReadonlyArray<{ readonly unitId: string; readonly from: number; readonly to: number }>
}

export interface UnitRevenue {
  /** The time of the unit's first marker ever (epoch ms); null when it has none. */
  readonly firstSeenAt: number | null
  readonly revenue: number
}

/** Every kind of question that a store answers: the plan it takes and the answer it gives. */
export interface Answers {
  readonly insight: { readonly plan: InsightPlan; readonly answer: InsightAnswer }
  readonly funnel: { readonly plan: FunnelPlan; readonly answer: FunnelAnswer }
  readonly funnelUnits: { readonly plan: FunnelUnitsPlan; readonly answer: ReadonlyArray<FunnelUnit> }
  readonly funnelNext: { readonly plan: FunnelNextPlan; readonly answer: FunnelNext }
  readonly retention: { readonly plan: RetentionPlan; readonly answer: RetentionAnswer }
  readonly heatmap: { readonly plan: HeatmapPlan; readonly answer: HeatmapAnswer }
  readonly insightUnits: { readonly plan: InsightUnitsPlan; readonly answer: UnitList }
  readonly retentionUnits: { readonly plan: RetentionUnitsPlan; readonly answer: UnitList }
  readonly heatmapUnits: { readonly plan: HeatmapUnitsPlan; readonly answer: UnitList }
  readonly heatmapArguments: { readonly plan: HeatmapArgumentsPlan; readonly answer: HeatmapArguments }
  readonly scorecard: { readonly plan: ScorecardPlan; readonly answer: ScorecardAnswer }
  readonly listing: { readonly plan: ListingPlan; readonly answer: ListingAnswer }
  readonly typeCounts: { readonly plan: TypeCountsPlan; readonly answer: ReadonlyArray<TypeCounts> }
  readonly types: { readonly plan: { readonly now: number }; readonly answer: ReadonlyArray<SeenType> }
  readonly names: {
    readonly plan: { readonly source: "argument" | "property"; readonly type: string | null }
    readonly answer: ReadonlyArray<SeenName>
  }
  readonly values: { readonly plan: ValuesPlan; readonly answer: ReadonlyArray<SeenValue> }
  readonly versions: { readonly plan: { readonly range: TimeSpan }; readonly answer: ReadonlyArray<SeenVersion> }
  readonly countedUnits: { readonly plan: CountedUnitsPlan; readonly answer: CountedUnits }
  readonly revenue: { readonly plan: RevenuePlan; readonly answer: ReadonlyArray<UnitRevenue> }
  /** The latest value of each property of a unit. */
  readonly profile: { readonly plan: { readonly unitId: string }; readonly answer: Values }
  readonly unit: { readonly plan: { readonly unitId: string }; readonly answer: UnitSummary | null }
  readonly players: { readonly plan: PlayersPlan; readonly answer: PlayersAnswer }
}

export type QuestionKind = keyof Answers

type Matching<Kind extends QuestionKind> = {
  readonly [Each in Kind]: { readonly kind: Each; readonly plan: Answers[Each]["plan"] }
}[Kind]

/** A question of any kind. */
export type Question = Matching<QuestionKind>

/** The questions that are answered from markers; the others are answered from the catalogue. */
export type EventQuestion = Exclude<Question, { readonly kind: "types" | "names" | "values" | "versions" }>

/** A question of a given kind. */
export type QuestionOf<Kind extends QuestionKind> = Matching<Kind> & Question

/** Identifies a state of an environment's markers, as long as the process runs. */
export interface DataVersion {
  /** The sequence of the latest acknowledged marker; 0 before the first. */
  readonly highestSequence: number
  /** Increases when a removal of markers begins, and again when it ends. */
  readonly removals: number
  /** Increases whenever the members of a cohort change. */
  readonly generations: number
  /** Epoch milliseconds from which on no marker is past retention: it goes on with the clock. Null while everything is kept. */
  readonly keptFrom: number | null
}

/** Markers that cannot be read, because the file is damaged, and were left out. */
export interface Incomplete {
  readonly rows: number
  /** Epoch milliseconds of the first and of the last of them. */
  readonly from: number
  readonly to: number
}

/**
 * What an answer lacks that is made of several, which may lack the same markers: the largest number of them, and the time from the first to
 * the last of all. Null where none lacks any.
 */
export const united = (all: ReadonlyArray<Incomplete | null>): Incomplete | null =>
  all.reduce(
    (left, right) =>
      left === null || right === null
        ? (left ?? right)
        : {
            rows: Math.max(left.rows, right.rows),
            from: Math.min(left.from, right.from),
            to: Math.max(left.to, right.to)
          },
    null
  )

/** What an answer cost, and what it is based on. */
export interface AnswerMeta {
  readonly rowsScanned: number
  readonly elapsedMs: number
  /** The sequence of the latest marker that the answer includes; 0 when there is none. */
  readonly highestSequence: number
  /** Messages about segments, of any environment, that could not be read and were left out. */
  readonly damaged: ReadonlyArray<string>
  /** What of this environment the answer lacks; null when it lacks nothing. */
  readonly incomplete: Incomplete | null
}
