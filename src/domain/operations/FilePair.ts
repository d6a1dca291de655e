/** The random id of a data file and the one of its partner. Null: the first partner that comes is the right one. */
export interface PairIds {
  readonly own: string
  readonly partner: string | null
}

/** One of the two files of the data folder, as it is found before anything is opened for writing. */
export type FoundFile =
  /** No file, or one without a table. */
  | { readonly _tag: "Absent" }
  /** Another program's file, or no database. */
  | { readonly _tag: "Foreign" }
  | {
      readonly _tag: "Metadata" | "Events"
      /** Null: written by a version that knew no ids. */
      readonly ids: PairIds | null
      /** Whether it holds what the other file would be missed for: environments, or markers and members of cohorts. */
      readonly hasHistory: boolean
    }

export interface FoundPair {
  readonly metadata: FoundFile
  readonly events: FoundFile
}

/** Why two files may not be opened together. */
export type Mismatch =
  | { readonly _tag: "Foreign" | "Lost" | "Unpaired"; readonly file: "metadata" | "events" }
  | { readonly _tag: "Swapped" | "Strangers" }

const foreign = (file: "metadata" | "events"): Mismatch => ({ _tag: "Foreign", file })

const isWaiting = (ids: PairIds | null): boolean => ids !== null && ids.partner === null

/** Whether at least one of the files has the other's content, and neither is where it belongs. */
const isSwapped = ({ metadata, events }: FoundPair): boolean =>
  (metadata._tag === "Events" && events._tag !== "Events") ||
  (events._tag === "Metadata" && metadata._tag !== "Metadata")

/**
 * Compares the ids of the two files, and says what forbids opening them together; null: nothing does. A file that waits for a partner
 * takes any; files of versions that knew no ids belong together.
 */
export const mismatchOf = ({ metadata, events }: FoundPair): Mismatch | null => {
  if (isSwapped({ metadata, events })) return { _tag: "Swapped" }
  if (metadata._tag === "Events") return foreign("metadata")
  if (events._tag === "Metadata") return foreign("events")
  if (metadata._tag === "Foreign") return foreign("metadata")
  if (events._tag === "Foreign") return foreign("events")
  if (metadata._tag === "Absent" && events._tag === "Absent") return null
  if (metadata._tag === "Absent")
    return events._tag === "Events" && events.hasHistory && !isWaiting(events.ids)
      ? { _tag: "Lost", file: "metadata" }
      : null
  if (events._tag === "Absent")
    return metadata.hasHistory && !isWaiting(metadata.ids) ? { _tag: "Lost", file: "events" } : null
  if (isWaiting(metadata.ids) || isWaiting(events.ids)) return null
  if (metadata.ids === null && events.ids === null) return null
  if (metadata.ids === null) return { _tag: "Unpaired", file: "metadata" }
  if (events.ids === null) return { _tag: "Unpaired", file: "events" }
  return metadata.ids.partner === events.ids.own && events.ids.partner === metadata.ids.own
    ? null
    : { _tag: "Strangers" }
}

/** Whether the operator may have the files opened all the same: `doctor --accept` then lets one of them wait for a partner. */
export const isAcceptable = ({ _tag }: Mismatch): boolean => _tag === "Lost" || _tag === "Unpaired"

interface Paths {
  readonly metadata: string
  readonly events: string
}

const restoreBoth = "put back both files of one backup"

/** What is wrong, in which files, and the ways out, in one line for the operator. */
export const describeMismatch = (mismatch: Mismatch, paths: Paths): string => {
  const accept = "run the command doctor --accept with this folder"
  switch (mismatch._tag) {
    case "Foreign":
      return `${paths[mismatch.file]} is not the ${mismatch.file} file of gamekeeper, and is left as it is: move it away, and ${restoreBoth}`
    case "Swapped":
      return `${paths.metadata} and ${paths.events} have each other's content: exchange their names`
    case "Strangers":
      return `${paths.metadata} and ${paths.events} come from different installations: ${restoreBoth}, or move one of them away`
    case "Lost":
      return mismatch.file === "events"
        ? `${paths.events} is missing or empty, though ${paths.metadata} knows projects that had one: ${restoreBoth}; or, to go on without any marker, ${accept}`
        : `${paths.metadata} is missing or empty, though ${paths.events} holds markers: ${restoreBoth}; or, to begin anew with these markers set aside, ${accept}`
    case "Unpaired":
      return `${paths[mismatch.file]} is older than the ids that tell whether the two files of a data folder belong together, and the other file has one: ${restoreBoth}; or, if you know that ${paths.metadata} and ${paths.events} are of one installation, ${accept}`
  }
}
