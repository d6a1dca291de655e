// `gamekeeper/sdk` in Node: for servers of games, tools and tests.
import { type Client, createClient as create } from "./Client.ts"
import type { ClientOptions } from "./Options.ts"

export type { Client, MarkerOptions, MarkerProperties } from "./Client.ts"
export { fileStorage } from "./FileStorage.ts"
export type { Assignment, Evaluation, PropertyValue, EvaluationQuestion, Unit } from "./Evaluation.ts"
export type { Marker, MarkerValue } from "./Marker.ts"
export type { Notice } from "./NoticeStream.ts"
export type { ClientOptions } from "./Options.ts"
export type { OnProblem, Problem } from "./Problem.ts"
export type { ConfigurationOptions, RemoteConfiguration } from "./RemoteConfiguration.ts"
export type { ExperimentChange, ExperimentGroup, RunningExperiment, RunningExperiments } from "./RunningExperiments.ts"
export { memoryStorage, type Storage } from "./Storage.ts"
export type { Told } from "./Told.ts"

const open = new Set<Client>()

const closeAll = () => {
  for (const each of open) void each.close()
}

/** A client for Node: a process that has nothing left to do sends what waits before it ends, as `close` does. */
export const createClient = (options: ClientOptions): Client => {
  const client = create(options)
  if (open.size === 0) process.on("beforeExit", closeAll)
  const close = () => {
    open.delete(own)
    if (open.size === 0) process.off("beforeExit", closeAll)
    return client.close()
  }
  const own = { ...client, close }
  open.add(own)
  return own
}
