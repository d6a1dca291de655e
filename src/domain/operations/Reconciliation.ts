/** That a unit's data of up to `erasedAt` (epoch milliseconds) were erased; the fingerprint stands for its id. */
export interface KnownErasure {
  readonly environmentId: number
  readonly fingerprint: string
  readonly erasedAt: number
}

/** What one file knows when a server starts. Instants are epoch milliseconds. */
interface Facts {
  /** The latest note that both files were to get; the metadata's file gets it first. */
  readonly round: number
  readonly notedAt: number
  readonly erasures: ReadonlyArray<KnownErasure>
}

export interface MetadataFacts extends Facts {
  readonly environments: ReadonlySet<number>
  readonly cohorts: ReadonlyArray<{
    readonly id: number
    readonly environmentId: number
    readonly kind: "dynamic" | "static"
    readonly memberCount: number
  }>
  /** The highest sequence of each environment as of the note. */
  readonly sequences: ReadonlyMap<number, number>
  /** The highest ids given so far, by counter. */
  readonly counters: ReadonlyMap<string, number>
  /** Whether a repair has lost assignments. */
  readonly areAssignmentsLost: boolean
  /** What earlier starts have set aside, as `setAsideKey` names it. */
  readonly setAside: ReadonlySet<string>
}

export interface EventFacts extends Facts {
  /** Every environment that the file holds anything of; the sequence is 0 where it holds no marker. */
  readonly environments: ReadonlyMap<number, { readonly highestSequence: number; readonly newestReceipt: number }>
  readonly cohorts: ReadonlyArray<{
    readonly id: number
    readonly environmentId: number
    readonly memberCount: number
  }>
  /** The metadata's counters as of the note. */
  readonly counters: ReadonlyMap<string, number>
}

/** Something of the event file that the metadata do not know. */
export interface Stranger {
  readonly kind: "environment" | "cohort"
  readonly id: number
  readonly environmentId: number
}

/** How `MetadataFacts.setAside` names what was set aside. */
export const setAsideKey = ({ kind, id }: Pick<Stranger, "kind" | "id">): string => `${kind} ${id}`

/** The sequences `found` + 1 to `noted` of an environment were acknowledged and are gone. */
export interface LostMarkers {
  readonly environmentId: number
  readonly noted: number
  readonly found: number
}

export interface RepairPlan {
  /** The metadata are of an earlier time than the events, or have lost their end. */
  readonly isMetadataOlder: boolean
  readonly isEventsOlder: boolean
  readonly lost: ReadonlyArray<LostMarkers>
  readonly setAside: ReadonlyArray<Stranger>
  /** Cohorts that were removed while their members were not. */
  readonly leftover: ReadonlyArray<Stranger>
  /** Counters that must not give their next id before the one after this. */
  readonly counters: ReadonlyArray<readonly [name: string, id: number]>
  /** Exposures that were noted after these instants are gone. */
  readonly exposures: ReadonlyArray<{ readonly environmentId: number; readonly after: number }>
  readonly erasuresInMetadata: ReadonlyArray<KnownErasure>
  readonly erasuresInEvents: ReadonlyArray<KnownErasure>
  /** Cohorts whose record says another number of members than there are. */
  readonly cohorts: ReadonlyArray<{
    readonly id: number
    readonly environmentId: number
    readonly kind: "dynamic" | "static"
    readonly recorded: number
    readonly memberCount: number
  }>
}

/** Names of counters whose ids the event file holds itself. */
export const environmentCounter = "environments"
export const cohortCounter = "cohorts"

/**
 * An exposure is noted this many milliseconds before its marker is received, at most: exposures are written together, and wait while the
 * store is busy.
 */
const exposureDelay = 10_000

const erasureKey = ({ environmentId, fingerprint }: KnownErasure): string => `${environmentId} ${fingerprint}`

const byKey = (erasures: ReadonlyArray<KnownErasure>) =>
  new Map(erasures.map((erasure) => [erasureKey(erasure), erasure.erasedAt]))

