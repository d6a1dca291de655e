import type { DateTime } from "effect"
import type { ApplicationId, ConfigurationId, EnvironmentId, UserId } from "../Ids.ts"
import type { Document, Path } from "./Document.ts"

/** Who made a change; null for the process itself and for keys of an organization. */
export type Author = { readonly id: UserId; readonly email: string } | null

/** A configuration as stored: links unresolved, private values included. */
export interface Configuration {
  readonly id: ConfigurationId
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId
  /** Names and aliases within an environment are all different, but a configuration's alias may equal its own name. */
  readonly name: string
  readonly alias: string | null
  readonly description: string | null
  readonly document: Document
  readonly privacy: ReadonlyArray<Path>
  /** The JSON Schema that the document, with links resolved, must satisfy. */
  readonly schema: Document | null
  readonly keyDescriptions: Readonly<Record<string, string>>
  /** Games that name no configuration get this one. At most one per environment. */
  readonly isPrimary: boolean
  /** Changes exactly when the document or the set of private paths does. */
  readonly hash: string
  /** Increases with each write that changes something, from 1. */
  readonly version: number
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
  readonly updatedBy: Author
}

export type NewConfiguration = Omit<Configuration, "id">

/** A configuration as lists show it. */
export type ConfigurationSummary = Omit<Configuration, "document">

/** A configuration whose document is JSON text. */
export interface WrittenConfiguration {
  readonly summary: ConfigurationSummary
  readonly document: string
}

/** How much a configuration is, without reading its document. */
export interface ConfigurationSize {
  readonly id: ConfigurationId
  /** Of its document as JSON in UTF-8. */
  readonly bytes: number
  /** Of its schema, private paths and descriptions of keys. */
  readonly besideBytes: number
  /** Whether the document links to any configuration. */
  readonly hasLinks: boolean
}

/** The content of a configuration after one of its writes. */
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
