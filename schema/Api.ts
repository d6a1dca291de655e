import { HttpApi, OpenApi } from "@effect/platform"
import { AuditGroup } from "./operations/Audit.ts"
import { AlertsGroup } from "./operations/Alerts.ts"
import { WebhooksGroup } from "./operations/Webhooks.ts"
import { AccountsGroup } from "./access/Accounts.ts"
import { ApiKeysGroup } from "./access/ApiKeys.ts"
import { ImportedAssignment } from "./experiments/AssignmentRecord.ts"
import { ExperimentDraftsGroup } from "./experiments/ExperimentDrafts.ts"
import { AssignmentsGroup } from "./experiments/Assignments.ts"
import { CohortsGroup } from "./cohorts/Cohorts.ts"
import { ConfigurationsGroup } from "./configuration/Configurations.ts"
import { DeeplinksGroup } from "./deeplinks/Deeplinks.ts"
import { EnvironmentsGroup } from "./access/Environments.ts"
import {
  DataDamaged,
  InternalError,
  MalformedJson,
  MalformedRequest,
  MethodNotAllowed,
  Overloaded,
  PayloadTooLarge,
  ChangedMeanwhile,
  RouteNotFound,
  StorageFull,
  MetadataUnavailable,
  StoreUnavailable,
  StorageLost,
  UnsupportedMediaType,
  ValidationFailed
} from "./RequestErrors.ts"
import { ExperimentsGroup } from "./experiments/Experiments.ts"
import { HeatmapsGroup } from "./analytics/Heatmaps.ts"
import { IconsGroup } from "./access/Icons.ts"
import { IngestGroup } from "./ingest/Ingest.ts"
import { InvitationsGroup } from "./access/Invitations.ts"
import { liveEvents } from "./live/LiveEvents.ts"
import { LiveGroup } from "./live/Live.ts"
import { MarkerBatch } from "./ingest/MarkerBatch.ts"
import { MarkersGroup } from "./analytics/Markers.ts"
import { describe } from "./OpenApi.ts"
import { OpenIdGroup } from "./access/OpenId.ts"
import { OrganizationsGroup } from "./access/Organizations.ts"
import { PasskeysGroup } from "./access/Passkeys.ts"
import { PasswordResetsGroup } from "./access/PasswordResets.ts"
import { SecondFactorsGroup } from "./access/SecondFactors.ts"
import { PersonalTokensGroup } from "./access/PersonalTokens.ts"
import { PlayersGroup } from "./analytics/Players.ts"
import { ProjectsGroup } from "./access/Projects.ts"
import { QueriesGroup } from "./analytics/Queries.ts"
import { QueryStarsGroup } from "./analytics/QueryStars.ts"
import { RedirectsGroup } from "./deeplinks/Redirects.ts"
import { RolesGroup } from "./access/Roles.ts"
import { BoardsGroup } from "./analytics/Boards.ts"
import { NotesGroup } from "./analytics/Notes.ts"
import { SavedQueriesGroup } from "./analytics/SavedQueries.ts"
import { SdkCohortsGroup } from "./game/SdkCohorts.ts"
import { SdkConfigurationsGroup } from "./game/SdkConfigurations.ts"
import { SdkExperimentsGroup } from "./game/SdkExperiments.ts"
import { SdkHeatmapsGroup } from "./game/SdkHeatmaps.ts"
import { SdkLegacyGroup } from "./game/SdkLegacy.ts"
import { ServerGroup } from "./operations/ServerStatus.ts"
import { BackupsGroup } from "./operations/Backups.ts"
import { SystemGroup } from "./operations/System.ts"
import { UsersGroup } from "./access/Users.ts"

const Contract = HttpApi.make("gamekeeper")
  .add(SystemGroup)
  .add(AccountsGroup)
  .add(UsersGroup)
  .add(OpenIdGroup)
  .add(PasskeysGroup)
  .add(PasswordResetsGroup)
  .add(SecondFactorsGroup)
  .add(PersonalTokensGroup)
  .add(ApiKeysGroup)
  .add(OrganizationsGroup)
  .add(InvitationsGroup)
  .add(IconsGroup)
  .add(ProjectsGroup)
  .add(EnvironmentsGroup)
  .add(RolesGroup)
  .add(AuditGroup)
  .add(WebhooksGroup)
  .add(AlertsGroup)
  .add(BackupsGroup)
  .add(ServerGroup)
  .add(IngestGroup)
  .add(MarkersGroup)
  .add(QueriesGroup)
  .add(SavedQueriesGroup)
  .add(QueryStarsGroup)
  .add(BoardsGroup)
  .add(NotesGroup)
  .add(HeatmapsGroup)
  .add(CohortsGroup)
  .add(ConfigurationsGroup)
  .add(DeeplinksGroup)
  .add(RedirectsGroup)
  .add(ExperimentsGroup)
  .add(ExperimentDraftsGroup)
  .add(AssignmentsGroup)
  .add(PlayersGroup)
  .add(LiveGroup)
  .add(SdkConfigurationsGroup)
  .add(SdkExperimentsGroup)
  .add(SdkCohortsGroup)
  .add(SdkHeatmapsGroup)
  .add(SdkLegacyGroup)
  .addError(ValidationFailed)
  .addError(MalformedJson)
  .addError(MalformedRequest)
  .addError(RouteNotFound)
  .addError(MethodNotAllowed)
  .addError(PayloadTooLarge)
  .addError(UnsupportedMediaType)
  .addError(ChangedMeanwhile)
  .addError(Overloaded)
  .addError(DataDamaged)
  .addError(StorageFull)
  .addError(MetadataUnavailable)
  .addError(StoreUnavailable)
  .addError(StorageLost)
  .addError(InternalError)
  .annotate(HttpApi.AdditionalSchemas, [MarkerBatch, ImportedAssignment, ...Object.values(liveEvents)])
  .annotate(OpenApi.Title, "Gamekeeper")
  .annotate(OpenApi.Version, "1.0.0")
  .annotate(OpenApi.Description, "Self-hosted live-ops for game studios.")
  .annotate(OpenApi.Servers, [{ url: "/", description: "This server" }])
  .annotate(OpenApi.License, { name: "MIT", url: "https://opensource.org/license/mit" })

export class Api extends Contract.annotate(OpenApi.Transform, (spec) => ({
  ...spec,
  ...describe(Contract, spec["paths"], spec["components"].schemas, spec["tags"])
})) {}
