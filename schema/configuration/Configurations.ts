import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { SessionOrPat } from "../access/Auth.ts"
import {
  ConfigurationEntry,
  ConfigurationDiff,
  ConfigurationRecord,
  ConfigurationVersion,
  ConfigurationVersionEntry,
  CopyConfiguration,
  CreateConfiguration,
  PatchConfiguration,
  ReplaceConfiguration,
  RevertConfiguration
} from "./ConfigurationRecord.ts"
import { CheckConfiguration, ConfigurationProblems } from "./ConfigurationDrafts.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import {
  ConfigurationInUse,
  ConfigurationInvalid,
  ConfigurationNameTaken,
  ConfigurationNotFound,
  HashMismatch,
  LinkInvalid,
  PathLocked,
  VersionNotFound
} from "./ConfigurationErrors.ts"
import { oneOf, optional } from "../Optional.ts"
import { applicationId, configurationId, numeric, OptionalEnvironmentHeader, Page, Paging } from "../Parameters.ts"
import { requires } from "../access/RequiredPermission.ts"

const versionNumber = numeric(Schema.Int.pipe(Schema.positive()))
const version = HttpApiSchema.param("version", versionNumber)

export const ConfigurationVersionPage = Page(ConfigurationVersionEntry).annotations({
  identifier: "ConfigurationVersionPage"
})
export type ConfigurationVersionPage = typeof ConfigurationVersionPage.Type

const ListedWith = Schema.Struct({ include: optional(oneOf("configuration")) })
const Versions = Schema.Struct({ from: versionNumber, to: versionNumber })

