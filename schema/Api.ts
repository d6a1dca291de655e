import { HttpApi, OpenApi } from "@effect/platform"
import {
  InternalError,
  MalformedJson,
  MalformedRequest,
  MethodNotAllowed,
  PayloadTooLarge,
  RouteNotFound,
  UnsupportedMediaType,
  ValidationFailed
} from "./Errors.ts"
import { describe } from "./OpenApi.ts"
import { SystemGroup } from "./System.ts"
import { AccountsGroup } from "./Accounts.ts"
import { UsersGroup } from "./Users.ts"
import { PersonalTokensGroup } from "./PersonalTokens.ts"
import { ApiKeysGroup } from "./ApiKeys.ts"
import { OrganizationsGroup } from "./Organizations.ts"
import { InvitationsGroup } from "./Invitations.ts"
import { IconsGroup } from "./Icons.ts"
import { ProjectsGroup } from "./Projects.ts"
import { EnvironmentsGroup } from "./Environments.ts"
import { RolesGroup } from "./Roles.ts"
import { IngestGroup } from "./Ingest.ts"
import { MarkersGroup } from "./Markers.ts"
import { QueriesGroup } from "./Queries.ts"
import { SavedQueriesGroup } from "./SavedQueries.ts"
import { HeatmapsGroup } from "./Heatmaps.ts"
import { MarkerBatch } from "./MarkerBatch.ts"

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
  .addError(ValidationFailed)
  .addError(MalformedJson)
  .addError(MalformedRequest)
  .addError(RouteNotFound)
  .addError(MethodNotAllowed)
  .addError(PayloadTooLarge)
  .addError(UnsupportedMediaType)
  .addError(InternalError)
  .annotate(HttpApi.AdditionalSchemas, [MarkerBatch])
  .annotate(OpenApi.Title, "Gamekeeper")
  .annotate(OpenApi.Version, "1.0.0")
  .annotate(OpenApi.Description, "Self-hosted live-ops for game studios.")
  .annotate(OpenApi.License, { name: "MIT", url: "https://opensource.org/license/mit" })

export class Api extends Contract.annotate(OpenApi.Transform, (spec) => ({
  ...spec,
  ...describe(Contract, spec["paths"], spec["components"].schemas)
})) {}
