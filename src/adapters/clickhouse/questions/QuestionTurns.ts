import { Deferred, Effect, Exit, Option } from "effect"
import { StoreOverloaded, TooManyQuestions } from "../../../ports/analytics/EventStore.ts"
import { OwnerTurns } from "../../local/OwnerTurns.ts"

export interface QuestionLimits {
  /** Questions of this process that may be under way at a time. */
  readonly seats: number
  /** Questions that may wait before further ones are refused. */
  readonly queue: number
  /** The same for the questions of one owner. */
  readonly queueOfOwner: number
  /** Milliseconds that a question may wait for its turn. */
  readonly wait: number
}

/** A question that waits or is under way. */
interface Asked {
  readonly owner: number
  readonly begin: () => void
  readonly giveWay: () => void
  /** It gave way to another owner before: it begins again on its owner's own seat only. */
  readonly hasGivenWay: boolean
  isGivingWay: boolean
}

/** A seat for every owner first; those that are left over are lent to owners for further questions, until another owner wants one. */
class Seats {
  private readonly limits: QuestionLimits
  private readonly waiting = new OwnerTurns<Asked>()
  /** In the order in which they began. */
  private readonly taken = new Set<Asked>()

  constructor(limits: QuestionLimits) {
    this.limits = limits
  }

  /** Why a question of the owner may not wait. */
  refusal(owner: number): StoreOverloaded | TooManyQuestions | null {
    if (this.waiting.size >= this.limits.queue) return new StoreOverloaded()
    return this.waiting.sizeOf(owner) >= this.limits.queueOfOwner ? new TooManyQuestions() : null
  }

  enter(asked: Asked): void {
    if (asked.hasGivenWay) this.waiting.addFirst(asked)
    else this.waiting.add(asked)
    this.next()
  }

  /** Ends a question: it was answered, or nobody waits for its answer any longer. */
  leave(asked: Asked): void {
    if (!this.taken.delete(asked)) this.waiting.remove(asked)
    this.next()
  }

  private underWay(owner: number): number {
    return [...this.taken].filter((asked) => asked.owner === owner).length
  }

  private readonly isDue = ({ owner }: Asked): boolean => this.underWay(owner) === 0

  private next(): void {
    while (this.taken.size < this.limits.seats) {
      const asked = this.waiting.take(this.isDue) ?? this.waiting.take(({ hasGivenWay }) => !hasGivenWay)
      if (asked === undefined) return
      this.taken.add(asked)
      asked.begin()
    }
    this.reclaim()
  }

  /** Takes a lent seat back, the last one first, where another owner waits for its own. */
  private reclaim(): void {
    const taken = [...this.taken]
    if (taken.some(({ isGivingWay }) => isGivingWay) || this.waiting.find(this.isDue) === undefined) return
    const lent = taken.findLast(({ owner }) => this.underWay(owner) > 1)
    if (lent === undefined) return
    lent.isGivingWay = true
    lent.giveWay()
  }
}

/**
 * Lets owners ask in turns, so that the heavy questions of one do not hold another's. Who waits too long, or behind too many, is refused. A
 * question that has to give way is interrupted, and begins again later.
 */
export const makeQuestionTurns = (limits: QuestionLimits) => {
  const seats = new Seats(limits)

  const attempt = <A, E, R>(owner: number, question: Effect.Effect<A, E, R>, hasGivenWay: boolean) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const refusal = hasGivenWay ? null : seats.refusal(owner)
        if (refusal !== null) return yield* refusal
        const [begun, reclaimed] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
        const asked: Asked = {
          owner,
          hasGivenWay,
          isGivingWay: false,
          begin: () => Deferred.unsafeDone(begun, Exit.void),
          giveWay: () => Deferred.unsafeDone(reclaimed, Exit.void)
        }
        seats.enter(asked)
        const onTimeout = () => new StoreOverloaded()
        // The asker may be uninterruptible. The two below can be interrupted all the same: otherwise the race would wait for the loser for
        // ever.
        const isBegun = Effect.interruptible(Deferred.await(begun))
        const turn = Effect.timeoutFail(isBegun, { duration: limits.wait, onTimeout })
        const givenUp = Effect.interruptible(Effect.as(Deferred.await(reclaimed), Option.none<A>()))
        const answered = Effect.raceFirst(Effect.asSome(question), givenUp)
        const left = Effect.sync(() => seats.leave(asked))
        return yield* Effect.ensuring(restore(Effect.zipRight(turn, answered)), left)
      })
    )

  return <A, E, R>(owner: number, question: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      let found = yield* attempt(owner, question, false)
      while (Option.isNone(found)) found = yield* attempt(owner, question, true)
      return found.value
    })
}
