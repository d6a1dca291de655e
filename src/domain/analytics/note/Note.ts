import type { VersionSummary } from "../../configuration/Configuration.ts"
import type { LifecycleEvent } from "../../experiments/Settlement.ts"
import type { StoredExperiment } from "../../experiments/StoredExperiment.ts"
import { groupBy } from "../filter/Grouping.ts"
import type { SeenVersion } from "../question/Question.ts"
import type { TimeSpan } from "../time/Buckets.ts"

/** A version of a configuration with the configuration's present name. */
export interface NamedVersion extends VersionSummary {
  readonly name: string
}

/** The place of a version among those of all configurations. `at` is in epoch ms. */
export interface VersionPlace {
  readonly at: number
  readonly id: number
  readonly version: number
}

export const placeOf = ({ createdAt, configurationId, version }: VersionSummary): VersionPlace => ({
  at: createdAt.epochMillis,
  id: configurationId,
  version
})

/** Newest first; of one instant higher ids and versions first. Negative where `one` comes first. */
export const versionOrder = (one: VersionPlace, other: VersionPlace): number =>
  other.at - one.at || other.id - one.id || other.version - one.version

const kinds = ["configuration", "experiment", "appVersion"] as const

export type NoteKind = (typeof kinds)[number]

/** Something that changed the game. `at` is in epoch ms. */
export interface Note {
  readonly at: number
  readonly kind: NoteKind
  /** Of the configuration or experiment; 0 for a version of the game. */
  readonly id: number
  readonly name: string
  /** Among the notes of its object: the version, or the place of the event, from 1; among versions of the game those first seen at the same instant. */
  readonly serial: number
  /** Null where time did it, and where who did it is not known. */
  readonly by: VersionSummary["createdBy"]
  readonly text: string
}

/** What identifies a note and its place in a list. */
export type NotePlace = Pick<Note, "at" | "kind" | "id" | "serial">

/** Newest first; of one instant configurations before experiments before versions of the game, and higher ids and serials first. Negative where `one` comes first. */
export const noteOrder = (one: NotePlace, other: NotePlace): number =>
  other.at - one.at ||
  kinds.indexOf(one.kind) - kinds.indexOf(other.kind) ||
  other.id - one.id ||
  other.serial - one.serial

const versionNote = (version: NamedVersion): Note => ({
  at: version.createdAt.epochMillis,
  kind: "configuration",
  id: version.configurationId,
  name: version.name,
  serial: version.version,
  by: version.createdBy,
  text: version.reason === null ? `Version ${version.version}` : `Version ${version.version}: ${version.reason}`
})

const eventText = ({ progress }: StoredExperiment, event: LifecycleEvent): string => {
  switch (event.type) {
    case "started":
      return "Started"
    case "weightsChanged":
      return "Weights changed"
    case "ended":
      return event.status === "completed" ? "Ended as planned" : "Ended"
    case "rolloutChanged": {
      if (event.action === "pause") return "Paused"
      if (event.action === "resume") return "Resumed"
      if (event.action === "replaceSteps") return "Planned other steps"
      const entry = progress.rollout.history.find(({ at, action }) => at === event.at && action === event.action)
      return `Rolled out to ${entry?.percent ?? progress.rollout.percent} %`
    }
  }
}

const experimentNotes = (experiment: StoredExperiment): ReadonlyArray<Note> =>
  experiment.events.map((event, index) => ({
    at: event.at,
    kind: "experiment",
    id: experiment.id,
    name: experiment.name,
    serial: index + 1,
    by: event.type === "started" && event.at === experiment.createdAt.epochMillis ? experiment.createdBy : null,
    text: eventText(experiment, event)
  }))

/** Serials rise with the names of versions, so that a later page tells those of one instant apart. */
const sightNotes = (seen: ReadonlyArray<SeenVersion>): ReadonlyArray<Note> =>
  [...groupBy(seen, ({ firstSeenAt }) => firstSeenAt)].flatMap(([at, together]) =>
    together
      .map(({ version }) => version)
      .sort()
      .map((version, index) => ({
        at,
        kind: "appVersion",
        id: 0,
        name: version,
        serial: index + 1,
        by: null,
        text: "First seen"
      }))
  )

/** What may be noted: versions of configurations, settled experiments, and versions of the game with their first sights. */
export interface Notable {
  readonly versions: ReadonlyArray<NamedVersion>
  readonly experiments: ReadonlyArray<StoredExperiment>
  readonly seen: ReadonlyArray<SeenVersion>
}

/** The notes in the range [from, to) that follow `after`, in order, at most `limit`. */
export const notesOf = (
  { versions, experiments, seen }: Notable,
  { from, to }: TimeSpan,
  after: NotePlace | null,
  limit: number
): ReadonlyArray<Note> =>
  [...versions.map(versionNote), ...experiments.flatMap(experimentNotes), ...sightNotes(seen)]
    .filter((note) => note.at >= from && note.at < to && (after === null || noteOrder(after, note) < 0))
    .sort(noteOrder)
    .slice(0, limit)

/** The place after which versions follow a note. */
export const versionPlaceOf = ({ at, kind, id, serial }: NotePlace): VersionPlace =>
  kind === "configuration" ? { at, id, version: serial } : { at, id: 0, version: 0 }
