import { Effect } from "effect"
import { seenNames, seenTypes, seenValues, versionProperty } from "../../../domain/analytics/markers/Catalogue.ts"
import { seenVersions } from "../../../domain/analytics/markers/SeenVersions.ts"
import type { Answers, QuestionKind, QuestionOf } from "../../../domain/analytics/question/Question.ts"
import { type CatalogueRow, catalogueOf, catalogueQuery } from "../CatalogueRows.ts"
import type { ClickHouseProblem } from "../ClickHouse.ts"
import { textLiteral } from "../Literals.ts"
import type { BeyondSql } from "./BeyondSql.ts"
import { funnelInSql, funnelUnitsInSql } from "./Funnel.ts"
import { heatmapInSql } from "./Heatmap.ts"
import { insightInSql } from "./Insight.ts"
import { asOfAll, listingInSql } from "./Listing.ts"
import type { MarkerAnswers, MarkerProblem } from "./MarkerAnswers.ts"
import { retentionInSql, retentionUnitsInSql } from "./Retention.ts"
import { countedUnitsInSql, typeCountsInSql, unitInSql } from "./Plain.ts"
import { playersInSql } from "./Players.ts"
import { type AnsweringOptions, type Found, makeSceneMarkers, type Scene } from "./SceneMarkers.ts"
import type { EventKind } from "./Scope.ts"
import type { Telling } from "./Telling.ts"

type Answerer<Kind extends QuestionKind> = (
  scene: Scene,
  question: QuestionOf<Kind>
) => Effect.Effect<Found<Kind>, MarkerProblem>

type Answerers = { readonly [Kind in QuestionKind]: Answerer<Kind> }

/** What ClickHouse answers a question of a kind, and how many markers it counted or handed over for that. */
type Asked<Kind extends EventKind> = (
  plan: Answers[Kind]["plan"],
  telling: Telling
) => Effect.Effect<
  { readonly answer: Answers[Kind]["answer"]; readonly markers: number },
  ClickHouseProblem | BeyondSql
>

/** Answers questions by what ClickHouse computes, and of its markers where it cannot. */
export const makeAnswering = (options: AnsweringOptions, ofMarkers: MarkerAnswers) =>
  Effect.map(makeSceneMarkers(options), ({ rows, chosenOf, toldOf, memberships }) => {
    /** Answers by what ClickHouse computes, or from rows where that is not exact. */
    const inSql =
      <Kind extends EventKind>(asked: Asked<Kind>): Answerer<Kind> =>
      (scene, question) =>
        asked(question.plan, toldOf(scene, question)).pipe(
          Effect.map(({ answer, markers }): Found<Kind> => ({ answer, rowsScanned: markers })),
          Effect.catchTag("BeyondSql", () => ofMarkers.answer(scene, question))
        )

    const catalogue = (environment: number, where: string) =>
      Effect.map(rows<CatalogueRow>(catalogueQuery(environment, where)), (found) => ({
        seen: catalogueOf(found),
        rowsScanned: found.length
      }))

    const answerers: Answerers = {
      insight: inSql(insightInSql),
      funnel: inSql(funnelInSql),
      funnelUnits: inSql(funnelUnitsInSql),
      funnelNext: ofMarkers.answer,
      retention: inSql(retentionInSql),
      heatmap: inSql(heatmapInSql),
      insightUnits: ofMarkers.answer,
      retentionUnits: inSql(retentionUnitsInSql),
      heatmapUnits: ofMarkers.answer,
      heatmapArguments: ofMarkers.answer,
      scorecard: ofMarkers.answer,
      listing: (scene, question) =>
        Effect.map(inSql<"listing">(listingInSql)(scene, question), ({ answer, rowsScanned }) => ({
          answer: asOfAll(answer, question.plan, scene),
          rowsScanned
        })),
      countedUnits: inSql(countedUnitsInSql),
      typeCounts: inSql(typeCountsInSql),
      unit: inSql(unitInSql),
      profile: ofMarkers.answer,
      revenue: ofMarkers.answer,
      players: (scene, question) =>
        Effect.flatMap(memberships(scene, question.plan), (resolved) =>
          Effect.map(
            playersInSql(question.plan, toldOf(scene, question), resolved, chosenOf(scene)),
            ({ answer, markers }) => ({ answer, rowsScanned: markers })
          )
        ),
      types: ({ environment }, { plan }) =>
        Effect.map(catalogue(environment, "kind in ('type', 'name')"), ({ seen, rowsScanned }) => ({
          answer: seenTypes(seen, plan.now),
          rowsScanned
        })),
      names: ({ environment }, { plan: { source, type } }) =>
        Effect.map(catalogue(environment, `kind = 'name' and source = '${source}'`), ({ seen, rowsScanned }) => ({
          answer: seenNames(seen, source, type),
          rowsScanned
        })),
      values: ({ environment }, { plan }) =>
        Effect.map(
          catalogue(environment, `kind = 'value' and source = '${plan.source}' and name = ${textLiteral(plan.name)}`),
          ({ seen, rowsScanned }) => ({ answer: seenValues(seen, plan), rowsScanned })
        ),
      versions: ({ environment }, { plan }) =>
        Effect.map(
          catalogue(environment, `kind = 'value' and source = 'property' and name = '${versionProperty}'`),
          ({ seen, rowsScanned }) => ({ answer: seenVersions(seen, plan.range), rowsScanned })
        )
    }

    const answer = <Kind extends QuestionKind>(scene: Scene, question: QuestionOf<Kind>) =>
      answerers[question.kind](scene, question)

    return { answer }
  })
