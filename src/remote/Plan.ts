import { Effect, Schema } from "effect"
import { checkFiles, demandFolder, demandSound, expectFiles, type ObjectFile, readFiles } from "./Files.ts"
import { foreseen } from "./Foreseen.ts"
import { identified } from "./Identified.ts"
import { refusal } from "./Refused.ts"
import { type ComparisonRequest, readServer } from "./ServerState.ts"
import { PlannedChange, type PlannedStep, stepsOf } from "./Steps.ts"

/** What `plan --json` prints. `isApplied` is false of what `apply` leaves alone: removals without --prune, and roles. */
export const PlanReport = Schema.Struct({
  project: Schema.String,
  environment: Schema.String,
  changes: Schema.Array(PlannedChange)
})
export type PlanReport = typeof PlanReport.Type

/** Refuses to remove all of a kind because the folder has no file of it: that is nearly always another folder than the one that was meant. */
const demandKept = (asked: ComparisonRequest, files: ReadonlyArray<ObjectFile>, steps: ReadonlyArray<PlannedStep>) => {
  const emptied = asked.kinds.filter(
    (kind) =>
      !files.some((file) => file.kind === kind) &&
      steps.some((step) => step.kind === kind && step.action === "remove" && step.isApplied)
  )
  return asked.pruneAll || emptied.length === 0
    ? Effect.void
    : refusal(
        `${asked.folder} has no file of ${emptied.join(", ")}, so --prune would remove all that the server has of them: ` +
          "give --prune-all where that is meant, or name the other kinds with --only",
        "NO_FILES"
      )
}

/** Compares the files with the server. Changes nothing. */
export const plan = Effect.fnUntraced(function* (asked: ComparisonRequest) {
  yield* demandFolder(asked.folder)
  const read = yield* readFiles(asked.folder, asked.kinds)
  const server = yield* readServer(asked)
  const known = identified(read.files, server.objects)
  const found = { files: known.files, problems: [...read.problems, ...known.problems] }
  expectFiles(server.naming, found.files)
  const { files, problems } = checkFiles(found, server.naming)
  const steps = stepsOf(server, files, asked.prune)
  yield* demandSound([...problems, ...(yield* foreseen(server, steps, files, problems.length === 0))])
  yield* demandKept(asked, files, steps)
  const { application, environment } = server.connection
  const changes = steps.map(({ written: _, existing: __, ...change }) => change)
  const report: PlanReport = { project: application.name, environment: environment.alias, changes }
  return { report, steps, server }
})
