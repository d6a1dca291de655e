import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ApplicationId } from "../../src/domain/Ids.ts"
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
import { apiKeyId, organizationId } from "../Parameters.ts"
import { requires } from "./RequiredPermission.ts"
import { example } from "../Example.ts"

export const CreateApiKey = Schema.Union(
  Schema.Struct({ type: Schema.Literal("public"), applicationId: ApplicationId, ...newKeyFields }),
  Schema.Struct({ type: Schema.Literal("secret"), projectScope: ProjectScope, ...newKeyFields })
)
  .annotations({ identifier: "CreateApiKey" })
  .pipe(
    example({
      type: "public",
      name: "Roblox client",
      applicationId: 1,
      environmentIds: [1],
      permissions: ["sdk:ingest", "sdk:read"]
    })
  )
export type CreateApiKey = typeof CreateApiKey.Type

export class ApiKeysGroup extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list")`/organization/${organizationId}/api-keys`
      .addSuccess(Schema.Array(ApiKeyRecord))
      .middleware(SessionOrPat)
      .annotateContext(requires("api_keys:read", "organization"))
      .annotate(OpenApi.Summary, "Keys of the organization, without their secrets")
  )
  .add(
    HttpApiEndpoint.post("create")`/organization/${organizationId}/api-keys`
      .setPayload(CreateApiKey)
      .addSuccess(ApiKeyWithToken, { status: 201 })
      .addError(KeyLimitReached)
      .addError(Escalation)
      .addError(ScopeInvalid)
      .middleware(SessionOnly)
      .annotateContext(
        requires("api_keys:write", "organization", "The caller must hold everything that the key then grants.")
      )
      .annotate(OpenApi.Summary, "Create a public or secret key; its token is shown this once")
  )
  .add(
    HttpApiEndpoint.post("rotate")`/organization/${organizationId}/api-keys/${apiKeyId}/rotate`
      .setPayload(KeyRotation)
      .addSuccess(ApiKeyWithToken)
      .addError(ApiKeyNotFound)
      .addError(Escalation)
      .addError(KeyDeactivated)
      .addError(KeyExpired)
      .middleware(SessionOnly)
      .annotateContext(
        requires("api_keys:write", "organization", "The caller must hold everything that the key then grants.")
      )
      .annotate(
        OpenApi.Summary,
        "Give the key a new secret; the old one works for `overlap` seconds more, 0 unless given"
      )
  )
  .add(
    HttpApiEndpoint.patch("update")`/organization/${organizationId}/api-keys/${apiKeyId}`
      .setPayload(KeyChange)
      .addSuccess(ApiKeyRecord)
      .addError(ApiKeyNotFound)
      .addError(Escalation)
      .addError(ScopeInvalid)
      .addError(KeyDeactivated)
      .middleware(SessionOnly)
      .annotateContext(
        requires("api_keys:write", "organization", "The caller must hold everything that the key then grants.")
      )
      .annotate(OpenApi.Summary, "Change the key's name, description, projects, environments and permissions at once")
  )
  .add(
    HttpApiEndpoint.put("setPermissions")`/organization/${organizationId}/api-keys/${apiKeyId}/permissions`
      .setPayload(PermissionsChange)
      .addSuccess(ApiKeyRecord)
      .addError(ApiKeyNotFound)
      .addError(Escalation)
      .addError(ScopeInvalid)
      .addError(KeyDeactivated)
      .middleware(SessionOnly)
      .annotateContext(
        requires("api_keys:write", "organization", "The caller must hold everything that the key then grants.")
      )
      .annotate(OpenApi.Summary, "Replace the key's permissions")
  )
  .add(
    HttpApiEndpoint.put("setEnvironments")`/organization/${organizationId}/api-keys/${apiKeyId}/environments`
      .setPayload(EnvironmentsChange)
      .addSuccess(ApiKeyRecord)
      .addError(ApiKeyNotFound)
      .addError(Escalation)
      .addError(ScopeInvalid)
      .addError(KeyDeactivated)
      .middleware(SessionOnly)
      .annotateContext(
        requires("api_keys:write", "organization", "The caller must hold everything that the key then grants.")
      )
      .annotate(OpenApi.Summary, "Replace the environments the key works in")
  )
  .add(
    HttpApiEndpoint.put("setProjects")`/organization/${organizationId}/api-keys/${apiKeyId}/projects`
      .setPayload(ProjectScopeChange)
      .addSuccess(ApiKeyRecord)
      .addError(ApiKeyNotFound)
      .addError(Escalation)
      .addError(ScopeInvalid)
      .addError(KeyDeactivated)
      .middleware(SessionOnly)
      .annotateContext(
        requires("api_keys:write", "organization", "The caller must hold everything that the key then grants.")
      )
      .annotate(OpenApi.Summary, "Change the projects the key works in")
  )
  .add(
    HttpApiEndpoint.del("deactivate")`/organization/${organizationId}/api-keys/${apiKeyId}`
      .addSuccess(ApiKeyRecord)
      .addError(ApiKeyNotFound)
      .middleware(SessionOnly)
      .annotateContext(requires("api_keys:write", "organization"))
      .annotate(OpenApi.Summary, "Deactivate the key for good")
  )
  .addError(Forbidden)
  .addError(OrganizationNotFound)
  .annotate(OpenApi.Title, "API keys")
  .annotate(OpenApi.Description, "Public keys for games and secret keys for servers, of one organization.") {}
