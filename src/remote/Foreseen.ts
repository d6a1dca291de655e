import { Clock, Effect, Either, Option, Schema } from "effect"
import { tileProblems } from "../domain/analytics/board/Board.ts"
import { planFunnel } from "../domain/analytics/funnel/FunnelQuery.ts"
import { planHeatmapMarkers } from "../domain/analytics/heatmap/HeatmapQuery.ts"
import { planInsight } from "../domain/analytics/insight/InsightQuery.ts"
import { planRetention } from "../domain/analytics/retention/RetentionQuery.ts"
import type { Asking } from "../domain/analytics/time/TimeQuery.ts"
import type { Document } from "../domain/configuration/Document.ts"
import type { FileProblem, ObjectFile } from "./Files.ts"
import { fileSchemas } from "./FileSchemas.ts"
import { foreseenCohorts } from "./ForeseenCohorts.ts"
import { foreseenConfigurations } from "./ForeseenConfigurations.ts"
import type { ManagedKind } from "./ManagedKind.ts"
import { fieldsWithIds, referencesOf } from "./Naming.ts"
import type { Server } from "./ServerState.ts"
import type { PlannedStep } from "./Steps.ts"

const decodeQuery = Schema.decodeUnknownOption(fileSchemas.queries)
const decodeBoard = Schema.decodeUnknownOption(fileSchemas.boards)

const problemOf = (query: typeof fileSchemas.queries.Type, asking: Asking) => {
  switch (query.queryType) {
    case "insight":
      return Either.getLeft(planInsight(query.spec, asking))
    case "funnel":
      return Either.getLeft(planFunnel(query.spec, asking))
    case "retention":
      return Either.getLeft(planRetention(query.spec, asking))
    case "heatmap":
      return Either.getLeft(planHeatmapMarkers(query.spec, asking))
  }
}

const queryProblems = (fields: Document, asking: Asking): ReadonlyArray<string> =>
  Option.match(
    Option.flatMap(decodeQuery(fields), (query) => problemOf(query, asking)),
    { onNone: () => [], onSome: ({ message }) => [message] }
  )

const boardProblems = (fields: Document): ReadonlyArray<string> =>
  Option.match(decodeBoard(fields), { onNone: () => [], onSome: ({ tiles }) => tileProblems(tiles) })

/** Files that name what is removed of another kind. The server takes that from them, or leaves it to fail later, and the next plan refuses them. */
const widowed = (files: ReadonlyArray<ObjectFile>, steps: ReadonlyArray<PlannedStep>): ReadonlyArray<FileProblem> => {
  const removed = new Set(
    steps
      .filter(({ action, isApplied }) => action === "remove" && isApplied)
      .map(({ kind, name }): string => `${kind} ${name}`)
  )
  return files.flatMap(({ kind, file, fields }) => {
    const gone = referencesOf(kind, fields).filter(
      (each) => each.kind !== kind && removed.has(`${each.kind} ${each.name}`)
    )
    const messages = gone.map((each) => `refers to ${each.name} of the ${each.kind}, which --prune removes`)
    return [...new Set(messages)].map((message) => ({ file, message }))
  })
}

/**
 * What the server would refuse of the steps, as far as it can be known from what was read: by the server's own rules, and without writing.
 * `isComplete` is false where other files could not be read, so that what they would have made is not missed here.
 */
export const foreseen = Effect.fnUntraced(function* (
  server: Server,
  steps: ReadonlyArray<PlannedStep>,
  files: ReadonlyArray<ObjectFile>,
  isComplete: boolean
) {
  const now = yield* Clock.currentTimeMillis
  // On which day weeks begin moves the parts of an answer, and makes none impossible.
  const asking: Asking = { now, zone: server.connection.application.timezone, weekStart: 0 }
  const alone = (kind: ManagedKind, problemsOf: (fields: Document) => ReadonlyArray<string>) =>
    steps.flatMap(({ written, ...step }): ReadonlyArray<FileProblem> => {
      if (step.kind !== kind || written === undefined) return []
      const problems = problemsOf(fieldsWithIds(kind, written.fields, server.naming))
      return problems.map((message) => ({ file: written.file, message }))
    })
  return [
    ...(yield* foreseenConfigurations(server, steps, isComplete)),
    ...foreseenCohorts(server, steps, isComplete, asking),
    ...alone("queries", (fields) => queryProblems(fields, asking)),
    ...alone("boards", boardProblems),
    ...(isComplete ? widowed(files, steps) : [])
  ]
})
