import type { DateTime } from "effect"
import { Either } from "effect"
import { slug } from "../access/Alias.ts"
import { content } from "../configuration/Canonical.ts"
import type { Audience, LinkFailure, LinkSource } from "../configuration/Links.ts"
import type { Document } from "../configuration/Document.ts"
import type { ConfigurationId } from "../Ids.ts"
import type { Delivered } from "./Bootstrap.ts"
import type { RunningExperiment } from "./Descriptor.ts"
import type { ResolvedConfiguration } from "./Resolution.ts"
import { deliver, prepare } from "./Resolution.ts"

/** The part of a stored configuration that delivery needs. */
export interface SnapshotSource extends LinkSource {
  readonly id: ConfigurationId
  readonly name: string
  readonly alias: string | null
  readonly isPrimary: boolean
  readonly updatedAt: DateTime.Utc
}

/** A configuration as an audience gets it, with what is needed to apply a unit's changes. */
export interface SnapshotEntry extends Delivered {
  readonly updatedAt: DateTime.Utc
  readonly resolution: ResolvedConfiguration
}

/** A configuration that cannot be delivered. Writers refuse changes that would break one. */
export interface Broken {
  readonly id: ConfigurationId
  readonly failure: LinkFailure
}

/** Everything that games of one audience read from an environment; both lists ascend by id. */
export interface Snapshot {
  readonly configurations: ReadonlyArray<SnapshotEntry>
  readonly experiments: ReadonlyArray<RunningExperiment>
  readonly broken: ReadonlyArray<Broken>
}

type Digest = (text: string) => string

/** A configuration as an audience gets it: `configuration` is what the resolution delivers to all, `hash` that of its content. */
export const entryOf = (
  source: SnapshotSource,
  resolution: ResolvedConfiguration,
  configuration: Document,
  hash: string
): SnapshotEntry => {
  const { id, name, alias, isPrimary, updatedAt } = source
  const { privacy } = resolution
  return {
    id,
    name,
    alias,
    isPrimary,
    updatedAt,
    resolution,
    configuration,
    privacy,
    hash
  }
}

/** Resolves every configuration of an environment for an audience. Hashes are those of what the audience gets. */
export const snapshot = (
  sources: ReadonlyArray<SnapshotSource>,
  experiments: ReadonlyArray<RunningExperiment>,
  audience: Audience,
  digest: Digest
): Snapshot => {
  const byId = new Map(sources.map((source) => [source.id, source]))
  const configurations: Array<SnapshotEntry> = []
  const broken: Array<Broken> = []
  for (const source of sources) {
    const resolution = prepare(source, (id) => byId.get(id), audience)
    if (Either.isLeft(resolution)) broken.push({ id: source.id, failure: resolution.left })
    else {
      const configuration = deliver(resolution.right, [])
      const hash = digest(content(configuration, resolution.right.privacy))
      configurations.push(entryOf(source, resolution.right, configuration, hash))
    }
  }
  return { configurations, experiments, broken }
}

/**
 * The configuration with this alias, or else with this name, or else with the alias that the name makes: games write aliases as
 * their developers spell them. Without a name, the primary one.
 */
export const named = <A extends SnapshotEntry>(
  configurations: ReadonlyArray<A>,
  name: string | undefined
): A | undefined => {
  if (name === undefined) return configurations.find(({ isPrimary }) => isPrimary)
  const called = (wanted: string) => configurations.find(({ alias }) => alias === wanted)
  return called(name) ?? configurations.find((each) => each.name === name) ?? called(slug(name))
}
