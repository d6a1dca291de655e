import { Context, DateTime, Effect, Layer } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { LegacyAssign } from "../../../schema/game/LegacyRecords.ts"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import type { ApiKey } from "../../../src/domain/access/ApiKey.ts"
import type { Application, Environment } from "../../../src/domain/access/Organization.ts"
import type { Context as UnitContext } from "../../../src/domain/experiments/Context.ts"
import type { StoredExperiment } from "../../../src/domain/experiments/StoredExperiment.ts"
import type { ConfigurationId, EnvironmentId } from "../../../src/domain/Ids.ts"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"
import { Delivery } from "../../../src/services/game/Delivery.ts"
import type { AskingUnit, UnitAssignment } from "../../../src/services/game/Evaluation.ts"
import { Evaluation } from "../../../src/services/game/Evaluation.ts"
import { GameAccess } from "../../../src/services/game/GameAccess.ts"
import { LegacyDelivery } from "../../../src/services/game/LegacyDelivery.ts"
import { RunningExperiments } from "../../../src/services/experiments/RunningExperiments.ts"
import { Versions } from "../../../src/services/game/Versions.ts"
import { WrittenAnswers } from "../../../src/services/game/WrittenAnswers.ts"
import { UnitAnswers } from "../../../src/services/game/UnitAnswers.ts"
import { SdkConfigurations } from "../../../src/services/game/SdkConfigurations.ts"
import { SdkLegacy } from "../../../src/services/game/SdkLegacy.ts"
import { anExperimentOn } from "../experiments/Running.ts"
import { aProject } from "../analytics/SavedQueries.ts"

const request = { version: 1, headers: {} } as const

const key = { id: 1, lastUsedAt: null, expiresAt: null } as unknown as ApiKey

const question: LegacyAssign = { playerIds: [], knownGroupIds: [], allowGameserverAssignment: true }

/** Who is in which group of which experiment, by distinct id. */
type Script = Readonly<Record<string, ReadonlyArray<readonly [experiment: StoredExperiment, ordinal: number]>>>

const assigned = (experiment: StoredExperiment, ordinal: number): UnitAssignment => {
  const { id, name, changeset } = experiment.groups[ordinal]!
  return {
    experimentId: experiment.id,
    unitType: experiment.unitType,
    groupId: id,
    groupName: name,
    assignmentVersion: 1,
    source: "weightedHash",
    changeset,
    exposureProxyRecorded: true,
    isExposureStored: true
  }
}

const accessTo = (application: Application, id: EnvironmentId) =>
  Layer.succeed(
    GameAccess,
    new GameAccess({
      application: () => Effect.succeed(application),
      environment: () => Effect.succeed({ id, applicationId: application.id } as Environment),
      audience: Effect.map(Principal, ({ kind }) => (kind === "public" ? "client" : "server"))
    } as unknown as ConstructorParameters<typeof GameAccess>[0])
  )

const primary = (application: Application, environmentId: EnvironmentId) =>
  Effect.flatMap(ConfigurationRepo, (repo) =>
    repo.insert({
      applicationId: application.id,
      environmentId,
      name: "main",
      alias: null,
      description: null,
      document: { speed: 1 },
      privacy: [],
      schema: null,
      keyDescriptions: {},
      isPrimary: true,
      hash: "hash",
      version: 1,
      createdAt: DateTime.unsafeMake(0),
      updatedAt: DateTime.unsafeMake(0),
      updatedBy: null
    })
  )

/** The older routes over a project in memory, where a script says who is assigned. */
export const world = Effect.gen(function* () {
  const { application, production } = yield* aProject
  const asked: Array<readonly [unit: string, context: UnitContext]> = []
  let script: Script = {}
  const assignmentsFor = (
    _environment: EnvironmentId,
    _configuration: ConfigurationId,
    unit: AskingUnit,
    told: (all: ReadonlyArray<UnitAssignment>) => ReadonlyArray<UnitAssignment> = (all) => all
  ) =>
    Effect.sync(() => {
      asked.push([`${unit.type} ${unit.distinctId}`, unit.context])
      const found = (script[unit.distinctId] ?? []).filter(([{ unitType }]) => unitType === unit.type)
      return told(found.map((each) => assigned(...each)))
    })
  const { id } = yield* primary(application, production)
  const place = { applicationId: application.id, production }
  const services = yield* Layer.build(
    SdkLegacy.Default.pipe(
      Layer.provide(LegacyDelivery.Default),
      Layer.provide(SdkConfigurations.Default),
      Layer.provide(UnitAnswers.Default),
      Layer.provide(WrittenAnswers.Default),
      Layer.provide(Delivery.Default),
      Layer.provide(RunningExperiments.Default),
      Layer.provide(Versions.Default),
      Layer.provide(
        Layer.succeed(
          Evaluation,
          new Evaluation({
            assignmentsFor,
            assignmentsForAll: () => Effect.succeed([]),
            assignmentsOfUnits: () => Effect.succeed(new Map()),
            noteContext: () => Effect.void,
            noteContexts: () => Effect.void
          })
        )
      ),
      Layer.provide(accessTo(application, production))
    )
  )
  const legacy = Context.get(services, SdkLegacy)
  return {
    asked,
    follow: (next: Script) => (script = next),
    experiment: (changes: Partial<StoredExperiment> = {}, progress: Partial<StoredExperiment["progress"]> = {}) =>
      anExperimentOn(place, id, changes, progress),
    assign: (changes: Partial<LegacyAssign>, serverId?: string) =>
      legacy.assign(request, serverId, { ...question, ...changes }),
    assignment: (ids: ReadonlyArray<string>) => legacy.assignment(request, "main", ids),
    configuration: (distinctId?: string) => legacy.configuration(request, "main", distinctId)
  }
})

export const stage = Layer.mergeAll(MemoryStores, SecretsNode, Layer.succeed(Principal, { kind: "public", key }))
