import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "../../schema/Api.ts"
import { EventStoreMemory } from "../adapters/memory/analytics/EventStore.ts"
import { MemoryMetadata } from "../adapters/memory/Memory.ts"
import { ProjectCache } from "../adapters/cache/ProjectCache.ts"
import { acquireDataFolder } from "../adapters/sqlite/DataFolder.ts"
import { type EventStoreOptions, EventStoreSqlite } from "../adapters/sqlite/analytics/EventStore.ts"
import { FolderWatch } from "../adapters/sqlite/operations/FolderWatch.ts"
import { refuseMismatch } from "../adapters/sqlite/operations/FoundFiles.ts"
import { snapshotBefore } from "../adapters/sqlite/operations/Snapshot.ts"
import { MetadataRecords } from "../adapters/sqlite/operations/MetadataRecords.ts"
import { PairedFiles } from "../adapters/sqlite/operations/Notes.ts"
import { type MetadataWorkers, SqliteMetadata } from "../adapters/sqlite/Sqlite.ts"
import { AccountsHttp } from "../http/access/Accounts.ts"
import { ApiKeysHttp } from "../http/access/ApiKeys.ts"
import { AssignmentsHttp } from "../http/experiments/Assignments.ts"
import { CohortsHttp } from "../http/cohorts/Cohorts.ts"
import { ConfigurationsHttp } from "../http/configuration/Configurations.ts"
import { DeeplinksHttp } from "../http/deeplinks/Deeplinks.ts"
import { EnvironmentsHttp } from "../http/access/Environments.ts"
import { ExperimentDraftsHttp } from "../http/experiments/ExperimentDrafts.ts"
import { ExperimentsHttp } from "../http/experiments/Experiments.ts"
import { HeatmapsHttp } from "../http/analytics/Heatmaps.ts"
import { IconsHttp } from "../http/access/Icons.ts"
import { IngestHttp } from "../http/ingest/Ingest.ts"
import { InvitationsHttp } from "../http/access/Invitations.ts"
import { MarkersHttp } from "../http/analytics/Markers.ts"
import { Admission } from "../http/middleware/Admission.ts"
import { AuthenticateLive } from "../http/middleware/Authenticate.ts"
import { RequestTraces } from "../http/middleware/RequestTraces.ts"
import { RequestsLive } from "../http/platform/Requests.ts"
import { Audited } from "../http/middleware/Audited.ts"
import { AuditHttp } from "../http/operations/Audit.ts"
import { AlertsHttp } from "../http/operations/Alerts.ts"
import { ServerHttp } from "../http/operations/ServerStatus.ts"
import { BackupsHttp } from "../http/operations/Backups.ts"
import { WebhooksHttp } from "../http/operations/Webhooks.ts"
import { TableAnswers } from "../http/platform/TableAnswers.ts"
import { OpenIdHttp } from "../http/access/OpenId.ts"
import { OrganizationsHttp } from "../http/access/Organizations.ts"
import { PasskeysHttp } from "../http/access/Passkeys.ts"
import { PasswordResetsHttp } from "../http/access/PasswordResets.ts"
import { SecondFactorsHttp } from "../http/access/SecondFactors.ts"
import { PersonalTokensHttp } from "../http/access/PersonalTokens.ts"
import { PlayersHttp } from "../http/analytics/Players.ts"
import { ProjectsHttp } from "../http/access/Projects.ts"
import { QueriesHttp } from "../http/analytics/Queries.ts"
import { RedirectsHttp } from "../http/deeplinks/Redirects.ts"
import { RolesHttp } from "../http/access/Roles.ts"
import { BoardsHttp } from "../http/analytics/Boards.ts"
import { NotesHttp } from "../http/analytics/Notes.ts"
import { QueryStarsHttp } from "../http/analytics/QueryStars.ts"
import { SavedQueriesHttp } from "../http/analytics/SavedQueries.ts"
import { Replay } from "../http/game/Replay.ts"
import { SdkCohortsHttp } from "../http/game/SdkCohorts.ts"
import { SdkConfigurationsHttp } from "../http/game/SdkConfigurations.ts"
import { SdkExperimentsHttp } from "../http/game/SdkExperiments.ts"
import { LiveHttp } from "../http/live/Live.ts"
import { SdkHeatmapsHttp } from "../http/game/SdkHeatmaps.ts"
import { SdkLegacyHttp } from "../http/game/SdkLegacy.ts"
import { SystemHttp } from "../http/operations/System.ts"
import { UsersHttp } from "../http/access/Users.ts"
import { AuditJob } from "../jobs/Audit.ts"
import { ServerAlertsJob } from "../jobs/ServerAlerts.ts"
import { AlertsJob } from "../jobs/Alerts.ts"
import { WebhooksJob } from "../jobs/Webhooks.ts"
import { CohortsJob } from "../jobs/Cohorts.ts"
import { ErasuresJob } from "../jobs/Erasures.ts"
import { Heartbeats } from "../jobs/Heartbeats.ts"
import { MaintenanceJob } from "../jobs/Maintenance.ts"
import { RemovalsJob } from "../jobs/Removals.ts"
import { QueryExecutions } from "../jobs/QueryExecutions.ts"
import { ExperimentsJob } from "../jobs/Experiments.ts"
import { ExposuresJob } from "../jobs/Exposures.ts"
import { TelemetryJob } from "../jobs/Telemetry.ts"
import { BulkAssignments } from "../http/game/BulkAssignments.ts"
import { Evaluations } from "../http/game/Evaluations.ts"
import { MetricsPage } from "../http/operations/MetricsPage.ts"
import { Ingestions } from "../http/ingest/Ingestions.ts"
import { Settings } from "../ports/operations/Settings.ts"
import { Imports } from "../services/ingest/Imports.ts"
import { Maintenance } from "../services/operations/Maintenance.ts"
import { OrganizationSetup } from "../services/access/OrganizationSetup.ts"
import { AuditTrail } from "../services/operations/AuditTrail.ts"
import { WebhookQueue } from "../services/operations/WebhookQueue.ts"
import { NewPasswords } from "../services/access/NewPasswords.ts"
import { Sessions } from "../services/access/Sessions.ts"
import { PasswordResetLinks } from "../services/access/PasswordResetLinks.ts"
import { Operators } from "../services/operations/Operators.ts"
import type { Configuration } from "./Config.ts"
import { defaults, settingsOf } from "./Config.ts"
import { eventWorkers, metadataWorkers } from "./Workers.ts"
import { organizationOf } from "./OrganizationOf.ts"
import { Services } from "./Services.ts"
import { Shared } from "./SharedServices.ts"

