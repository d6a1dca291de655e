import type { Mutation } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import { ApiFailure, isOffline, toldInToast } from "../api/Failure.ts"
import { meQuery, queryClient } from "../api/queries.ts"

/** A change that failed after its page or dialog was left, where it would have been told, or that has no such place. */
export interface LeftChange {
  readonly id: number
  /** The id of who made it: another person may sign in where this one has signed out. */
  readonly userId: string | undefined
  /** Title of the page on which it was made. */
  readonly page: string
  readonly message: string
}

let failed: ReadonlyArray<LeftChange> = []
const listeners = new Set<() => void>()

const set = (next: ReadonlyArray<LeftChange>): void => {
  failed = next
  for (const listener of listeners) listener()
}

/** Changes that are under way, each with the title of its page and how many components wait for it. */
const underWay = new WeakMap<Mutation, { readonly page: string; watchers: number }>()

/** One failure may be that of two changes, of which one begins the other. */
const told = new WeakSet<Error>()

const tell = ({ mutationId: id }: Mutation, page: string, error: Error): void => {
  if (told.has(error)) return
  told.add(error)
  const userId = queryClient.getQueryData(meQuery.queryKey)?.id
  set([...failed, { id, userId, page, message: error.message }])
}

/** Whether the server may have done what it was asked all the same: nobody has heard what it answered. */
const isUnheard = (error: Error): boolean =>
  isOffline(error) || (error instanceof ApiFailure && error.statusCode >= 502 && error.statusCode <= 504)

let isWatching = false

/** Watches all changes from now on, whichever page is shown. */
export const watchChanges = (): void => {
  if (isWatching) return
  isWatching = true
  queryClient.getMutationCache().subscribe((event) => {
    const { mutation } = event
    if (mutation === undefined) return
    if (event.type === "added") underWay.set(mutation, { page: document.title, watchers: 0 })
    const change = underWay.get(mutation)
    if (change === undefined) return
    if (event.type === "observerAdded") change.watchers++
    if (event.type === "observerRemoved") change.watchers--
    if (event.type !== "updated" || event.action.type !== "error") return
    if (isUnheard(event.action.error)) void queryClient.invalidateQueries()
    if (change.watchers === 0 || mutation.meta === toldInToast) tell(mutation, change.page, event.action.error)
  })
}

export const dismiss = (id: number): void => set(failed.filter((each) => each.id !== id))

const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Failures that nobody has put away yet, whoever made the changes. */
export const useLeftChanges = (): ReadonlyArray<LeftChange> => useSyncExternalStore(listen, () => failed)
