import { Effect } from "effect"
import type { StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import { answerOf } from "../../../domain/analytics/question/Answer.ts"
import type { QuestionOf } from "../../../domain/analytics/question/Question.ts"
import type { CohortPlan } from "../../../domain/cohorts/CohortPlan.ts"
import { cohortUnits } from "../../../domain/cohorts/CohortUnits.ts"
import type { StoreOverloaded, QueryTimedOut } from "../../../ports/analytics/EventStore.ts"
import type { ClickHouseProblem } from "../ClickHouse.ts"
import { relevantToCohort, relevantToRevenue, relevantToScorecard } from "./Relevant.ts"
import { type AnsweringOptions, type Found, makeSceneMarkers, type Scene } from "./SceneMarkers.ts"
import { type EventKind, scopes } from "./Scope.ts"

/** The units that a plan of a cohort takes in. */
export interface FoundUnits {
  readonly units: ReadonlySet<string>
  readonly rowsScanned: number
}

/** Why nothing was computed of markers. */
export type MarkerProblem = ClickHouseProblem | QueryTimedOut | StoreOverloaded

/** What is computed by the domain's functions, of markers that ClickHouse gives: as much work as there are markers. */
export interface MarkerAnswers {
  readonly answer: <Kind extends EventKind>(
    scene: Scene,
    question: QuestionOf<Kind>
  ) => Effect.Effect<Found<Kind>, MarkerProblem>
  readonly units: (scene: Scene, plan: CohortPlan) => Effect.Effect<FoundUnits, MarkerProblem>
}

type Relevant<Kind extends EventKind> = (
  scene: Scene,
  question: QuestionOf<Kind>
) => Effect.Effect<ReadonlyArray<StoredEvent>, ClickHouseProblem>

/** Computes in the thread that asks. */
export const makeMarkerAnswers = (options: AnsweringOptions) =>
  Effect.map(makeSceneMarkers(options), ({ chosenOf, toldOf, memberships }) => {
    const inScope = <Kind extends EventKind>(scene: Scene, { kind, plan }: QuestionOf<Kind>) =>
      chosenOf(scene)(scopes[kind](plan), "true")

    /** The markers that a question of each kind depends on. */
    const relevant: { readonly [Kind in EventKind]: Relevant<Kind> } = {
      insight: inScope,
      funnel: inScope,
      retention: inScope,
      heatmap: inScope,
      insightUnits: inScope,
      funnelUnits: inScope,
      funnelNext: inScope,
      retentionUnits: inScope,
      heatmapUnits: inScope,
      heatmapArguments: inScope,
      scorecard: (scene, question) =>
        Effect.catchTag(relevantToScorecard(question.plan, toldOf(scene, question), chosenOf(scene)), "BeyondSql", () =>
          inScope(scene, question)
        ),
      listing: inScope,
      countedUnits: inScope,
      typeCounts: inScope,
      unit: inScope,
      profile: inScope,
      revenue: (scene, { plan }) => relevantToRevenue(plan, chosenOf(scene)),
      players: inScope
    }

    const answer = <Kind extends EventKind>(scene: Scene, question: QuestionOf<Kind>) =>
      Effect.map(
        Effect.all([relevant[question.kind](scene, question), memberships(scene, question.plan)]),
        ([events, resolved]): Found<Kind> => ({
          answer: answerOf(events, question, resolved),
          rowsScanned: events.length
        })
      )

    const units = (scene: Scene, plan: CohortPlan) =>
      Effect.map(
        Effect.all([relevantToCohort(plan, chosenOf(scene)), memberships(scene, plan)]),
        ([events, resolved]): FoundUnits => ({
          units: cohortUnits(events, plan, resolved),
          rowsScanned: events.length
        })
      )

    return { answer, units }
  })
