import { askEvaluation, type Evaluation, evaluationOf, type EvaluationQuestion, type Unit } from "./Evaluation.ts"
import { type Marker, type MarkerValue, takenOf } from "./Marker.ts"
import { newMarkerId } from "./MarkerId.ts"
import { MarkerQueue } from "./MarkerQueue.ts"
import { type Notice, NoticeStream } from "./NoticeStream.ts"
import { type ClientOptions, hindranceIn, numberIn, strangersIn, wrongNumbersIn } from "./Options.ts"
import { messageOf, telling } from "./Problem.ts"
import { type ConfigurationOptions, RemoteConfiguration } from "./RemoteConfiguration.ts"
import { askExperiments, type RunningExperiments, runningExperimentsOf } from "./RunningExperiments.ts"
import { answeringStorage, memoryStorage } from "./Storage.ts"
import { type Told, toldBy } from "./Told.ts"
import { within } from "./Timer.ts"
import { environmentOf, makeTransport, type Transport } from "./Transport.ts"

/** An object of values, which may be an interface: those that `gamekeeper types` makes are no `Record`. */
export type MarkerProperties<Properties> = { readonly [Name in keyof Properties]: MarkerValue }

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
  readonly track: <Properties extends MarkerProperties<Properties>>(
    eventName: string,
    properties?: Properties,
    options?: MarkerOptions
  ) => boolean
  /** Whom markers belong to from now on; null for nobody. */
  readonly identify: (distinctId: string | null) => void
  /** The values of a configuration, kept up to date. Ask for it where its values are used first: for a unit, this records its exposure. */
  readonly configuration: <Values extends object>(options: ConfigurationOptions<Values>) => RemoteConfiguration<Values>
  /** What the server says of a configuration now, once. For a unit, this records its exposure. */
  readonly evaluate: (question: EvaluationQuestion, knownHash?: string) => Promise<Told<Evaluation>>
  /** The experiments that run now, with the paths that they change. */
  readonly runningExperiments: (unitType: Unit["type"], knownHash?: string) => Promise<Told<RunningExperiments>>
  /** Calls back when something was published, until the function that it returns is called; never without `stream`. */
  readonly onNotice: (listener: (notice: Notice) => void) => () => void
  /** The text that `keep` has kept under this name in this environment, also before a restart; null where there is none. */
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
  /** Sends what waits, for at most `closeSeconds`, then ends timers and requests. What is left stays in the storage for the next client. */
  readonly close: () => Promise<void>
}

const unable =
  (reason: string): Transport =>
  async () => ({ isReached: false, reason, isFinal: true })

/** A client of a Gamekeeper server. */
export const createClient = (options: ClientOptions): Client => {
  const flushSeconds = numberIn(options, "flushSeconds")
  const mostWaiting = numberIn(options, "mostWaiting")
  const timeoutMillis = numberIn(options, "timeoutMillis")
  const storage = answeringStorage(options.storage ?? memoryStorage())
  const onProblem = telling(options.onProblem ?? (() => undefined))
  const closeMillis = numberIn(options, "closeSeconds") * 1000
  const chance = () => Math.random()
  const hindrance = hindranceIn(options)
  const ending = new AbortController()
  const transport = hindrance === null ? makeTransport({ ...options, timeoutMillis }, ending.signal) : unable(hindrance)
  const notices =
    options.stream === true && hindrance === null ? new NoticeStream(options, { onProblem, chance }) : null
  const setting = { storage, onProblem, transport, chance, notices }
  const queue = new MarkerQueue({ ...setting, flushSeconds, mostWaiting, hangUp: () => ending.abort() })
  const configurations = new Set<{ close: () => void }>()
  // Whoever is told has the client by then.
  queueMicrotask(() => {
    const wrong = [...strangersIn(options), ...wrongNumbersIn(options)]
    for (const message of [...wrong, ...(hindrance === null ? [] : [hindrance])])
      onProblem({ kind: "invalid", message })
  })
  const toldStorage = (cause: unknown) => onProblem({ kind: "storage", message: messageOf(cause) })
  const environment = environmentOf(options)
  /** Each environment has texts of its own. */
  const kept = (name: string) => (environment === "production" ? name : `${environment} ${name}`)
  let identity = options.distinctId ?? null

  const markerOf = (eventName: string, given: MarkerOptions): Omit<Marker, "properties"> => {
    const distinctId = given.distinctId ?? identity
    const sessionId = given.sessionId ?? options.sessionId
    return {
      markerId: given.markerId ?? newMarkerId(),
      timestamp: given.timestamp ?? Date.now(),
      eventName,
      ...(distinctId === null ? {} : { distinctId }),
      ...(sessionId === undefined ? {} : { sessionId })
    }
  }

  let closed: Promise<void> | null = null
  const close = async () => {
    for (const each of configurations) each.close()
    notices?.end()
    await queue.close(closeMillis)
    await within(storage.close().catch(toldStorage), closeMillis)
  }

  return {
    track: (eventName, properties, given) => {
      const taken = takenOf(markerOf(eventName, given ?? {}), properties)
      if (!("flaw" in taken)) return queue.add(taken)
      onProblem({ kind: "rejected", message: taken.flaw })
      return false
    },
    identify: (distinctId) => {
      identity = distinctId
    },
    configuration: (wanted) => {
      const onClose = () => void configurations.delete(made)
      const made = new RemoteConfiguration(wanted, { ...setting, environment, onClose })
      configurations.add(made)
      // One that is made too late tells once that nobody can be asked.
      if (closed !== null) void made.ready.then(() => made.close())
      return made
    },
    evaluate: (question, knownHash) =>
      askEvaluation(transport, question, knownHash).then((reply) => toldBy(reply, evaluationOf, onProblem)),
    runningExperiments: (unitType, knownHash) =>
      askExperiments(transport, unitType, knownHash).then((reply) => toldBy(reply, runningExperimentsOf, onProblem)),
    onNotice: (listener) => (notices === null ? () => undefined : notices.listen(listener)),
    recall: (name) =>
      storage.read(kept(name)).catch((cause) => {
        toldStorage(cause)
        return null
      }),
    keep: (name, text) => storage.write(kept(name), text).catch(toldStorage),
    waiting: () => queue.length,
    stored: () => queue.stored(),
    flush: () => queue.flush(),
    leave: () => queue.leave(),
    close: () => (closed ??= close())
  }
}
