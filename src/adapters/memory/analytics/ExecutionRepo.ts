import { DateTime, Effect, Layer, Option } from "effect"
import { type Execution, isUnfinished } from "../../../domain/analytics/question/Execution.ts"
import type { ApplicationId } from "../../../domain/Ids.ts"
import { ExecutionRepo } from "../../../ports/analytics/ExecutionRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const firstInTurn = (rows: ReadonlyArray<Execution>): Execution | undefined => {
  const running = (id: ApplicationId) =>
    rows.filter(({ state, applicationId }) => state === "running" && applicationId === id).length
  const waiting = rows.filter(({ state }) => state === "queued")
  return waiting.toSorted((a, b) => running(a.applicationId) - running(b.applicationId))[0]
}

export const ExecutionRepoMemory = Layer.effect(
  ExecutionRepo,
  Effect.map(MemoryDb, ({ access, executions }) => {
    const findBy = (test: (execution: Execution) => boolean) =>
      access(() => Option.fromNullable(executions.rows.find(test)))
    const change = (found: Execution | undefined, fields: Partial<Execution>) =>
      found === undefined
        ? Option.none()
        : Option.some(executions.replace(({ id }) => id === found.id, { ...found, ...fields }))
    return ExecutionRepo.of({
      insert: (execution) => access(() => executions.insert(execution)),
      find: (queryId, id) => findBy((each) => each.queryId === queryId && each.id === id),
      findByKey: (queryId, environmentId, key) =>
        findBy(
          (each) => each.queryId === queryId && each.environmentId === environmentId && each.idempotencyKey === key
        ),
      unfinished: (applicationId) =>
        access(
          () => executions.rows.filter((each) => each.applicationId === applicationId && isUnfinished(each)).length
        ),
      claim: (startedAt) => access(() => change(firstInTurn(executions.rows), { state: "running", startedAt })),
      finish: (id, ending) =>
        access(() => {
          const found = executions.rows.find((each) => each.id === id && each.state === "running")
          return Option.isSome(change(found, ending))
        }),
      cancel: (id, finishedAt) =>
        access(() => {
          const found = executions.rows.find((each) => each.id === id && isUnfinished(each))
          return change(found, { state: "canceled", finishedAt })
        }),
      requeue: () =>
        access(() => {
          for (const each of executions.rows.filter(({ state }) => state === "running")) {
            change(each, { state: "queued", startedAt: null })
          }
        }),
      removeMentioning: (environmentId, test) =>
        access(() =>
          executions.remove(
            (each) =>
              each.environmentId === environmentId &&
              !isUnfinished(each) &&
              [each.result ?? "null", each.definition].some(test)
          )
        ),
      removeFinished: (before) =>
        access(() =>
          executions.remove(({ finishedAt }) => finishedAt !== null && DateTime.lessThan(finishedAt, before))
        )
    })
  })
)
