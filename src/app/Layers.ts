import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "../../schema/Api.ts"
import { EventStoreMemory } from "../adapters/memory/EventStore.ts"
import { MemoryMetadata } from "../adapters/memory/Memory.ts"
import { ProjectCache } from "../adapters/memory/ProjectCache.ts"
import { ImagesNode } from "../adapters/node/Images.ts"
import { JsonSchemasNode } from "../adapters/node/JsonSchemas.ts"
import { Scrypt } from "../adapters/node/Scrypt.ts"
import { SecretsNode } from "../adapters/node/Secrets.ts"
import { acquireDataFolder } from "../adapters/sqlite/DataFolder.ts"
import { EventStoreSqlite } from "../adapters/sqlite/EventStore.ts"
import { SqliteMetadata } from "../adapters/sqlite/Sqlite.ts"
import { AccountsHttp } from "../http/Accounts.ts"
import { ApiKeysHttp } from "../http/ApiKeys.ts"
import { AssignmentsHttp } from "../http/Assignments.ts"
import { CohortsHttp } from "../http/Cohorts.ts"
import { ConfigurationsHttp } from "../http/Configurations.ts"
import { DeeplinksHttp } from "../http/Deeplinks.ts"
import { EnvironmentsHttp } from "../http/Environments.ts"
import { ExperimentsHttp } from "../http/Experiments.ts"
import { HeatmapsHttp } from "../http/Heatmaps.ts"
import { IconsHttp } from "../http/Icons.ts"
import { IngestHttp } from "../http/Ingest.ts"
import { InvitationsHttp } from "../http/Invitations.ts"
import { MarkersHttp } from "../http/Markers.ts"
import { AuthenticateLive } from "../http/middleware/Authenticate.ts"
import { RequestsLive } from "../http/middleware/Requests.ts"
import { OrganizationsHttp } from "../http/Organizations.ts"
import { PersonalTokensHttp } from "../http/PersonalTokens.ts"
import { PlayersHttp } from "../http/Players.ts"
import { ProjectsHttp } from "../http/Projects.ts"
import { QueriesHttp } from "../http/Queries.ts"
import { RedirectsHttp } from "../http/Redirects.ts"
import { RolesHttp } from "../http/Roles.ts"
import { SavedQueriesHttp } from "../http/SavedQueries.ts"
import { Replay } from "../http/Replay.ts"
import { SdkCohortsHttp } from "../http/SdkCohorts.ts"
import { SdkConfigurationsHttp } from "../http/SdkConfigurations.ts"
import { SdkExperimentsHttp } from "../http/SdkExperiments.ts"
import { SdkHeatmapsHttp } from "../http/SdkHeatmaps.ts"
import { SdkLegacyHttp } from "../http/SdkLegacy.ts"
import { SystemHttp } from "../http/System.ts"
import { UsersHttp } from "../http/Users.ts"
import { CohortsJob } from "../jobs/Cohorts.ts"
import { Heartbeats } from "../jobs/Heartbeats.ts"
import { MaintenanceJob } from "../jobs/Maintenance.ts"
import { QueryExecutions } from "../jobs/QueryExecutions.ts"
import { AssignmentImports } from "../services/AssignmentImports.ts"
import { Assignments } from "../services/Assignments.ts"
import { ContextProperties } from "../services/ContextProperties.ts"
import { Enrolment } from "../services/Enrolment.ts"
import { ExperimentCheck } from "../services/ExperimentCheck.ts"
import { ExperimentOverview } from "../services/ExperimentOverview.ts"
import { Experiments } from "../services/Experiments.ts"
import { ExperimentWrite } from "../services/ExperimentWrite.ts"
import { Exposures } from "../services/Exposures.ts"
import { MetricPlans } from "../services/MetricPlans.ts"
import { Rollouts } from "../services/Rollouts.ts"
import { RunningExperiments } from "../services/RunningExperiments.ts"
import { SdkExperiments } from "../services/SdkExperiments.ts"
import { ExperimentsJob } from "../jobs/Experiments.ts"
import { Evaluations } from "../http/Evaluations.ts"
import { UnitAnswers } from "../services/UnitAnswers.ts"
import { UnitVersions } from "../services/UnitVersions.ts"
import { Settings } from "../ports/Settings.ts"
import { Accounts } from "../services/Accounts.ts"
import { ApiKeys } from "../services/ApiKeys.ts"
import { Attribution } from "../services/Attribution.ts"
import { Changes } from "../services/Changes.ts"
import { Clicks } from "../services/Clicks.ts"
import { Conversions } from "../services/Conversions.ts"
import { ConfigurationCheck } from "../services/ConfigurationCheck.ts"
import { ConfigurationCopies } from "../services/ConfigurationCopies.ts"
import { Configurations } from "../services/Configurations.ts"
import { ConfigurationVersions } from "../services/ConfigurationVersions.ts"
import { ConfigurationWrite } from "../services/ConfigurationWrite.ts"
import { CohortDefinitions } from "../services/CohortDefinitions.ts"
import { CohortQueue } from "../services/CohortQueue.ts"
import { CohortRuns } from "../services/CohortRuns.ts"
import { Cohorts } from "../services/Cohorts.ts"
import { CohortUsages } from "../services/CohortUsages.ts"
import { CohortUsers } from "../services/CohortUsers.ts"
import { CohortWatch } from "../services/CohortWatch.ts"
import { CohortWrites } from "../services/CohortWrites.ts"
import { Credentials } from "../services/Credentials.ts"
import { Deeplinks } from "../services/Deeplinks.ts"
import { Delivery } from "../services/Delivery.ts"
import { Demo } from "../services/Demo.ts"
import { ErasedUnits } from "../services/ErasedUnits.ts"
import { GameAccess } from "../services/GameAccess.ts"
import { GameJobs } from "../services/GameJobs.ts"
import { GameServers } from "../services/GameServers.ts"
import { Ingest } from "../services/Ingest.ts"
import { Environments } from "../services/Environments.ts"
import { ExecutionRuns } from "../services/ExecutionRuns.ts"
import { Evaluation } from "../services/Evaluation.ts"
import { Executions } from "../services/Executions.ts"
import { Freshness } from "../services/Freshness.ts"
import { Grants } from "../services/Grants.ts"
import { Heatmaps } from "../services/Heatmaps.ts"
import { Icons } from "../services/Icons.ts"
import { Imports } from "../services/Imports.ts"
import { Invitations } from "../services/Invitations.ts"
import { LegacyDelivery } from "../services/LegacyDelivery.ts"
import { Keys } from "../services/Keys.ts"
import { Markers } from "../services/Markers.ts"
import { Members } from "../services/Members.ts"
import { Maintenance } from "../services/Maintenance.ts"
import { MemberView } from "../services/MemberView.ts"
import { Notices } from "../services/Notices.ts"
import { Organizations } from "../services/Organizations.ts"
import { Operators } from "../services/Operators.ts"
import { OrganizationView } from "../services/OrganizationView.ts"
import { PathLocks } from "../services/PathLocks.ts"
import { PasswordCheck } from "../services/PasswordCheck.ts"
import { PersonalTokens } from "../services/PersonalTokens.ts"
import { Pictures } from "../services/Pictures.ts"
import { PlayerAssignments } from "../services/PlayerAssignments.ts"
import { PlayerCohorts } from "../services/PlayerCohorts.ts"
import { Players } from "../services/Players.ts"
import { Policy } from "../services/Policy.ts"
import { Queries } from "../services/Queries.ts"
import { QueryCache } from "../services/QueryCache.ts"
import { QueryRuns } from "../services/QueryRuns.ts"
import { Projects } from "../services/Projects.ts"
import { RateLimiter } from "../services/RateLimiter.ts"
import { Redirects } from "../services/Redirects.ts"
import { References } from "../services/References.ts"
import { Results } from "../services/Results.ts"
import { Roles } from "../services/Roles.ts"
import { SdkCohorts } from "../services/SdkCohorts.ts"
import { SdkConfigurations } from "../services/SdkConfigurations.ts"
import { SdkHeatmaps } from "../services/SdkHeatmaps.ts"
import { SdkLegacy } from "../services/SdkLegacy.ts"
import { SavedQueries } from "../services/SavedQueries.ts"
import { Sessions } from "../services/Sessions.ts"
import { Studios } from "../services/Studios.ts"
import { System } from "../services/System.ts"
import { Trials } from "../services/Trials.ts"
import { Users } from "../services/Users.ts"
import type { Configuration } from "./Config.ts"
import { defaults, settingsOf } from "./Config.ts"
import { eventWorkers } from "./Workers.ts"

