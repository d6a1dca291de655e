import type { DateTime } from "effect"
import type { ApplicationId, ConfigurationId, EnvironmentId, UserId } from "../Ids.ts"
import type { Document, Path } from "./Document.ts"

/** Who wrote; null for the process itself and keys of an organization. */
export type Author = { readonly id: UserId; readonly email: string } | null

/** A configuration as it is kept: links unresolved, private values in it. */
export interface Configuration {
  readonly id: ConfigurationId
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId
  /** Names and aliases of an environment are all different; a configuration's alias may be its own name. */
  readonly name: string
  readonly alias: string | null
  readonly description: string | null
  readonly document: Document
  readonly privacy: ReadonlyArray<Path>
  /** JSON Schema that the document follows once its links are resolved. */
  readonly schema: Document | null
  readonly keyDescriptions: Readonly<Record<string, string>>
  /** Games get it when they name none. At most one in an environment. */
  readonly isPrimary: boolean
  /** Changes if and only if the document or the set of private paths does. */
  readonly hash: string
  /** Counts the writes that changed something, from 1. */
  readonly version: number
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
  readonly updatedBy: Author
}

export type NewConfiguration = Omit<Configuration, "id">

/** What a list shows of a configuration. */
export type ConfigurationSummary = Omit<Configuration, "document">

/** What a configuration held after one of its writes. */
export interface ConfigurationVersion {
  readonly configurationId: ConfigurationId
  readonly version: number
  readonly hash: string
  readonly document: Document
  readonly privacy: ReadonlyArray<Path>
  readonly reason: string | null
  readonly createdAt: DateTime.Utc
  readonly createdBy: Author
}

export type VersionSummary = Omit<ConfigurationVersion, "document" | "privacy">
