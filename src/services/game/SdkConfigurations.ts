import { Effect, type Exit } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { EvaluateConfiguration } from "../../../schema/game/SdkConfigurations.ts"
import { keyOf } from "../../domain/access/Principal.ts"
import type { Audience } from "../../domain/configuration/Links.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import type { Validity } from "../../domain/Validity.ts"
import { Delivery, type Ready } from "./Delivery.ts"
import { type AskingUnit, Evaluation } from "./Evaluation.ts"
import type { GameRequest } from "./GameAccess.ts"
import { GameAccess, trustedUntil } from "./GameAccess.ts"
import { UnitAnswers } from "./UnitAnswers.ts"
import { find, type FullUnitQuestion } from "./UnitQuestion.ts"

/** An answer that may be given again to the same request while it is valid. */
export interface ValidAnswer extends Ready {
  readonly validity: Validity
}

/** What a game may ask about: the environment that its key and headers name, as the key's audience sees it, and how long that holds. */
export interface GameScope {
  readonly environmentId: EnvironmentId
  readonly audience: Audience
  readonly validity: Validity
}

const questionOf = (
  { configuration, unit, context }: EvaluateConfiguration,
  serverId: string | undefined
): FullUnitQuestion => ({
  name: configuration,
  unit: { type: unit.type, distinctId: unit.distinctId, context: context?.properties ?? {} },
  serverId
})

/** What games read of configurations. */
export class SdkConfigurations extends Effect.Service<SdkConfigurations>()("services/game/SdkConfigurations", {
  effect: Effect.gen(function* () {
    const access = yield* GameAccess
    const delivery = yield* Delivery
    const answers = yield* UnitAnswers
    const evaluation = yield* Evaluation

    /**
     * The scope of a request with what is delivered there. It ends when the key expires, and when its use has to be recorded again.
     * Whoever keeps it adds the access version of before the authentication.
     */
    const read = Effect.fnUntraced(function* (request: GameRequest) {
      const { id: environmentId } = yield* access.environment("sdk:read", request)
      const audience = yield* access.audience
      const delivered = yield* delivery.current(environmentId, audience)
      const validity = delivered.validity.endingAt(trustedUntil(keyOf(yield* Principal)))
      return { environmentId, audience, delivered, validity }
    })

    /** Every configuration, for the start of a game. */
    const bootstrap = Effect.fnUntraced(function* (request: GameRequest) {
      const { delivered, validity } = yield* read(request)
      return { ...delivered.bootstrap, validity } satisfies ValidAnswer
    })

    /** Their hashes, for a game that polls. */
    const status = Effect.fnUntraced(function* (request: GameRequest) {
      const { delivered, validity } = yield* read(request)
      return { ...delivered.status, validity } satisfies ValidAnswer
    })

    /** One of them by alias or name, or the primary one. */
    const get = Effect.fnUntraced(function* (request: GameRequest, name: string | undefined) {
      const { delivered, validity } = yield* read(request)
      const { ready } = yield* find(delivered, name)
      return { ...ready, validity } satisfies ValidAnswer
    })

    /** The groups in which a unit gets a configuration; assigns it where it may be enrolled. Without a unit: none. */
    const forUnit = Effect.fnUntraced(function* (
      request: GameRequest,
      name: string | undefined,
      unit: AskingUnit | undefined,
      serverId?: string
    ) {
      const { delivered } = yield* read(request)
      return yield* answers.forUnit(delivered, name, unit, serverId)
    })

    /** The answer to a question that says nothing of its unit and was answered in the same scope before, if nothing can have changed it since. */
    const settled = (scope: GameScope, asked: EvaluateConfiguration, serverId: string | undefined): Ready | undefined =>
      asked.context === undefined
        ? answers.settled(scope, { name: asked.configuration, unit: asked.unit, serverId })
        : undefined

    /**
     * The answer to a question for which `settled` has just found none, for a caller without a fiber, together with those of others. False,
     * and `settle` is never called, where `evaluateIn` has to give it.
     */
    const join = (
      scope: GameScope,
      asked: EvaluateConfiguration,
      serverId: string | undefined,
      settle: (exit: Exit.Exit<Ready>) => void
    ): boolean => {
      const question = questionOf(asked, serverId)
      const isSettled = asked.context !== undefined && answers.settled(scope, question) !== undefined
      return !isSettled && answers.join(scope, question, settle)
    }

    /** What a unit gets, for a caller that may ask in the scope. */
    const evaluateIn = Effect.fnUntraced(function* (
      scope: GameScope,
      asked: EvaluateConfiguration,
      serverId: string | undefined
    ) {
      const question = questionOf(asked, serverId)
      const known = answers.settled(scope, question)
      if (known !== undefined) {
        yield* evaluation.noteContext(scope.environmentId, question.unit.context)
        return known
      }
      const delivered = yield* delivery.current(scope.environmentId, scope.audience)
      return yield* answers.answerFor(delivered, question)
    })

    /** The same for a game that has yet to show what it may ask, with the scope of its further questions. */
    const evaluate = Effect.fnUntraced(function* (
      request: GameRequest,
      asked: EvaluateConfiguration,
      serverId: string | undefined
    ) {
      const { environmentId, audience, validity } = yield* read(request)
      const scope: GameScope = { environmentId, audience, validity }
      return { ready: yield* evaluateIn(scope, asked, serverId), scope }
    })

    return { read, bootstrap, status, get, forUnit, settled, join, evaluateIn, evaluate } as const
  })
}) {}