export const SettingsLive = (configuration: Configuration) => Layer.succeed(Settings, settingsOf(configuration))

/** Everything in memory: for tests, gone with the process. */
export const MemoryStores = Layer.merge(MemoryMetadata, EventStoreMemory(defaults))

const eventStoreOptions = ({ dedupeDays, analyticsMemoryMb, queryTimeoutSeconds }: Configuration) => ({
  dedupeDays,
  cacheBytes: analyticsMemoryMb * 1024 * 1024,
  budget: queryTimeoutSeconds * 1000
})

/** Everything in the data folder, which this process holds until the layer's scope closes. */
export const FolderStores = (configuration: Configuration) =>
  Layer.unwrapScoped(
    Effect.map(acquireDataFolder(configuration.data), ({ metadata, events }) =>
      Layer.merge(
        ProjectCache.pipe(Layer.provideMerge(SqliteMetadata(metadata))),
        EventStoreSqlite({ ...eventStoreOptions(configuration), file: events, threads: eventWorkers })
      )
    )
  )

/** Everything in SQLite without a folder: for tests. */
export const SqliteStores = Layer.merge(
  ProjectCache.pipe(Layer.provideMerge(SqliteMetadata(":memory:"))),
  EventStoreSqlite({ ...eventStoreOptions(defaults), file: ":memory:", threads: null })
)

