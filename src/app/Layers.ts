import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "../../schema/Api.ts"
import { EventStoreMemory } from "../adapters/memory/analytics/EventStore.ts"
import { MemoryMetadata } from "../adapters/memory/Memory.ts"
import { ProjectCache } from "../adapters/cache/ProjectCache.ts"
import { ImagesNode } from "../adapters/node/Images.ts"
import { JsonSchemasNode } from "../adapters/node/JsonSchemas.ts"
import { Scrypt } from "../adapters/node/Scrypt.ts"
import { SecretsNode } from "../adapters/node/Secrets.ts"
import { acquireDataFolder } from "../adapters/sqlite/DataFolder.ts"
import { EventStoreSqlite } from "../adapters/sqlite/analytics/EventStore.ts"
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
import { ExperimentsJob } from "../jobs/Experiments.ts"
import { Evaluations } from "../http/Evaluations.ts"
import { Settings } from "../ports/operations/Settings.ts"
import { Demo } from "../services/operations/Demo.ts"
import { Imports } from "../services/ingest/Imports.ts"
import { Maintenance } from "../services/operations/Maintenance.ts"
import { Operators } from "../services/operations/Operators.ts"
import type { Configuration } from "./Config.ts"
import { defaults, settingsOf } from "./Config.ts"
import { eventWorkers } from "./Workers.ts"
import { Services, Shared } from "./Services.ts"

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
