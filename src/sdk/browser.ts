// `gamekeeper/sdk` in browsers.
import { type Client, createClient as create } from "./Client.ts"
import { type DatabaseFactory, indexedDbStorage } from "./IndexedDbStorage.ts"
import type { ClientOptions } from "./Options.ts"
import { addressOf, environmentOf } from "./Transport.ts"

export type { Client, MarkerOptions, MarkerProperties } from "./Client.ts"
export type { DatabaseFactory } from "./IndexedDbStorage.ts"
export type { Assignment, Evaluation, PropertyValue, EvaluationQuestion, Unit } from "./Evaluation.ts"
export type { Marker, MarkerValue } from "./Marker.ts"
export type { Notice } from "./NoticeStream.ts"
export type { ClientOptions } from "./Options.ts"
export type { OnProblem, Problem } from "./Problem.ts"
export type { ConfigurationOptions, RemoteConfiguration } from "./RemoteConfiguration.ts"
export type { ExperimentChange, ExperimentGroup, RunningExperiment, RunningExperiments } from "./RunningExperiments.ts"
export { indexedDbStorage } from "./IndexedDbStorage.ts"
export { memoryStorage, type Storage } from "./Storage.ts"
export type { Told } from "./Told.ts"

interface Page {
  readonly visibilityState: string
  readonly addEventListener: (type: string, listener: () => void) => void
  readonly removeEventListener: (type: string, listener: () => void) => void
}

/**
 * The cache of the browser would hold each answer by an address that names what was known before, and give it back in the place of a 304 once
 * that is published again. Types of Node have no such field.
 */
const pastCache = { cache: "no-store" } as const

const sendPastCache: typeof fetch = (input, init) => fetch(input, { ...init, ...pastCache })

/** The databases of the browser; none where a page is not even allowed to ask for them. */
const databases = (): DatabaseFactory | undefined => {
  try {
    return Reflect.get(globalThis, "indexedDB")
  } catch {
    return undefined
  }
}

/** A client for a page: it keeps what waits in IndexedDB, and sends once more when the page is hidden. */
export const createClient = (options: ClientOptions): Client => {
  const factory = databases()
  const page: Page | undefined = Reflect.get(globalThis, "document")
  // Games and their environments may share a site, and so its databases.
  const address = typeof options.url === "string" ? addressOf(options) : ""
  const name = `gamekeeper ${address} ${environmentOf(options)}`
  const storage = options.storage ?? (factory === undefined ? undefined : indexedDbStorage(factory, name))
  const send = options.fetch ?? sendPastCache
  const client = create({ ...options, fetch: send, ...(storage === undefined ? {} : { storage }) })
  const onVisibility = () => {
    if (page?.visibilityState === "hidden") client.leave()
  }
  page?.addEventListener("visibilitychange", onVisibility)
  const close = () => {
    page?.removeEventListener("visibilitychange", onVisibility)
    return client.close()
  }
  return { ...client, close }
}
