import type {
  ConfigurationEntry,
  ConfigurationRecord,
  ConfigurationVersion as VersionRecord,
  ConfigurationVersionEntry
} from "../../../schema/configuration/ConfigurationRecord.ts"
import type {
  Configuration,
  ConfigurationSummary,
  ConfigurationVersion,
  VersionSummary
} from "../../domain/configuration/Configuration.ts"

/** The wire record of a configuration without its document. */
export const entryOf = (configuration: ConfigurationSummary): ConfigurationEntry => ({
  id: configuration.id,
  applicationId: configuration.applicationId,
  environmentId: configuration.environmentId,
  name: configuration.name,
  alias: configuration.alias,
  description: configuration.description,
  privacy: configuration.privacy,
  schema: configuration.schema,
  keyDescriptions: configuration.keyDescriptions,
  isPrimary: configuration.isPrimary,
  hash: configuration.hash,
  version: configuration.version,
  createdAt: configuration.createdAt,
  updatedAt: configuration.updatedAt,
  updatedBy: configuration.updatedBy
})

export const recordOf = (configuration: Configuration): ConfigurationRecord => ({
  ...entryOf(configuration),
  configuration: configuration.document
})

export const versionEntryOf = ({ version, hash, reason, createdAt, createdBy }: VersionSummary) =>
  ({ version, hash, reason, createdAt, createdBy }) satisfies ConfigurationVersionEntry

export const versionRecordOf = (version: ConfigurationVersion): VersionRecord => ({
  ...versionEntryOf(version),
  configuration: version.document,
  privacy: version.privacy
})