export class ConfigurationsGroup extends HttpApiGroup.make("configurations")
  .add(
    HttpApiEndpoint.get("list")`/application/${applicationId}/v2/configurations`
      .setHeaders(OptionalEnvironmentHeader)
      .setUrlParams(ListedWith)
      .addSuccess(Schema.Array(ConfigurationEntry))
      .annotateContext(requires("configurations:read", "environment"))
      .annotate(OpenApi.Summary, "Configurations of the environment; documents only with include=configuration")
  )
  .add(
    HttpApiEndpoint.post("create")`/application/${applicationId}/v2/configuration`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(CreateConfiguration)
      .addSuccess(ConfigurationRecord, { status: 201 })
      .addError(ConfigurationNameTaken)
      .addError(ConfigurationInvalid)
      .addError(LinkInvalid)
      .annotateContext(requires("configurations:write", "environment"))
      .annotate(OpenApi.Summary, "Create a configuration")
  )
  .add(
    HttpApiEndpoint.get("get")`/application/${applicationId}/v2/configuration/${configurationId}`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(ConfigurationRecord)
      .addError(ConfigurationNotFound)
      .annotateContext(requires("configurations:read", "environment"))
      .annotate(OpenApi.Summary, "A configuration")
  )
  .add(
    HttpApiEndpoint.put("replace")`/application/${applicationId}/v2/configuration/${configurationId}`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(ReplaceConfiguration)
      .addSuccess(ConfigurationRecord)
      .addError(ConfigurationNotFound)
      .addError(ConfigurationNameTaken)
      .addError(HashMismatch)
      .addError(PathLocked)
      .addError(ConfigurationInvalid)
      .addError(LinkInvalid)
      .annotateContext(requires("configurations:write", "environment"))
      .annotate(OpenApi.Summary, "Replace a configuration, as a new version")
  )
  .add(
    HttpApiEndpoint.patch("patch")`/application/${applicationId}/v2/configuration/${configurationId}`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(PatchConfiguration)
      .addSuccess(ConfigurationRecord)
      .addError(ConfigurationNotFound)
      .addError(ConfigurationNameTaken)
      .addError(HashMismatch)
      .addError(PathLocked)
      .addError(ConfigurationInvalid)
      .addError(LinkInvalid)
      .annotateContext(requires("configurations:write", "environment"))
      .annotate(OpenApi.Summary, "Change some keys of a configuration, as a new version")
  )
  .add(
    HttpApiEndpoint.del("remove")`/application/${applicationId}/v2/configuration/${configurationId}`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(ConfigurationNotFound)
      .addError(ConfigurationInUse)
      .annotateContext(requires("configurations:write", "environment"))
      .annotate(OpenApi.Summary, "Delete a configuration that nothing refers to")
  )
  .add(
    HttpApiEndpoint.post("copy")`/application/${applicationId}/v2/configuration/${configurationId}/copy`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(CopyConfiguration)
      .addSuccess(ConfigurationRecord, { status: 201 })
      .addError(ConfigurationNotFound)
      .addError(ConfigurationNameTaken)
      .addError(ConfigurationInvalid)
      .addError(LinkInvalid)
      .annotateContext(
        requires(
          "configurations:write",
          "environment",
          "A token must cover the environment that the copy goes to as well."
        )
      )
      .annotate(OpenApi.Summary, "Copy a configuration, here or to another environment")
  )
  .add(
    HttpApiEndpoint.put("makePrimary")`/application/${applicationId}/v2/configuration/${configurationId}/primary`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(ConfigurationRecord)
      .addError(ConfigurationNotFound)
      .annotateContext(requires("configurations:write", "environment"))
      .annotate(OpenApi.Summary, "Make it the configuration that games get when they name none")
  )
  .add(
    HttpApiEndpoint.get("versions")`/application/${applicationId}/v2/configuration/${configurationId}/versions`
      .setHeaders(OptionalEnvironmentHeader)
      .setUrlParams(Paging)
      .addSuccess(ConfigurationVersionPage)
      .addError(ConfigurationNotFound)
      .annotateContext(requires("configurations:read", "environment"))
      .annotate(OpenApi.Summary, "Versions of a configuration, newest first")
  )
  .add(
    HttpApiEndpoint.get(
      "version"
    )`/application/${applicationId}/v2/configuration/${configurationId}/versions/${version}`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(ConfigurationVersion)
      .addError(ConfigurationNotFound)
      .addError(VersionNotFound)
      .annotateContext(requires("configurations:read", "environment"))
      .annotate(OpenApi.Summary, "The document as it was in one version")
  )
  .add(
    HttpApiEndpoint.get("diff")`/application/${applicationId}/v2/configuration/${configurationId}/diff`
      .setHeaders(OptionalEnvironmentHeader)
      .setUrlParams(Versions)
      .addSuccess(ConfigurationDiff)
      .addError(ConfigurationNotFound)
      .addError(VersionNotFound)
      .annotateContext(requires("configurations:read", "environment"))
      .annotate(OpenApi.Summary, "What changed between two versions")
  )
  .add(
    HttpApiEndpoint.post("revert")`/application/${applicationId}/v2/configuration/${configurationId}/revert`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(RevertConfiguration)
      .addSuccess(ConfigurationRecord)
      .addError(ConfigurationNotFound)
      .addError(VersionNotFound)
      .addError(HashMismatch)
      .addError(PathLocked)
      .addError(ConfigurationInvalid)
      .addError(LinkInvalid)
      .annotateContext(requires("configurations:write", "environment"))
      .annotate(OpenApi.Summary, "Bring an earlier version back, as a new version")
  )
  .add(
    HttpApiEndpoint.post("check")`/application/${applicationId}/v2/configuration/${configurationId}/check`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(CheckConfiguration)
      .addSuccess(ConfigurationProblems)
      .addError(ConfigurationNotFound)
      .annotateContext(requires("configurations:write", "environment"))
      .annotate(OpenApi.Summary, "What would refuse a document as the next version; writes nothing")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .middleware(SessionOrPat)
  .annotate(OpenApi.Title, "Configurations")
  .annotate(OpenApi.Description, "Remote configuration: documents with versions, links, private keys and a schema.") {}
