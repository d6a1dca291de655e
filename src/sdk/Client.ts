import { askEvaluation, type Evaluation, evaluationOf, type Question, type Unit } from "./Evaluation.ts"
import type { Marker, MarkerValue } from "./Marker.ts"
import { newMarkerId } from "./MarkerId.ts"
import { MarkerQueue } from "./MarkerQueue.ts"
import { messageOf, type OnProblem } from "./Problem.ts"
import { type ConfigurationOptions, RemoteConfiguration } from "./RemoteConfiguration.ts"
import { askExperiments, type RunningExperiments, runningExperimentsOf } from "./RunningExperiments.ts"
import { memoryStorage, type Storage } from "./Storage.ts"
import { type Told, toldBy } from "./Told.ts"
import { makeTransport, type TransportOptions } from "./Transport.ts"

export interface ClientOptions extends TransportOptions {
  /** The player whom markers belong to where they name nobody else. */
  readonly distinctId?: string
  readonly sessionId?: string
  /** What outlives the process or the page; by default nothing. */
  readonly storage?: Storage
  /** Seconds after which a marker is sent that waits for others: 5. */
  readonly flushSeconds?: number
  /** Markers that may wait while the server cannot be reached: 10,000. Further ones are not taken, and told as a problem. */
  readonly mostWaiting?: number
  readonly onProblem?: OnProblem
}

/** Whose a marker is, and what else is not its name or its properties. */
export interface MarkerOptions {
  readonly distinctId?: string
  readonly sessionId?: string
  /** Epoch milliseconds; now by default. */
  readonly timestamp?: number
  /** A UUID. A marker of an id that the server knows is a duplicate. */
  readonly markerId?: string
}

export interface Client {
  /** Takes a marker, which is sent with others soon; false where it was not taken. */
  readonly track: (
    eventName: string,
    properties?: Readonly<Record<string, MarkerValue>>,
    options?: MarkerOptions
  ) => boolean
  /** Whom markers belong to from now on; null for nobody. */
  readonly identify: (distinctId: string | null) => void
  /** The values of a configuration, kept up to date. Ask for it where its values are used first: for a unit, this records its exposure. */
  readonly configuration: <Values extends object>(options: ConfigurationOptions<Values>) => RemoteConfiguration<Values>
  /** What the server says of a configuration now, once. For a unit, this records its exposure. */
  readonly evaluate: (question: Question, knownHash?: string) => Promise<Told<Evaluation>>
  /** The experiments that run now, with the paths that they change. */
  readonly runningExperiments: (unitType: Unit["type"], knownHash?: string) => Promise<Told<RunningExperiments>>
  /** The text that `keep` has kept under this name, also before a restart; null where there is none. */
  readonly recall: (name: string) => Promise<string | null>
  readonly keep: (name: string, text: string) => Promise<void>
  /** How many markers wait to be acknowledged. */
  readonly waiting: () => number
  /** Resolves once every marker that was tracked outlives the process. */
  readonly stored: () => Promise<void>
  /** Sends what waits; resolves when nothing does, or when the server could not take it. */
  readonly flush: () => Promise<void>
  /** Sends what one request may take that outlives the page: call it where the page is hidden. */
  readonly leave: () => void
  /** Ends timers and requests. What was not acknowledged stays in the storage for the next client. */
  readonly close: () => Promise<void>
}

/** A client of a Gamekeeper server. */
export const createClient = (options: ClientOptions): Client => {
  const { storage = memoryStorage(), onProblem = () => undefined, flushSeconds = 5, mostWaiting = 10_000 } = options
  const setting = { storage, onProblem, transport: makeTransport(options), chance: () => Math.random() }
  const queue = new MarkerQueue({ ...setting, flushSeconds, mostWaiting })
  const configurations = new Set<{ close: () => void }>()
  const { transport } = setting
  const toldStorage = (cause: unknown) => onProblem({ kind: "storage", message: messageOf(cause) })
  let identity = options.distinctId ?? null

  const markerOf = (
    eventName: string,
    properties: Readonly<Record<string, MarkerValue>> | undefined,
    given: MarkerOptions
  ): Marker => {
    const distinctId = given.distinctId ?? identity
    const sessionId = given.sessionId ?? options.sessionId
    return {
      markerId: given.markerId ?? newMarkerId(),
      timestamp: given.timestamp ?? Date.now(),
      eventName,
      ...(distinctId === null ? {} : { distinctId }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(properties === undefined ? {} : { properties: { ...properties } })
    }
  }

  return {
    track: (eventName, properties, given = {}) => queue.add(markerOf(eventName, properties, given)),
    identify: (distinctId) => {
      identity = distinctId
    },
    configuration: (wanted) => {
      const made = new RemoteConfiguration(wanted, setting)
      configurations.add(made)
      return made
    },
    evaluate: (question, knownHash) =>
      askEvaluation(transport, question, knownHash).then((reply) => toldBy(reply, evaluationOf, onProblem)),
    runningExperiments: (unitType, knownHash) =>
      askExperiments(transport, unitType, knownHash).then((reply) => toldBy(reply, runningExperimentsOf, onProblem)),
    recall: (name) =>
      storage.read(name).catch((cause) => {
        toldStorage(cause)
        return null
      }),
    keep: (name, text) => storage.write(name, text).catch(toldStorage),
    waiting: () => queue.length,
    stored: () => queue.stored(),
    flush: () => queue.flush(),
    leave: () => queue.leave(),
    close: async () => {
      for (const each of configurations) each.close()
      await queue.close()
      await storage.close().catch(toldStorage)
    }
  }
}
