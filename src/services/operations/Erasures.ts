import { Effect } from "effect"
import type { Erasure } from "../../domain/operations/Erasure.ts"
import { ErasuresUnfinished } from "../../domain/operations/ErasuresUnfinished.ts"
import { united } from "../../domain/analytics/question/Question.ts"
import type { CohortId } from "../../domain/Ids.ts"
import { mentions } from "../../domain/operations/Mentions.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { ExecutionRepo } from "../../ports/analytics/ExecutionRepo.ts"
import { ClickRepo } from "../../ports/deeplinks/ClickRepo.ts"
import { ServerStateRepo } from "../../ports/game/ServerStateRepo.ts"
import { ErasedUnitRepo } from "../../ports/operations/ErasedUnitRepo.ts"
import { ErasureRepo } from "../../ports/operations/ErasureRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Turns } from "../../ports/operations/Turns.ts"
import { PlayerAssignments } from "../analytics/PlayerAssignments.ts"
import { PlayerCohorts } from "../analytics/PlayerCohorts.ts"
import { answered } from "../analytics/QueryFailure.ts"
import { whole } from "../Whole.ts"
import { ErasedUnits } from "./ErasedUnits.ts"

/** How often the markers of a unit are removed again while some of the erased time are still found. */
const attempts = 3

const keyOf = ({ environmentId, unitId }: Erasure): string => `${environmentId} ${unitId}`

/**
 * Removes units from both stores. An erasure is recorded before anything is removed and forgotten after the last step, and every step
 * may be done again, so that one that a crash, a full disk or a busy store cuts off is finished by `resume`.
 */
export class Erasures extends Effect.Service<Erasures>()("services/operations/Erasures", {
  effect: Effect.gen(function* () {
    const assignments = yield* PlayerAssignments
    const clicks = yield* ClickRepo
    const cohorts = yield* PlayerCohorts
    const erased = yield* ErasedUnits
    const erasedUnits = yield* ErasedUnitRepo
    const events = yield* EventStore
    const executions = yield* ExecutionRepo
    const repo = yield* ErasureRepo
    const servers = yield* ServerStateRepo
    const transaction = yield* Transaction
    const turns = yield* Turns
    /** The erasures that this process carries out; `resume` leaves them alone. */
    const underWay = new Map<string, number>()

    /** Erases the unit's markers, and again while a request that had begun before the erasure still stores some of that time. */
    const eraseMarkers = ({ environmentId, unitId, erasedAt }: Erasure) =>
      Effect.all([
        events.erase(environmentId, unitId),
        answered(events.ask<"unit">(environmentId, { kind: "unit", plan: { unitId } }))
      ]).pipe(
        Effect.repeat({
          times: attempts,
          while: ([, { answer }]) => answer !== null && answer.firstSeenAt <= erasedAt
        }),
        Effect.map(([unreached, { meta }]) => united([meta.incomplete, unreached]))
      )

    const steps = yield* Effect.makeSemaphore(1)

    /** One step of all erasures that are under way, then a turn of the event loop: each commits, and sixty at once would in one turn. */
    const inTurn = <A, E, R>(step: Effect.Effect<A, E, R>) => steps.withPermits(1)(Effect.zipLeft(step, nextTurn))

    /**
     * Takes every step; one that was taken before finds nothing to do. `left` are the cohorts that lose a member; null: any may. Answers
     * how many assignments there were, and which markers could not be read.
     */
    const carryOut = Effect.fnUntraced(function* (erasure: Erasure, left: ReadonlyArray<CohortId> | null) {
      const { environmentId, unitId } = erasure
      const isMentioned = (json: string) => mentions(json, unitId)
      const assigned = yield* inTurn(assignments.erase(environmentId, unitId))
      const lacking = yield* eraseMarkers(erasure)
      yield* cohorts.recount(environmentId, left)
      yield* inTurn(clicks.eraseUnit(environmentId, unitId))
      yield* erased.outdate(environmentId)
      yield* inTurn(executions.removeMentioning(environmentId, isMentioned))
      yield* inTurn(servers.removeMentioning(environmentId, isMentioned))
      yield* inTurn(repo.end(erasure))
      yield* erasedUnits.scrub
      return { assigned, lacking }
    }, whole)

    const alone = <A, E, R>(erasure: Erasure, work: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        Effect.sync(() => underWay.set(keyOf(erasure), (underWay.get(keyOf(erasure)) ?? 0) + 1)),
        () => work,
        () =>
          Effect.sync(() => {
            const others = (underWay.get(keyOf(erasure)) ?? 1) - 1
            if (others === 0) underWay.delete(keyOf(erasure))
            else underWay.set(keyOf(erasure), others)
          })
      )

    const record = (erasure: Erasure) =>
      inTurn(
        transaction.run(
          Effect.zipRight(repo.begin(erasure), erased.add(erasure.environmentId, erasure.unitId, erasure.erasedAt))
        )
      )

    /**
     * Removes every trace of the unit, which has been in the cohorts `left`. Answers how many assignments it had, and which markers could not
     * be read. Where it fails, `resume` goes on.
     */
    const erase = (erasure: Erasure, left: ReadonlyArray<CohortId>) =>
      whole(alone(erasure, Effect.zipRight(record(erasure), carryOut(erasure, left))))

    const finish = (erasure: Erasure) =>
      alone(erasure, carryOut(erasure, null)).pipe(
        Effect.zipRight(Effect.logInfo("An erasure that had been cut off is finished")),
        Effect.as(true),
        Effect.catchAllCause((cause) =>
          Effect.as(Effect.logError("An erasure could not be finished and is tried again", cause), false)
        )
      )

    const finishAll = Effect.fnUntraced(function* () {
      const cutOff = (yield* repo.unfinished).filter((erasure) => !underWay.has(keyOf(erasure)))
      const left = (yield* Effect.forEach(cutOff, finish)).filter((isFinished) => !isFinished).length
      if (left > 0)
        return yield* new ErasuresUnfinished({ message: `${left} of ${cutOff.length} are not finished: see above why` })
    })

    /** Finishes what was cut off, and leaves no byte of it in a log; nothing while another process does so. Fails once it has tried all. */
    const resume = () => Effect.asVoid(turns.once("erasures", finishAll()))

    return { erase, resume, scrub: erasedUnits.scrub } as const
  })
}) {}