const strangersIn = (metadata: MetadataFacts, events: EventFacts): ReadonlyArray<Stranger> => {
  const environments = [...events.environments.keys()]
    .filter((id) => !metadata.environments.has(id))
    .map((id): Stranger => ({ kind: "environment", id, environmentId: id }))
  const known = new Set(metadata.cohorts.map(({ id }) => id))
  const cohorts = events.cohorts
    .filter(({ id, environmentId }) => metadata.environments.has(environmentId) && !known.has(id))
    .map(({ id, environmentId }): Stranger => ({ kind: "cohort", id, environmentId }))
  return [...environments, ...cohorts]
}

const lostIn = (metadata: MetadataFacts, events: EventFacts): ReadonlyArray<LostMarkers> =>
  [...metadata.sequences].flatMap(([environmentId, noted]) => {
    const found = events.environments.get(environmentId)?.highestSequence ?? 0
    return found < noted && metadata.environments.has(environmentId) ? [{ environmentId, noted, found }] : []
  })

const liftedIn = (metadata: MetadataFacts, events: EventFacts): ReadonlyArray<readonly [string, number]> => {
  const wanted = new Map(events.counters)
  const want = (name: string, id: number) => wanted.set(name, Math.max(id, wanted.get(name) ?? 0))
  for (const id of events.environments.keys()) want(environmentCounter, id)
  for (const { id } of events.cohorts) want(cohortCounter, id)
  return [...wanted].filter(([name, id]) => id > (metadata.counters.get(name) ?? 0))
}

/**
 * Compares the two files of a data folder, which may be copies of different times, and plans what makes them agree again without showing
 * anything of one environment, experiment or cohort as another's. An id that the metadata have given before and do not know now was removed
 * on purpose; a higher one is of a time that the metadata have not seen, and is set aside.
 */
export const planRepairs = (metadata: MetadataFacts, events: EventFacts): RepairPlan => {
  const counters = liftedIn(metadata, events)
  const lost = lostIn(metadata, events)
  const isMetadataOlder = metadata.round < events.round || counters.length > 0
  const isEventsOlder = metadata.round > events.round + 1 || lost.length > 0
  const strangers = strangersIn(metadata, events)
  const isUnseen = ({ kind, id }: Stranger) =>
    id > (metadata.counters.get(kind === "environment" ? environmentCounter : cohortCounter) ?? 0)
  const isSetAside = (stranger: Stranger) => metadata.setAside.has(setAsideKey(stranger))
  const inMetadata = byKey(metadata.erasures)
  const inEvents = byKey(events.erasures)
  const counted = new Map(events.cohorts.map(({ id, memberCount }) => [id, memberCount]))
  return {
    isMetadataOlder,
    isEventsOlder,
    lost,
    counters,
    setAside: strangers.filter((stranger) => isUnseen(stranger) && !isSetAside(stranger)),
    leftover: strangers.filter(
      (stranger) => stranger.kind === "cohort" && !isUnseen(stranger) && !isSetAside(stranger)
    ),
    exposures: isEventsOlder
      ? [...metadata.environments].map((environmentId) => ({
          environmentId,
          after: (events.environments.get(environmentId)?.newestReceipt ?? 0) - exposureDelay
        }))
      : [],
    erasuresInMetadata: events.erasures.filter((erasure) => {
      const known = inMetadata.get(erasureKey(erasure))
      return (
        metadata.environments.has(erasure.environmentId) &&
        (known === undefined || (isMetadataOlder && known < erasure.erasedAt))
      )
    }),
    erasuresInEvents: metadata.erasures.filter(
      (erasure) => (inEvents.get(erasureKey(erasure)) ?? -Infinity) < erasure.erasedAt
    ),
    cohorts: metadata.cohorts.flatMap(({ id, environmentId, kind, memberCount: recorded }) => {
      const memberCount = counted.get(id) ?? 0
      return memberCount === recorded ? [] : [{ id, environmentId, kind, recorded, memberCount }]
    })
  }
}
