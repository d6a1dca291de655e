import { HttpApi, OpenApi } from "@effect/platform"
import { AccountsGroup } from "./Accounts.ts"
import { ApiKeysGroup } from "./ApiKeys.ts"
import { ImportedAssignment } from "./AssignmentRecord.ts"
import { AssignmentsGroup } from "./Assignments.ts"
import { CohortsGroup } from "./Cohorts.ts"
import { ConfigurationsGroup } from "./Configurations.ts"
import { DeeplinksGroup } from "./Deeplinks.ts"
import { EnvironmentsGroup } from "./Environments.ts"
import {
  InternalError,
  MalformedJson,
  MalformedRequest,
  MethodNotAllowed,
  PayloadTooLarge,
  RouteNotFound,
  StorageFull,
  UnsupportedMediaType,
  ValidationFailed
} from "./Errors.ts"
import { ExperimentsGroup } from "./Experiments.ts"
import { HeatmapsGroup } from "./Heatmaps.ts"
import { IconsGroup } from "./Icons.ts"
import { IngestGroup } from "./Ingest.ts"
import { InvitationsGroup } from "./Invitations.ts"
import { MarkerBatch } from "./MarkerBatch.ts"
import { MarkersGroup } from "./Markers.ts"
import { describe } from "./OpenApi.ts"
import { OrganizationsGroup } from "./Organizations.ts"
import { PersonalTokensGroup } from "./PersonalTokens.ts"
import { PlayersGroup } from "./Players.ts"
import { ProjectsGroup } from "./Projects.ts"
import { QueriesGroup } from "./Queries.ts"
import { RedirectsGroup } from "./Redirects.ts"
import { RolesGroup } from "./Roles.ts"
import { SavedQueriesGroup } from "./SavedQueries.ts"
import { SdkCohortsGroup } from "./SdkCohorts.ts"
import { SdkConfigurationsGroup } from "./SdkConfigurations.ts"
import { SdkExperimentsGroup } from "./SdkExperiments.ts"
import { SdkHeatmapsGroup } from "./SdkHeatmaps.ts"
import { SdkLegacyGroup } from "./SdkLegacy.ts"
import { SystemGroup } from "./System.ts"
import { UsersGroup } from "./Users.ts"

const Contract = HttpApi.make("gamekeeper")
  .add(SystemGroup)
  .add(AccountsGroup)
  .add(UsersGroup)
  .add(PersonalTokensGroup)
  .add(ApiKeysGroup)
  .add(OrganizationsGroup)
  .add(InvitationsGroup)
  .add(IconsGroup)
  .add(ProjectsGroup)
  .add(EnvironmentsGroup)
  .add(RolesGroup)
  .add(IngestGroup)
  .add(MarkersGroup)
  .add(QueriesGroup)
  .add(SavedQueriesGroup)
  .add(HeatmapsGroup)
  .add(CohortsGroup)
  .add(ConfigurationsGroup)
  .add(DeeplinksGroup)
  .add(RedirectsGroup)
  .add(ExperimentsGroup)
  .add(AssignmentsGroup)
  .add(PlayersGroup)
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
  .addError(StorageFull)
  .addError(InternalError)
  .annotate(HttpApi.AdditionalSchemas, [MarkerBatch, ImportedAssignment])
  .annotate(OpenApi.Title, "Gamekeeper")
  .annotate(OpenApi.Version, "1.0.0")
  .annotate(OpenApi.Description, "Self-hosted live-ops for game studios.")
  .annotate(OpenApi.Servers, [{ url: "/", description: "This server" }])
  .annotate(OpenApi.License, { name: "MIT", url: "https://opensource.org/license/mit" })

export class Api extends Contract.annotate(OpenApi.Transform, (spec) => ({
  ...spec,
  ...describe(Contract, spec["paths"], spec["components"].schemas)
})) {}
