import { DateTime, Effect } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { EvaluateConfiguration } from "../../../schema/game/SdkConfigurations.ts"
import { keyOf } from "../../domain/access/Principal.ts"
import type { Audience } from "../../domain/configuration/Links.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import type { Delivered, Ready } from "./Delivery.ts"
import { Delivery } from "./Delivery.ts"
import type { AskingUnit } from "./Evaluation.ts"
import type { Standing } from "./Freshness.ts"
import type { GameRequest } from "./GameAccess.ts"
import { GameAccess } from "./GameAccess.ts"
import { find, UnitAnswers } from "./UnitAnswers.ts"

/** The answer of a poll, and for how long it needs no second look. */
export interface StandingAnswer extends Ready, Standing {}

/** What the answers to a key's questions about units rest on, and for how long. */
export interface Ground {
  readonly environmentId: EnvironmentId
  readonly delivered: Delivered
  readonly standing: Standing
}

const minute = 60_000

/** What games read of configurations. */
export class SdkConfigurations extends Effect.Service<SdkConfigurations>()("services/game/SdkConfigurations", {
  effect: Effect.gen(function* () {
    const access = yield* GameAccess
    const delivery = yield* Delivery
    const answers = yield* UnitAnswers

    /** What is delivered to the game that asks, and for how long it stands. */
    const read = Effect.fn("SdkConfigurations.read")(function* (request: GameRequest) {
      const environment = yield* access.environment("sdk:read", request)
      const principal = yield* Principal
      const key = keyOf(principal)
      const audience: Audience = principal.kind === "public" ? "client" : "server"
      const delivered = yield* delivery.current(environment.id, audience)
      const used = key?.lastUsedAt ?? null
      const until = Math.min(
        delivered.until,
        key?.expiresAt ? DateTime.toEpochMillis(key.expiresAt) : Infinity,
        used === null ? 0 : DateTime.toEpochMillis(used) + minute
      )
      return { environmentId: environment.id, audience, delivered, standing: { until, isCurrent: delivered.isCurrent } }
    })

    /** Every configuration, for the start of a game. */
    const bootstrap = Effect.fn("SdkConfigurations.bootstrap")(function* (request: GameRequest) {
      const { delivered, standing } = yield* read(request)
      return { ...delivered.bootstrap, ...standing } satisfies StandingAnswer
    })

    /** Their hashes, for a game that polls. */
    const status = Effect.fn("SdkConfigurations.status")(function* (request: GameRequest) {
      const { delivered, standing } = yield* read(request)
      return { ...delivered.status, ...standing } satisfies StandingAnswer
    })

    /** One of them by alias or name, or the primary one. */
    const get = Effect.fn("SdkConfigurations.get")(function* (request: GameRequest, name: string | undefined) {
      const { delivered, standing } = yield* read(request)
      const { ready } = yield* find(delivered, name)
      return { ...ready, ...standing } satisfies StandingAnswer
    })

    /** What a unit gets of a configuration; assigns it where it may be enrolled. */
    const forUnit = Effect.fn("SdkConfigurations.forUnit")(function* (
      request: GameRequest,
      name: string | undefined,
      unit: AskingUnit | undefined,
      serverId?: string
    ) {
      const { environmentId, delivered } = yield* read(request)
      return yield* answers.forUnit(environmentId, delivered, name, unit, serverId)
    })

    /** The same as a game asks for it, and what stays true for its next question. */
    const evaluate = Effect.fn("SdkConfigurations.evaluate")(function* (
      request: GameRequest,
      { configuration, unit, context }: EvaluateConfiguration,
      serverId: string | undefined
    ) {
      const { environmentId, delivered, standing } = yield* read(request)
      const asking = { ...unit, context: context?.properties ?? {} }
      const ready = yield* answers.answerFor(environmentId, delivered, configuration, asking, serverId)
      return { ready, ground: { environmentId, delivered, standing } satisfies Ground }
    })

    return { read, bootstrap, status, get, forUnit, evaluate } as const
  })
}) {}