export const SettingsLive = (configuration: Configuration) => Layer.succeed(Settings, settingsOf(configuration))

/** Everything in memory: for tests, gone with the process. */
export const MemoryStores = Layer.merge(MemoryMetadata, EventStoreMemory(defaults))

const eventStore = (options: Omit<EventStoreOptions, "organizationOf">) =>
  Layer.unwrapEffect(Effect.map(organizationOf, (own) => EventStoreSqlite({ ...options, organizationOf: own })))

const eventStoreOptions = ({ dedupeDays, analyticsMemoryMb, queryTimeoutSeconds, warmUp }: Configuration) => ({
  dedupeDays,
  cacheBytes: analyticsMemoryMb * 1024 * 1024,
  warmUp,
  budget: queryTimeoutSeconds * 1000
})

/** Paths of the bundled workers of the event store and of the metadata; null runs everything in this thread. */
interface FolderWorkers {
  readonly threads: EventStoreOptions["threads"]
  readonly metadata: MetadataWorkers | null
}

/** The event file, which belongs together with the metadata's file from now on. */
const pairedEventStore = (options: EventStoreOptions) =>
  Layer.unwrapEffect(
    Effect.flatMap(MetadataRecords, (records) =>
      Effect.map(records.ids, ({ own }) => eventStore({ ...options, partner: own }))
    )
  )

