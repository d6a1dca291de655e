import type { BodyOf } from "../api/Endpoints.ts"
import type { Answer } from "../api/Wire.ts"
import type { Codec } from "../url/Codec.ts"

export type SavedQuestion = Answer<"savedQueries.get">

/** A question as it is saved, without its name. */
export type Definition =
  | { readonly queryType: "insight"; readonly spec: BodyOf<"queries.insights"> }
  | { readonly queryType: "funnel"; readonly spec: BodyOf<"queries.funnels"> }
  | { readonly queryType: "retention"; readonly spec: BodyOf<"queries.retention"> }
  | { readonly queryType: "heatmap"; readonly spec: BodyOf<"queries.heatmaps"> }

/** What saving has to know of a page of questions. */
export interface Kind<State> {
  readonly queryType: Definition["queryType"]
  readonly codec: Codec<State>
  /** The question in one sentence. */
  readonly words: (state: State) => string
  /** Null while the question is not finished. */
  readonly definition: (state: State, timeZone: string) => Definition | null
  /** The question that was saved; null where it is of another kind, or has parts that the page does not know. */
  readonly read: (saved: SavedQuestion, timeZone: string) => State | null
  /** The state without what only changes how the answer looks. */
  readonly essence: (state: State) => State
}

const pageNames: Readonly<Record<SavedQuestion["queryType"], string>> = {
  insight: "insights",
  funnel: "funnels",
  retention: "retention",
  heatmap: "heatmaps"
}

/** Which page shows questions of the type. */
export const pageOf = (queryType: SavedQuestion["queryType"]): string => pageNames[queryType]

/** Whether the page's address is a question. */
export const isOfQuestions = (page: string): boolean => Object.values(pageNames).includes(page)

/** The type in words. */
export const typeWords: Readonly<Record<SavedQuestion["queryType"], string>> = {
  insight: "Insight",
  funnel: "Funnel",
  retention: "Retention",
  heatmap: "Heatmap"
}

const longestName = 100

/** The sentence as a name, which may have 100 characters. */
export const nameFrom = (sentence: string): string =>
  sentence.length <= longestName ? sentence : `${sentence.slice(0, longestName - 1)}…`
