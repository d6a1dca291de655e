import type { Document, Path } from "../configuration/Document.ts"
import { requiredProperties } from "../experiments/Targeting.ts"
import type { ConfigurationId } from "../Ids.ts"
import type { RunningExperiment } from "./Descriptor.ts"
import { describe } from "./Descriptor.ts"

/** A configuration as an audience gets it, without changes for any unit. `hash` is that of its document and privacy. */
export interface Delivered {
  readonly id: ConfigurationId
  readonly name: string
  readonly alias: string | null
  readonly isPrimary: boolean
  readonly hash: string
  readonly configuration: Document
  readonly privacy: ReadonlyArray<Path>
}

/** Everything that an audience gets from an environment; both lists ascend by id. */
export interface Deliverable {
  readonly configurations: ReadonlyArray<Delivered>
  readonly experiments: ReadonlyArray<RunningExperiment>
}

/** How often games should poll: the interval in seconds, and the share by which each should vary it. */
const polling = { intervalSeconds: 30, jitterRatio: 0.2 }

const shared = ({ configurations, experiments }: Deliverable) => ({
  primaryConfigurationId: configurations.find(({ isPrimary }) => isPrimary)?.id ?? null,
  experiments: {
    user: experiments.filter(({ unitType }) => unitType === "user").map(describe),
    server: experiments.filter(({ unitType }) => unitType === "server").map(describe)
  },
  requiredProperties: requiredProperties(experiments.map(({ targeting }) => targeting)),
  polling
})

const statusContent = (deliverable: Deliverable) => ({
  configurations: deliverable.configurations.map(({ id, name, alias, hash }) => ({
    id,
    name,
    alias,
    hash,
    experiments: deliverable.experiments
      .filter(({ baseConfigurationId }) => baseConfigurationId === id)
      .map((experiment) => ({ id: experiment.id, groups: experiment.groups.map(({ name }) => ({ name })) }))
  })),
  ...shared(deliverable)
})

/**
 * The hashes of all configurations, and the running experiments. Its own hash changes with any of them. `digest`
 * shortens a text to a hash.
 */
export const status = (deliverable: Deliverable, digest: (text: string) => string) => {
  const content = statusContent(deliverable)
  return { hash: digest(`status:${JSON.stringify(content)}`), ...content }
}

/** The status with every document. Its own hash is computed from the documents' hashes. */
export const bootstrap = (deliverable: Deliverable, digest: (text: string) => string) => ({
  hash: digest(`bootstrap:${JSON.stringify(statusContent(deliverable))}`),
  configurations: deliverable.configurations.map(({ id, name, alias, hash, configuration, privacy }) => ({
    id,
    name,
    alias,
    hash,
    configuration,
    privacy
  })),
  ...shared(deliverable)
})