export const Node = Layer.mergeAll(ImagesNode, JsonSchemasNode, SecretsNode, Scrypt())

/** What several features share. */
const Shared = Layer.mergeAll(
  Changes.Default,
  ErasedUnits.Default,
  CohortWatch.Default,
  Keys.Default,
  MetricPlans.Default,
  OrganizationView.Default,
  PathLocks.Default,
  Pictures.Default,
  Policy.Default,
  RateLimiter.Default,
  References.Default.pipe(Layer.provideMerge(CohortUsers.Default)),
  Sessions.Default,
  Studios.Default,
  UnitVersions.Default
)

/** Members and what they may do, which several features show. */
const Membership = Members.Default.pipe(
  Layer.provideMerge(Grants.Default),
  Layer.provideMerge(MemberView.Default),
  Layer.provideMerge(Organizations.Default)
)

/** Questions, kept by name and run in the background. */
const Analytics = Executions.Default.pipe(
  Layer.provideMerge(ExecutionRuns.Default),
  Layer.provideMerge(SavedQueries.Default),
  Layer.provide(QueryRuns.Default),
  Layer.provideMerge(Queries.Default),
  Layer.provideMerge(Results.Default.pipe(Layer.provide(Trials.Default))),
  Layer.provide(QueryCache.Default),
  Layer.provideMerge(Credentials.Default)
)

/** Markers in, and the clicks that they convert. */
const Ingesting = Ingest.Default.pipe(
  Layer.provide(GameAccess.Default),
  Layer.provide(Attribution.Default),
  Layer.provide(Clicks.Default)
)

/** Links into the game, and what came of their clicks. */
const Links = Layer.mergeAll(
  Conversions.Default.pipe(Layer.provideMerge(Deeplinks.Default)),
  Redirects.Default,
  Ingesting
).pipe(Layer.provide(Clicks.Default))

/** Remote configuration, and the one way to write it. */
const RemoteConfiguration = Layer.mergeAll(
  ConfigurationCopies.Default,
  Configurations.Default,
  ConfigurationVersions.Default
).pipe(Layer.provideMerge(ConfigurationWrite.Default), Layer.provide(ConfigurationCheck.Default))

/** Cohorts and what computes them. */
const CohortServices = CohortUsages.Default.pipe(
  Layer.provideMerge(Cohorts.Default),
  Layer.provideMerge(SdkCohorts.Default.pipe(Layer.provide(GameAccess.Default))),
  Layer.provide(CohortWrites.Default),
  Layer.provideMerge(CohortRuns.Default),
  Layer.provideMerge(CohortQueue.Default),
  Layer.provide(CohortDefinitions.Default)
)

