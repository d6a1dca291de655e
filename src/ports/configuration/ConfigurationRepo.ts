import type { Effect, Option } from "effect"
import { Context } from "effect"
import type {
  Configuration,
  ConfigurationSize,
  ConfigurationSummary,
  ConfigurationVersion,
  NewConfiguration,
  VersionSummary,
  WrittenConfiguration
} from "../../domain/configuration/Configuration.ts"
import type { NamedVersion, VersionPlace } from "../../domain/analytics/note/Note.ts"
import type { TimeSpan } from "../../domain/analytics/time/Buckets.ts"
import type { ConfigurationId, EnvironmentId } from "../../domain/Ids.ts"

/** Callers check within their transaction that names and aliases are free: a duplicate is a defect here. */
export class ConfigurationRepo extends Context.Tag("ports/configuration/ConfigurationRepo")<
  ConfigurationRepo,
  {
    readonly insert: (configuration: NewConfiguration) => Effect.Effect<Configuration>
    /** Overwrites the configuration of that id. */
    readonly update: (configuration: Configuration) => Effect.Effect<Configuration>
    /** Removes the configuration. Its versions are hidden, and deleted by `RemovedRows.clear`. */
    readonly remove: (id: ConfigurationId) => Effect.Effect<void>
    readonly find: (environmentId: EnvironmentId, id: ConfigurationId) => Effect.Effect<Option.Option<Configuration>>
    /** The same for whoever only sends the document: see `listWritten`. */
    readonly findWritten: (
      environmentId: EnvironmentId,
      id: ConfigurationId
    ) => Effect.Effect<Option.Option<WrittenConfiguration>>
    /** The configuration whose name or alias equals the text exactly. */
    readonly findByNameOrAlias: (
      environmentId: EnvironmentId,
      nameOrAlias: string
    ) => Effect.Effect<Option.Option<Configuration>>
    readonly primary: (environmentId: EnvironmentId) => Effect.Effect<Option.Option<Configuration>>
    /** Makes it the environment's only primary configuration. */
    readonly makePrimary: (environmentId: EnvironmentId, id: ConfigurationId) => Effect.Effect<void>
    /** By id, ascending. */
    readonly list: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<Configuration>>
    /** By id, ascending, for whoever only sends the documents: large ones are read in no time where nobody parses them. */
    readonly listWritten: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<WrittenConfiguration>>
    /** By id, ascending, without the documents. */
    readonly summaries: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<ConfigurationSummary>>
    /** By id, ascending: how much each configuration of the environment is. */
    readonly sizes: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<ConfigurationSize>>
    /** Configurations of the environment whose documents link to the given one (possibly itself), by id. */
    readonly linkedTo: (
      environmentId: EnvironmentId,
      id: ConfigurationId
    ) => Effect.Effect<ReadonlyArray<Configuration>>
    readonly insertVersion: (version: ConfigurationVersion) => Effect.Effect<void>
    /** At most `limit` versions older than `before` (null: from the newest on), newest first. */
    readonly versions: (
      id: ConfigurationId,
      before: number | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<VersionSummary>>
    /**
     * At most `limit` versions of the environment's configurations that were made in [from, to), epoch ms, and come after `place`
     * (null: from the first on): newest first, of one instant by id and version, higher ones first.
     */
    readonly versionsWithin: (
      environmentId: EnvironmentId,
      range: TimeSpan,
      place: VersionPlace | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<NamedVersion>>
    readonly version: (id: ConfigurationId, version: number) => Effect.Effect<Option.Option<ConfigurationVersion>>
  }
>() {}
