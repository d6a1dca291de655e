import { Effect } from "effect"
import { ConfigurationEntry } from "../../../schema/configuration/ConfigurationRecord.ts"
import type {
  ConfigurationVersion as VersionRecord,
  ConfigurationVersionEntry
} from "../../../schema/configuration/ConfigurationRecord.ts"
import type {
  Configuration,
  ConfigurationSummary,
  ConfigurationVersion,
  VersionSummary,
  WrittenConfiguration
} from "../../domain/configuration/Configuration.ts"
import { documentText } from "../../domain/configuration/DocumentText.ts"
import { written } from "../WrittenList.ts"

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

const writtenEntry = written(ConfigurationEntry)

/** The record of a configuration without its document as JSON. */
export const writeEntry = (summary: ConfigurationSummary) => writtenEntry(entryOf(summary))

/** The record as JSON. The document's text comes last as it is. */
export const writeRecord = ({ summary, document }: WrittenConfiguration) =>
  Effect.map(writeEntry(summary), (entry) => `${entry.slice(0, -1)},"configuration":${document}}`)

/** The same of a configuration that was written or read: the text of one that was just stored is known. */
export const recordText = ({ document, ...summary }: Configuration) =>
  writeRecord({ summary, document: documentText(document) })

export const versionEntryOf = ({ version, hash, reason, createdAt, createdBy }: VersionSummary) =>
  ({ version, hash, reason, createdAt, createdBy }) satisfies ConfigurationVersionEntry

export const versionRecordOf = (version: ConfigurationVersion): VersionRecord => ({
  ...versionEntryOf(version),
  configuration: version.document,
  privacy: version.privacy
})
