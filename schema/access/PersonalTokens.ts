import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { OrganizationId } from "../../src/domain/Ids.ts"
import { SessionOnly, SessionOrPat } from "./Auth.ts"
import {
  ApiKeyNotFound,
  Escalation,
  Forbidden,
  KeyDeactivated,
  KeyExpired,
  KeyLimitReached,
  OrganizationNotFound,
  ScopeInvalid
} from "./AccessErrors.ts"
import {
  ApiKeyRecord,
  ApiKeyWithToken,
  EnvironmentsChange,
  KeyChange,
  KeyRotation,
  newKeyFields,
  PermissionsChange,
  ProjectScope,
  ProjectScopeChange
} from "./KeyRecord.ts"
import { patId } from "../Parameters.ts"
import { requiresNone } from "./RequiredPermission.ts"
import { example } from "../Example.ts"

export const CreatePersonalToken = Schema.Struct({
  organizationId: OrganizationId,
  projectScope: ProjectScope,
  ...newKeyFields
})
  .annotations({ identifier: "CreatePersonalToken" })
  .pipe(
    example({
      organizationId: 1,
      name: "Deploy script",
      projectScope: { allProjects: true },
      environmentIds: [1, 2],
      permissions: ["configurations:read", "configurations:write"],
      expiresIn: "90d"
    })
  )
export type CreatePersonalToken = typeof CreatePersonalToken.Type

export class PersonalTokensGroup extends HttpApiGroup.make("personalTokens")
  .add(
    HttpApiEndpoint.get("list", "/users/personal-access-tokens")
      .addSuccess(Schema.Array(ApiKeyRecord))
      .middleware(SessionOrPat)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(
        OpenApi.Summary,
        "The caller's personal access tokens, without their secrets; with a token, those of its organization"
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/users/personal-access-tokens")
      .setPayload(CreatePersonalToken)
      .addSuccess(ApiKeyWithToken, { status: 201 })
      .addError(KeyLimitReached)
      .addError(OrganizationNotFound)
      .addError(Escalation)
      .addError(ScopeInvalid)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("A token never allows more than its owner may do."))
      .annotate(OpenApi.Summary, "Create a personal access token; it is shown this once")
  )
  .add(
    HttpApiEndpoint.post("rotate")`/users/personal-access-tokens/${patId}/rotate`
      .setPayload(KeyRotation)
      .addSuccess(ApiKeyWithToken)
      .addError(ApiKeyNotFound)
      .addError(KeyDeactivated)
      .addError(KeyExpired)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(
        OpenApi.Summary,
        "Give the token a new secret; the old one works for `overlap` seconds more, 0 unless given"
      )
  )
  .add(
    HttpApiEndpoint.patch("update")`/users/personal-access-tokens/${patId}`
      .setPayload(KeyChange)
      .addSuccess(ApiKeyRecord)
      .addError(ApiKeyNotFound)
      .addError(OrganizationNotFound)
      .addError(Escalation)
      .addError(ScopeInvalid)
      .addError(KeyDeactivated)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("A token never allows more than its owner may do."))
      .annotate(OpenApi.Summary, "Change the token's name, description, projects, environments and permissions at once")
  )
  .add(
    HttpApiEndpoint.put("setPermissions")`/users/personal-access-tokens/${patId}/permissions`
      .setPayload(PermissionsChange)
      .addSuccess(ApiKeyRecord)
      .addError(ApiKeyNotFound)
      .addError(OrganizationNotFound)
      .addError(Escalation)
      .addError(KeyDeactivated)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("A token never allows more than its owner may do."))
      .annotate(OpenApi.Summary, "Replace the token's permissions")
  )
  .add(
    HttpApiEndpoint.put("setEnvironments")`/users/personal-access-tokens/${patId}/environments`
      .setPayload(EnvironmentsChange)
      .addSuccess(ApiKeyRecord)
      .addError(ApiKeyNotFound)
      .addError(OrganizationNotFound)
      .addError(Escalation)
      .addError(ScopeInvalid)
      .addError(KeyDeactivated)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(OpenApi.Summary, "Replace the environments the token works in")
  )
  .add(
    HttpApiEndpoint.put("setProjects")`/users/personal-access-tokens/${patId}/projects`
      .setPayload(ProjectScopeChange)
      .addSuccess(ApiKeyRecord)
      .addError(ApiKeyNotFound)
      .addError(OrganizationNotFound)
      .addError(Escalation)
      .addError(ScopeInvalid)
      .addError(KeyDeactivated)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(OpenApi.Summary, "Change the projects the token works in")
  )
  .add(
    HttpApiEndpoint.del("deactivate")`/users/personal-access-tokens/${patId}`
      .addSuccess(ApiKeyRecord)
      .addError(ApiKeyNotFound)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(OpenApi.Summary, "Deactivate the token for good")
  )
  .addError(Forbidden)
  .annotate(OpenApi.Title, "Personal access tokens")
  .annotate(OpenApi.Description, "Tokens that act for their owner and never exceed the owner's permissions.") {}
