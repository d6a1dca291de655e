import { DateTime, Effect, Schema } from "effect"
import { Principal } from "../../schema/Auth.ts"
import { ConfigurationNotFound } from "../../schema/LiveErrors.ts"
import type { EvaluateConfiguration } from "../../schema/SdkConfigurations.ts"
import { EvaluatedConfiguration } from "../../schema/SdkConfigurations.ts"
import { keyOf } from "../domain/access/Principal.ts"
import { inOrder } from "../domain/configuration/Changeset.ts"
import { content } from "../domain/configuration/Canonical.ts"
import type { Audience } from "../domain/configuration/Links.ts"
import { deliver } from "../domain/delivery/Resolution.ts"
import { named } from "../domain/delivery/Snapshot.ts"
import { requiredProperties } from "../domain/experiments/Targeting.ts"
import type { EnvironmentId } from "../domain/Ids.ts"
import type { Delivered, Ready, ReadyEntry } from "./Delivery.ts"
import { Delivery } from "./Delivery.ts"
import type { AskingUnit, UnitAssignment } from "./Evaluation.ts"
import { Evaluation } from "./Evaluation.ts"
import type { Standing } from "./Freshness.ts"
import type { GameRequest } from "./GameAccess.ts"
import { GameAccess } from "./GameAccess.ts"

/** The answer of a poll, and for how long it needs no second look. */
export interface StandingAnswer extends Ready, Standing {}

/** What one unit gets of a configuration. */
export interface Evaluated {
  readonly entry: ReadyEntry
  readonly configuration: ReadyEntry["configuration"]
  readonly assignments: ReadonlyArray<UnitAssignment>
  readonly requiredProperties: ReadonlyArray<string>
}

const minute = 60_000

const encoder = new TextEncoder()

const missing = (name: string | undefined) =>
  Effect.fail(
    new ConfigurationNotFound({
      message:
        name === undefined ? "This environment has no primary configuration" : `No configuration is called ${name}`
    })
  )

const find = ({ configurations }: Delivered, name: string | undefined) => {
  const entry = named(configurations, name)
  return entry === undefined ? missing(name) : Effect.succeed(entry)
}

/** The unit, and before it the server it plays on. What the game says of the one is not said of the other. */
const unitsOf = (unit: AskingUnit, serverId: string | undefined): ReadonlyArray<AskingUnit> =>
  unit.type === "server" || serverId === undefined || serverId === ""
    ? [unit]
    : [{ type: "server", distinctId: serverId, context: {} }, unit]

/** What games read of configurations. */
export class SdkConfigurations extends Effect.Service<SdkConfigurations>()("services/SdkConfigurations", {
  effect: Effect.gen(function* () {
    const access = yield* GameAccess
    const delivery = yield* Delivery
    const evaluation = yield* Evaluation

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

    const assignmentsOf = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      entry: ReadyEntry,
      units: ReadonlyArray<AskingUnit>
    ) {
      const found = yield* Effect.forEach(units, (unit) => evaluation.assignmentsFor(environmentId, entry.id, unit))
      return inOrder(found.flat())
    })

    /** What a unit gets of a configuration; assigns it where it may be enrolled. */
    const forUnit = Effect.fn("SdkConfigurations.forUnit")(function* (
      request: GameRequest,
      name: string | undefined,
      unit: AskingUnit | undefined,
      serverId?: string
    ) {
      const { environmentId, delivered } = yield* read(request)
      const entry = yield* find(delivered, name)
      const units = unit === undefined ? [] : unitsOf(unit, serverId)
      const assignments = yield* assignmentsOf(environmentId, entry, units)
      const asking = delivered.experiments.filter(({ baseConfigurationId }) => baseConfigurationId === entry.id)
      return {
        entry,
        configuration: deliver(entry.resolution, assignments),
        assignments,
        requiredProperties: requiredProperties(asking.map(({ targeting }) => targeting))
      } satisfies Evaluated
    })

    const hashOf = ({ entry, configuration, assignments, requiredProperties }: Evaluated): string => {
      if (assignments.length === 0 && requiredProperties.length === 0) return entry.hash
      const groups = assignments.map((each) => [each.experimentId, each.groupId, each.assignmentVersion, each.source])
      const document = content(configuration, entry.privacy)
      return delivery.digest(`evaluated:${document}${JSON.stringify([groups, requiredProperties])}`)
    }

    /** The same as a game asks for it. Its hash is that of the configuration as long as no experiment is about it. */
    const evaluate = Effect.fn("SdkConfigurations.evaluate")(function* (
      request: GameRequest,
      { configuration, unit, context }: EvaluateConfiguration,
      serverId: string | undefined
    ) {
      const asking = { ...unit, context: context?.properties ?? {} }
      const evaluated = yield* forUnit(request, configuration, asking, serverId)
      const { id, name, privacy, updatedAt } = evaluated.entry
      const hash = hashOf(evaluated)
      const encoded = yield* Effect.orDie(
        Schema.encode(EvaluatedConfiguration)({
          hash,
          configurationId: id,
          name,
          configuration: evaluated.configuration,
          privacy,
          updatedAt,
          experiments: evaluated.assignments,
          requiredProperties: evaluated.requiredProperties
        })
      )
      return { hash, bytes: encoder.encode(JSON.stringify(encoded)) } satisfies Ready
    })

    return { read, bootstrap, status, get, forUnit, evaluate } as const
  })
}) {}
