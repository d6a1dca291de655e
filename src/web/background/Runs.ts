import type { QueryKey } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import { readStored, writeStored } from "../ui/Stored.ts"

/** A question that the server answers in the background. */
export interface Run {
  /** The id of who asked: another person may sign in where this one has signed out. */
  readonly userId: string
  readonly applicationId: number
  readonly environmentId: number
  readonly queryId: string
  readonly executionId: string
  /** The question in words. */
  readonly name: string
  /** The address of the question. */
  readonly href: string
  /** Under which key its page keeps the answer, and what the page asked. */
  readonly queryKey: QueryKey
  readonly asked: unknown
}

/** They outlast a reload of the tab, and no more: a question may name what is not for everybody at this machine. */
const storageName = "gamekeeper-background"

const stored = (): ReadonlyArray<Run> => {
  try {
    return JSON.parse(readStored("sessionStorage", storageName) ?? "[]")
  } catch {
    return []
  }
}

let runs = stored()
const listeners = new Set<() => void>()

const set = (next: ReadonlyArray<Run>): void => {
  runs = next
  writeStored("sessionStorage", storageName, JSON.stringify(next))
  for (const listener of listeners) listener()
}

export const addRun = (run: Run): void => set([...runs, run])

export const removeRun = (executionId: string): void => set(runs.filter((run) => run.executionId !== executionId))

const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What runs in the background for this tab, or did and has not been looked at, whoever asked. */
export const useRuns = (): ReadonlyArray<Run> => useSyncExternalStore(listen, () => runs)
