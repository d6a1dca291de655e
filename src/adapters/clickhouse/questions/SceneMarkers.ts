import { Effect } from "effect"
import { mebibyte } from "../../../domain/LruCache.ts"
import type { StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import { type Memberships, noMemberships } from "../../../domain/analytics/filter/Memberships.ts"
import type { Answers, QuestionKind, QuestionOf } from "../../../domain/analytics/question/Question.ts"
import { ClickHouse, type ClickHouseProblem, type QuerySettings } from "../ClickHouse.ts"
import { eventOfRow, type MarkerRow, markerColumns } from "../MarkerRows.ts"
import { type Generations, membershipsOf, membersOf, referencesOf } from "./Members.ts"
import type { Chosen } from "./Relevant.ts"
import { type EventKind, exposures, type Scope, scopes } from "./Scope.ts"
import { makeSeenTypes } from "./SeenTypes.ts"
import { type Telling, tellingOf } from "./Telling.ts"
import { type Ground, whereOf } from "./Where.ts"

/** The markers that a question is asked of, and the members of cohorts at that time. */
export interface Scene extends Ground {
  readonly generations: Generations
}

/** An answer, and how many rows it was computed from. */
export interface Found<Kind extends QuestionKind> {
  readonly answer: Answers[Kind]["answer"]
  readonly rowsScanned: number
}

export interface AnsweringOptions {
  /** Milliseconds that a question may take. */
  readonly budget: number
  /** Rows that a question may bring into this process. */
  readonly rows: number
  /** Bytes of memory that a statement of a question may take in ClickHouse; by default 4 GiB. */
  readonly memory?: number
}

/** Bytes of a row, or of a unit's journey, that are usual. */
const rowBytes = 1000

/** What ClickHouse has of the markers of a scene, and who belongs to the cohorts and experiments that a plan names. */
export const makeSceneMarkers = (options: AnsweringOptions) =>
  Effect.map(ClickHouse, (clickhouse) => {
    const limits: QuerySettings = {
      max_execution_time: options.budget / 1000,
      max_memory_usage: options.memory ?? 4 * 1024 * mebibyte,
      max_result_rows: options.rows,
      max_result_bytes: options.rows * rowBytes,
      result_overflow_mode: "throw"
    }
    const rows = <Row>(query: string) => clickhouse.rows<Row>(query, limits)
    const typesOfValues = makeSeenTypes()

    const eventsOf = (ground: Ground, scope: Scope, condition = "true", only = "order by sequence") =>
      Effect.map(
        rows<MarkerRow>(`select ${markerColumns} from marker where ${whereOf(ground, scope)} and ${condition} ${only}`),
        (found): ReadonlyArray<StoredEvent> => found.map((row) => eventOfRow(row, ground.idsFrom))
      )

    const chosenOf =
      (ground: Ground): Chosen =>
      (scope, condition, only) =>
        eventsOf(ground, scope, condition, only)

    const toldOf = <Kind extends EventKind>(scene: Scene, { kind, plan }: QuestionOf<Kind>): Telling =>
      tellingOf(scene, scopes[kind](plan), rows, typesOfValues(scene, rows))

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

    return { rows, chosenOf, toldOf, memberships }
  })