/** Experiments, who is in which group, and how a person changes that. */
const ExperimentServices = Layer.mergeAll(
  AssignmentImports.Default,
  Assignments.Default,
  ExperimentOverview.Default,
  Experiments.Default,
  Rollouts.Default
).pipe(
  Layer.provideMerge(ExperimentWrite.Default),
  Layer.provide(ExperimentCheck.Default),
  Layer.provide(ConfigurationWrite.Default),
  Layer.provide(ConfigurationCheck.Default),
  Layer.provide(RunningExperiments.Default),
  Layer.provide(ContextProperties.Default),
  Layer.provide(CohortQueue.Default)
)

/** What games read of configurations and experiments, and how they hear of changes. */
const GameSide = Layer.mergeAll(GameJobs.Default, GameServers.Default, SdkExperiments.Default, SdkLegacy.Default).pipe(
  Layer.provide(LegacyDelivery.Default),
  Layer.provideMerge(SdkConfigurations.Default),
  Layer.provideMerge(UnitAnswers.Default),
  Layer.provide(Delivery.Default),
  Layer.provide(Evaluation.Default),
  Layer.provide(Enrolment.Default),
  Layer.provideMerge(Exposures.Default),
  Layer.provideMerge(ContextProperties.Default),
  Layer.provide(RunningExperiments.Default),
  Layer.provideMerge(Notices.Default),
  Layer.provideMerge(Freshness.Default),
  Layer.provide(Ingesting),
  Layer.provide(GameAccess.Default),
  Layer.provide(Credentials.Default)
)

const Services = Layer.mergeAll(
  Accounts.Default,
  Analytics,
  ApiKeys.Default,
  CohortServices,
  Environments.Default,
  ExperimentServices,
  GameSide,
  Icons.Default,
  Links,
  Invitations.Default,
  Markers.Default,
  PersonalTokens.Default,
  Players.Default.pipe(
    Layer.provide(PlayerAssignments.Default),
    Layer.provide(PlayerCohorts.Default),
    Layer.provide(Exposures.Default),
    Layer.provide(ContextProperties.Default)
  ),
  Projects.Default,
  RemoteConfiguration,
  Roles.Default,
  SdkHeatmaps.Default.pipe(Layer.provide(GameAccess.Default), Layer.provideMerge(Heatmaps.Default)),
  System.Default,
  Users.Default
).pipe(Layer.provideMerge(Membership), Layer.provideMerge(PasswordCheck.Default), Layer.provideMerge(Shared))

/** What the operator's commands use. */
export const Operations = Layer.mergeAll(Demo.Default, Imports.Default).pipe(
  Layer.provideMerge(Operators.Default),
  Layer.provide(Shared)
)

const Handlers = Layer.mergeAll(
  AccountsHttp,
  ApiKeysHttp,
  AssignmentsHttp,
  CohortsHttp,
  ConfigurationsHttp,
  DeeplinksHttp,
  EnvironmentsHttp,
  ExperimentsHttp,
  HeatmapsHttp,
  IconsHttp,
  IngestHttp,
  InvitationsHttp,
  MarkersHttp,
  OrganizationsHttp,
  PersonalTokensHttp,
  PlayersHttp,
  ProjectsHttp,
  QueriesHttp,
  RedirectsHttp,
  RolesHttp,
  SavedQueriesHttp,
  SdkCohortsHttp,
  SdkConfigurationsHttp,
  SdkExperimentsHttp,
  SdkHeatmapsHttp,
  SdkLegacyHttp,
  SystemHttp,
  UsersHttp
)

/** What runs by itself, beside the requests. */
export const Jobs = Layer.mergeAll(
  CohortsJob,
  ExperimentsJob,
  Heartbeats,
  MaintenanceJob.pipe(Layer.provide(Maintenance.Default)),
  QueryExecutions
).pipe(Layer.provide(Services))

/** The HTTP API over whatever stores, settings and secrets it is given, with what the server itself asks of it. */
export const Http = Layer.mergeAll(HttpApiBuilder.api(Api).pipe(Layer.provide(Handlers)), RequestsLive).pipe(
  Layer.provide(AuthenticateLive),
  Layer.provideMerge(Replay.Default),
  Layer.provideMerge(Evaluations.Default),
  Layer.provideMerge(Services)
)
