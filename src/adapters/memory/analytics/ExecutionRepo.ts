import { DateTime, Effect, Layer, Option } from "effect"
import { type Execution, isUnfinished } from "../../../domain/analytics/question/Execution.ts"
import type { ApplicationId, ExecutionId } from "../../../domain/Ids.ts"
import { ExecutionRepo } from "../../../ports/analytics/ExecutionRepo.ts"
import { farthestPlanMillis } from "../../../domain/operations/DueTime.ts"
import { type Claim, MemoryDb } from "../MemoryDb.ts"
import { servedLast } from "../ServedLast.ts"

type Row = Execution & Claim

const unclaimed: Claim = { claimedBy: null, claimedUntil: null }

const firstInTurn = (rows: ReadonlyArray<Row>, inOrder: (a: Row, b: Row) => number): Row | undefined => {
  const running = (id: ApplicationId) =>
    rows.filter(({ state, applicationId }) => state === "running" && applicationId === id).length
  const waiting = rows.filter(({ state }) => state === "queued")
  return waiting.toSorted((a, b) => inOrder(a, b) || running(a.applicationId) - running(b.applicationId))[0]
}

export const ExecutionRepoMemory = Layer.effect(
  ExecutionRepo,
  Effect.map(MemoryDb, ({ access, applications, executions }) => {
    const bare = ({ claimedBy: _by, claimedUntil: _until, ...execution }: Row): Execution => execution
    const findBy = (test: (execution: Execution) => boolean) =>
      access(() => Option.map(Option.fromNullable(executions.rows.find(test)), bare))
    const change = (found: Row | undefined, fields: Partial<Row>) =>
      found === undefined
        ? Option.none()
        : Option.some(bare(executions.replace(({ id }) => id === found.id, { ...found, ...fields })))
    const heldBy = (owner: string, wanted: ExecutionId) =>
      executions.rows.find(({ id, state, claimedBy }) => id === wanted && state === "running" && claimedBy === owner)
    return ExecutionRepo.of({
      insert: (execution) => access(() => bare(executions.insert({ ...execution, ...unclaimed }))),
      find: (queryId, id) => findBy((each) => each.queryId === queryId && each.id === id),
      findByKey: (queryId, environmentId, key) =>
        findBy(
          (each) => each.queryId === queryId && each.environmentId === environmentId && each.idempotencyKey === key
        ),
      unfinished: (applicationId) =>
        access(
          () => executions.rows.filter((each) => each.applicationId === applicationId && isUnfinished(each)).length
        ),
      claim: (startedAt, claimedBy, claimedUntil, served) =>
        access(() => {
          const first = firstInTurn(executions.rows, servedLast(applications, served))
          const attempts = (first?.attempts ?? 0) + 1
          return change(first, { state: "running", attempts, startedAt, claimedBy, claimedUntil })
        }),
      renew: (owner, claimedUntil, progress) =>
        access(() =>
          progress.flatMap(({ id, rowsScanned, rowsTotal }) =>
            Option.isSome(change(heldBy(owner, id), { claimedUntil, rowsScanned, rowsTotal })) ? [id] : []
          )
        ),
      leave: (id, owner) =>
        access(() => {
          const held = heldBy(owner, id)
          change(held, { attempts: (held?.attempts ?? 1) - 1 })
        }),
      finish: (id, owner, ending) => access(() => Option.isSome(change(heldBy(owner, id), ending))),
      cancel: (id, finishedAt) =>
        access(() => {
          const found = executions.rows.find((each) => each.id === id && isUnfinished(each))
          return change(found, { state: "canceled", finishedAt })
        }),
      requeue: (before) =>
        access(() => {
          const farthest = DateTime.add(before, { millis: farthestPlanMillis })
          const left = executions.rows.filter(
            ({ state, claimedUntil }) =>
              state === "running" &&
              (claimedUntil === null ||
                DateTime.lessThan(claimedUntil, before) ||
                DateTime.greaterThan(claimedUntil, farthest))
          )
          for (const each of left)
            change(each, { state: "queued", startedAt: null, rowsScanned: 0, rowsTotal: 0, ...unclaimed })
          return left.length
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