/**
 * Everything in the data folder, which this process holds until the layer's scope closes. Files that do not belong together are refused;
 * those of different times are made to agree first. `workers` are the paths of the bundled ones.
 */
export const FolderStores = (
  configuration: Configuration,
  workers: FolderWorkers = { threads: eventWorkers, metadata: metadataWorkers }
) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const files = yield* acquireDataFolder(configuration.data)
      yield* refuseMismatch(files)
      if (configuration.snapshot) yield* snapshotBefore(files)
      const options = { ...eventStoreOptions(configuration), file: files.events, threads: workers.threads }
      return Layer.merge(PairedFiles(files.events), FolderWatch(files)).pipe(
        Layer.provideMerge(pairedEventStore(options)),
        Layer.provideMerge(ProjectCache),
        Layer.provideMerge(SqliteMetadata(files.metadata, workers.metadata))
      )
    })
  )

/** Everything in SQLite without a folder: for tests. */
export const SqliteStores = eventStore({ ...eventStoreOptions(defaults), file: ":memory:", threads: null }).pipe(
  Layer.provideMerge(ProjectCache),
  Layer.provideMerge(SqliteMetadata(":memory:"))
)

/** What the operator does to people, over their tables alone. */
export const OperatorsLive = Layer.merge(Operators.Default, NewPasswords.Default).pipe(
  Layer.provide(Sessions.Default),
  Layer.provide(PasswordResetLinks.Default),
  Layer.provide(OrganizationSetup.Default),
  Layer.provide(AuditTrail.Default.pipe(Layer.provide(WebhookQueue.Default)))
)

/** What the operator's commands use. */
export const Operations = Imports.Default.pipe(
  Layer.provideMerge(Operators.Default),
  Layer.provideMerge(NewPasswords.Default),
  Layer.provide(Shared)
)

const Handlers = Layer.mergeAll(
  AccountsHttp,
  ApiKeysHttp,
  AssignmentsHttp,
  AuditHttp,
  WebhooksHttp,
  AlertsHttp,
  BackupsHttp,
  ExperimentDraftsHttp,
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
  OpenIdHttp,
  OrganizationsHttp,
  PasskeysHttp,
  PasswordResetsHttp,
  SecondFactorsHttp,
  PersonalTokensHttp,
  PlayersHttp,
  ProjectsHttp,
  QueriesHttp,
  RedirectsHttp,
  RolesHttp,
  SavedQueriesHttp,
  QueryStarsHttp,
  BoardsHttp,
  NotesHttp,
  SdkCohortsHttp,
  SdkConfigurationsHttp,
  SdkExperimentsHttp,
  LiveHttp,
  SdkHeatmapsHttp,
  SdkLegacyHttp,
  ServerHttp,
  SystemHttp,
  UsersHttp
)

/** What runs by itself, beside the requests. */
export const Jobs = Layer.mergeAll(
  AlertsJob,
  AuditJob,
  CohortsJob,
  ErasuresJob,
  ExperimentsJob,
  ExposuresJob,
  Heartbeats,
  MaintenanceJob.pipe(Layer.provide(Maintenance.Default)),
  QueryExecutions,
  RemovalsJob,
  ServerAlertsJob,
  TelemetryJob,
  WebhooksJob
).pipe(Layer.provide(Services))

/** The HTTP API over whatever stores, settings and secrets it is given, with what the server itself asks of it. */
export const Http = Layer.mergeAll(HttpApiBuilder.api(Api).pipe(Layer.provide(Handlers)), RequestsLive).pipe(
  Layer.provide(AuthenticateLive),
  Layer.provide(Layer.merge(Audited.Default, TableAnswers.Default)),
  Layer.provideMerge(Replay.Default),
  Layer.provideMerge(MetricsPage.Default),
  Layer.provideMerge(Admission.Default),
  Layer.provideMerge(Layer.merge(Evaluations.Default, BulkAssignments.Default)),
  Layer.provideMerge(Ingestions.Default),
  Layer.provideMerge(RequestTraces.Default),
  Layer.provideMerge(Services)
)
