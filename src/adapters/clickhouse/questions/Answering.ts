import { Effect } from "effect"
import { mebibyte } from "../../../domain/LruCache.ts"
import type { StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import { type Memberships, noMemberships } from "../../../domain/analytics/filter/Memberships.ts"
import { seenNames, seenTypes, seenValues, versionProperty } from "../../../domain/analytics/markers/Catalogue.ts"
import { seenVersions } from "../../../domain/analytics/markers/SeenVersions.ts"
import { answerOf } from "../../../domain/analytics/question/Answer.ts"
import type { Answers, QuestionKind, QuestionOf } from "../../../domain/analytics/question/Question.ts"
import { type CatalogueRow, catalogueOf, catalogueQuery } from "../CatalogueRows.ts"
import { ClickHouse, type ClickHouseProblem, type QuerySettings } from "../ClickHouse.ts"
import { textLiteral } from "../Literals.ts"
import { eventOfRow, type MarkerRow, markerColumns } from "../MarkerRows.ts"
import { type Generations, membershipsOf, membersOf, referencesOf } from "./Members.ts"
import type { BeyondSql } from "./BeyondSql.ts"
import { funnelInSql, funnelUnitsInSql } from "./Funnel.ts"
import { heatmapInSql } from "./Heatmap.ts"
import { insightInSql } from "./Insight.ts"
import { asOfAll, listingInSql } from "./Listing.ts"
import { retentionInSql, retentionUnitsInSql } from "./Retention.ts"
import { countedUnitsInSql, typeCountsInSql, unitInSql } from "./Plain.ts"
import { playersInSql } from "./Players.ts"
import { type Chosen, relevantToRevenue, relevantToScorecard } from "./Relevant.ts"
import { makeSeenTypes } from "./SeenTypes.ts"
import { type Telling, tellingOf } from "./Telling.ts"
import { type EventKind, exposures, type Scope, scopes } from "./Scope.ts"
import { type Ground, whereOf } from "./Where.ts"

/** An answer, and how many rows it was computed from. */
export interface Found<Kind extends QuestionKind> {
  readonly answer: Answers[Kind]["answer"]
  readonly rowsScanned: number
}

/** The markers that a question is asked of, and the members of cohorts at that time. */
export interface Scene extends Ground {
  readonly generations: Generations
}

type Answerer<Kind extends QuestionKind> = (
  scene: Scene,
  question: QuestionOf<Kind>
) => Effect.Effect<Found<Kind>, ClickHouseProblem>

type Answerers = { readonly [Kind in QuestionKind]: Answerer<Kind> }

export interface AnsweringOptions {
  /** Milliseconds that a question may take. */
  readonly budget: number
  /** Rows that a question may bring into this process. */
  readonly rows: number
  /** Bytes of memory that a statement of a question may take in ClickHouse; by default 4 GiB. */
  readonly memory?: number
}

/** What ClickHouse answers a question of a kind, and how many markers it counted or handed over for that. */
type Asked<Kind extends EventKind> = (
  plan: Answers[Kind]["plan"],
  telling: Telling
) => Effect.Effect<
  { readonly answer: Answers[Kind]["answer"]; readonly markers: number },
  ClickHouseProblem | BeyondSql
>

/** Bytes of a row, or of a unit's journey, that are usual. */
const rowBytes = 1000

/** Answers questions by the domain's functions, from what ClickHouse gives. */
export const makeAnswering = (options: AnsweringOptions) =>
  Effect.map(ClickHouse, (clickhouse) => {
    const limits: QuerySettings = {
      max_execution_time: options.budget / 1000,
      max_memory_usage: options.memory ?? 4 * 1024 * mebibyte,
      max_result_rows: options.rows,
      max_result_bytes: options.rows * rowBytes,
      result_overflow_mode: "throw"
    }

    const typesOfValues = makeSeenTypes()

    const eventsOf = (ground: Ground, scope: Scope, condition = "true", only = "order by sequence") =>
      Effect.map(
        clickhouse.rows<MarkerRow>(
          `select ${markerColumns} from marker where ${whereOf(ground, scope)} and ${condition} ${only}`,
          limits
        ),
        (rows): ReadonlyArray<StoredEvent> => rows.map((row) => eventOfRow(row, ground.idsFrom))
      )

    const chosenOf =
      (ground: Ground): Chosen =>
      (scope, condition, only) =>
        eventsOf(ground, scope, condition, only)

    const toldOf = <Kind extends EventKind>(scene: Scene, { kind, plan }: QuestionOf<Kind>): Telling => {
      const rows = <Row>(query: string) => clickhouse.rows<Row>(query, limits)
      return tellingOf(scene, scopes[kind](plan), rows, typesOfValues(scene, rows))
    }

    const memberships = (scene: Scene, plan: unknown): Effect.Effect<Memberships, ClickHouseProblem> => {
      const { cohorts, experiments } = referencesOf(plan)
      if (cohorts.size === 0 && experiments.size === 0) return Effect.succeed(noMemberships)
      const asked = new Map([...scene.generations].filter(([cohort]) => cohorts.has(cohort)))
      return Effect.map(
        Effect.all([
          Effect.provideService(membersOf(scene.environment, asked), ClickHouse, clickhouse),
          experiments.size === 0 ? Effect.succeed([]) : eventsOf(scene, exposures)
        ]),
        ([members, exposed]) => membershipsOf(members, exposed)
      )
    }

    /** Answers from the markers that the question depends on. */
    const byThese = <Kind extends EventKind, E>(
      scene: Scene,
      question: QuestionOf<Kind>,
      relevant: Effect.Effect<ReadonlyArray<StoredEvent>, E>
    ) =>
      Effect.map(Effect.all([relevant, memberships(scene, question.plan)]), ([events, resolved]): Found<Kind> => ({
        answer: answerOf(events, question, resolved),
        rowsScanned: events.length
      }))

    const byRows = <Kind extends EventKind>(scene: Scene, question: QuestionOf<Kind>) =>
      byThese(scene, question, eventsOf(scene, scopes[question.kind](question.plan)))

    /** Answers by what ClickHouse computes, or from rows where that is not exact. */
    const inSql =
      <Kind extends EventKind>(asked: Asked<Kind>): Answerer<Kind> =>
      (scene, question) =>
        asked(question.plan, toldOf(scene, question)).pipe(
          Effect.map(({ answer, markers }): Found<Kind> => ({ answer, rowsScanned: markers })),
          Effect.catchTag("BeyondSql", () => byRows(scene, question))
        )

    const catalogue = (environment: number, where: string) =>
      Effect.map(clickhouse.rows<CatalogueRow>(catalogueQuery(environment, where), limits), (rows) => ({
        seen: catalogueOf(rows),
        rowsScanned: rows.length
      }))

    const answerers: Answerers = {
      insight: inSql(insightInSql),
      funnel: inSql(funnelInSql),
      funnelUnits: inSql(funnelUnitsInSql),
      funnelNext: byRows,
      retention: inSql(retentionInSql),
      heatmap: inSql(heatmapInSql),
      insightUnits: byRows,
      retentionUnits: inSql(retentionUnitsInSql),
      heatmapUnits: byRows,
      heatmapArguments: byRows,
      scorecard: (scene, question) =>
        byThese(scene, question, relevantToScorecard(question.plan, toldOf(scene, question), chosenOf(scene))).pipe(
          Effect.catchTag("BeyondSql", () => byRows(scene, question))
        ),
      listing: (scene, question) =>
        Effect.map(inSql<"listing">(listingInSql)(scene, question), ({ answer, rowsScanned }) => ({
          answer: asOfAll(answer, question.plan, scene),
          rowsScanned
        })),
      countedUnits: inSql(countedUnitsInSql),
      typeCounts: inSql(typeCountsInSql),
      unit: inSql(unitInSql),
      profile: byRows,
      revenue: (scene, question) => byThese(scene, question, relevantToRevenue(question.plan, chosenOf(scene))),
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

    return { answer, chosenOf, memberships }
  })

export type Answering = Effect.Effect.Success<ReturnType<typeof makeAnswering>>
