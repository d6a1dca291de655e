import { Effect, Option, Schema } from "effect"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import type {
  LegacyAssign,
  LegacyAssigned,
  LegacyConfigurations,
  LegacyGroup,
  NamedAssignment
} from "../../../schema/game/LegacyRecords.ts"
import { NamedConfiguration } from "../../../schema/game/LegacyRecords.ts"
import { inOrder } from "../../domain/configuration/Changeset.ts"
import type { Json } from "../../domain/configuration/Document.ts"
import { isObject } from "../../domain/configuration/Document.ts"
import { contextOf } from "../../domain/game/LegacyGroups.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import { Evaluation, type UnitAssignment } from "./Evaluation.ts"
import type { GameRequest } from "./GameAccess.ts"
import { GameAccess } from "./GameAccess.ts"
import type { LegacySnapshot } from "./LegacyDelivery.ts"
import { LegacyDelivery } from "./LegacyDelivery.ts"
import { SdkConfigurations } from "./SdkConfigurations.ts"
import { UnitAnswers } from "./UnitAnswers.ts"

interface Asking {
  readonly snapshot: LegacySnapshot
  readonly unitType: UnitType
  readonly distinctId: string
  readonly properties: Json | undefined
}

/** Groups that the game server is told of, without those that it has. */
const unknownTo = ({ knownGroupIds }: LegacyAssign, groups: ReadonlyArray<LegacyGroup>) => {
  const known = new Set(knownGroupIds.map(String))
  const unknown = groups.filter(({ id }) => !known.has(String(id)))
  return unknown.length === 0 ? {} : { groups: unknown }
}

const encoder = new TextEncoder()
const encodeNamed = Schema.encode(NamedConfiguration)

const ofUsers = (distinctId: string) => ({ type: "user" as const, distinctId, context: {} })

/** What games of earlier generations read. A unit is in one experiment for them: the first that it is in. */
export class SdkLegacy extends Effect.Service<SdkLegacy>()("services/game/SdkLegacy", {
  effect: Effect.gen(function* () {
    const access = yield* GameAccess
    const configurations = yield* SdkConfigurations
    const evaluation = yield* Evaluation
    const legacy = yield* LegacyDelivery
    const answers = yield* UnitAnswers

    /** A configuration by name as a player gets it; without a player as everyone does. */
    const configuration = Effect.fnUntraced(function* (
      request: GameRequest,
      name: string,
      distinctId: string | undefined
    ) {
      const unit = distinctId === undefined ? undefined : ofUsers(distinctId)
      const found = yield* configurations.forUnit(request, name, unit)
      const { entry, assignments } = found
      const [first] = assignments
      return yield* answers.writtenFor(found, "named", (document) =>
        Effect.map(
          Effect.orDie(
            encodeNamed({
              name: entry.name,
              configuration: document,
              experiment: first === undefined ? null : { id: first.experimentId, group: first.groupName }
            })
          ),
          (encoded) => ({ hash: entry.hash, bytes: encoder.encode(JSON.stringify(encoded)) })
        )
      )
    })

    /** The group of each player in the experiment on a configuration; players in none are left out. */
    const assignment = Effect.fnUntraced(function* (request: GameRequest, name: string, ids: ReadonlyArray<string>) {
      const found = yield* Effect.forEach([...new Set(ids)], (id) =>
        Effect.map(configurations.forUnit(request, name, ofUsers(id)), ({ assignments: [first] }) =>
          first === undefined ? [] : [{ id, experimentId: first.experimentId, group: first.groupName }]
        )
      )
      return found.flat() satisfies ReadonlyArray<NamedAssignment>
    })

    const configurationsOf = Effect.fnUntraced(function* (request: GameRequest) {
      return { args: legacy.argumentsOf(yield* legacy.current(request)) } satisfies LegacyConfigurations
    })

    const experiments = Effect.fnUntraced(function* (request: GameRequest) {
      return legacy.experimentsOf(yield* legacy.current(request))
    })

    const contextFrom = Effect.fnUntraced(function* ({ snapshot, properties, distinctId }: Asking) {
      const context = contextOf(snapshot.running, isObject(properties) ? properties : {})
      return context === undefined
        ? yield* Effect.fail(
            new ValidationFailed({
              message: `Properties of ${distinctId}: expected up to 100 scalars or lists of them`
            })
          )
        : context
    })

    const groupFor = Effect.fnUntraced(function* (asking: Asking) {
      const { snapshot, unitType, distinctId } = asking
      const context = yield* contextFrom(asking)
      if (Option.isNone(snapshot.entry)) return undefined
      const unit = { type: unitType, distinctId, context }
      const shown = new Set(snapshot.running.flatMap(({ groups }) => groups.map(({ id }) => id)))
      const first = (found: ReadonlyArray<UnitAssignment>) =>
        inOrder(found)
          .filter(({ groupId }) => shown.has(groupId))
          .slice(0, 1)
      const [told] = yield* evaluation.assignmentsFor(snapshot.environmentId, snapshot.entry.value.id, unit, first)
      return told?.groupId
    })

    const ofPlayers = Effect.fnUntraced(function* (
      snapshot: LegacySnapshot,
      { playerIds, playerProperties }: LegacyAssign
    ) {
      const byGroup = new Map<string, Array<string>>()
      for (const distinctId of new Set(playerIds.map(String))) {
        const properties = playerProperties?.[distinctId]
        const groupId = yield* groupFor({ snapshot, unitType: "user", distinctId, properties })
        if (groupId === undefined) continue
        byGroup.set(String(groupId), [...(byGroup.get(String(groupId)) ?? []), distinctId])
      }
      return Object.fromEntries(byGroup)
    })

    /** Assigns the server itself where that is allowed and an experiment takes it, else its players. */
    const assign = Effect.fnUntraced(function* (
      request: GameRequest,
      serverId: string | undefined,
      asked: LegacyAssign
    ) {
      const snapshot = yield* legacy.current(request)
      const has = (type: UnitType) => snapshot.running.some(({ unitType }) => unitType === type)
      const groups = unknownTo(asked, legacy.experimentsOf(snapshot).groups)
      const server = asked.allowGameserverAssignment && has("server") && serverId ? serverId : undefined
      if (server !== undefined) {
        const properties = asked.serverProperties
        const groupId = yield* groupFor({ snapshot, unitType: "server", distinctId: server, properties })
        if (groupId !== undefined) return { ...groups, targetType: "gameserver", gameserverGroupId: groupId } as const
        if (!has("user")) return { ...groups, targetType: "gameserver" } as const
      }
      if (!has("user")) return null
      const playerIdsByGroupId = yield* ofPlayers(snapshot, asked)
      return { ...groups, targetType: "player", playerIdsByGroupId } as const satisfies LegacyAssigned
    })

    /** Answers the caller's own version as the newest, because this server distributes no SDK. */
    const latestVersion = Effect.fnUntraced(function* ({ headers }: GameRequest, running: string | undefined) {
      yield* access.application("sdk:read", headers)
      return { version: running ?? "" }
    })

    return { configuration, assignment, configurations: configurationsOf, experiments, assign, latestVersion } as const
  })
}) {}
