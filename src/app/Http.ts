import { HttpApiBuilder } from "@effect/platform"
import { Layer } from "effect"
import { Api } from "../../schema/Api.ts"
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
import { StreamOpenings } from "../http/game/StreamOpenings.ts"
import { MetricsPage } from "../http/operations/MetricsPage.ts"
import { VitalAnswers } from "../http/operations/VitalAnswers.ts"
import { Ingestions } from "../http/ingest/Ingestions.ts"
import { Maintenance } from "../services/operations/Maintenance.ts"
import { Services } from "./Services.ts"

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
  Layer.provideMerge(Layer.merge(MetricsPage.Default, VitalAnswers.Default)),
  Layer.provideMerge(Admission.Default),
  Layer.provideMerge(Layer.merge(Evaluations.Default, BulkAssignments.Default)),
  Layer.provideMerge(Layer.merge(Ingestions.Default, StreamOpenings.Default)),
  Layer.provideMerge(RequestTraces.Default),
  Layer.provideMerge(Services)
)
