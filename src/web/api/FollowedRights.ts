import { ApiFailure } from "./Failure.ts"
import { queryClient } from "./queries.ts"

/** The keys under which this person's rights are asked. */
const keys: ReadonlySet<unknown> = new Set(["permissions", "organizations"])

const askRights = (isAsked: (applicationId: unknown) => boolean): void =>
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [first, applicationId], state }) =>
      keys.has(first) && state.fetchStatus === "idle" && (applicationId === undefined || isAsked(applicationId))
  })

const inEveryProject = () => true

/** The pages of settings know the rights in every project of an organization, which may have hundreds. */
const inOpenProject = (applicationId: unknown): boolean =>
  window.location.pathname.split("/")[2] === String(applicationId)

const isRefused = (error: unknown): boolean => error instanceof ApiFailure && error.code === "FORBIDDEN"

const isLacking = (error: unknown): boolean => error instanceof ApiFailure && error.statusCode === 403

/**
 * Follows a role that somebody else changes while the page is open: this person's rights are asked again after a refusal, and those in the
 * project that is open when somebody comes back to the tab. Once they are others, what was refused or not asked for want of them is asked again. Answers what ends it.
 */
export const followRights = (): (() => void) => {
  const cache = queryClient.getQueryCache()
  const rights = cache.getAll().filter(({ queryKey: [first] }) => keys.has(first))
  const known = new Map<string, unknown>(rights.map(({ queryHash, state }) => [queryHash, state.data]))
  const onShown = () => {
    if (document.visibilityState === "visible") askRights(inOpenProject)
  }
  document.addEventListener("visibilitychange", onShown)
  const ends = [
    queryClient.getMutationCache().subscribe((event) => {
      if (event.type === "updated" && event.action.type === "error" && isRefused(event.action.error))
        askRights(inEveryProject)
    }),
    cache.subscribe((event) => {
      if (event.type !== "updated") return
      const { query, action } = event
      if (!keys.has(query.queryKey[0])) {
        if (action.type === "error" && isRefused(action.error)) askRights(inEveryProject)
        return
      }
      if (action.type !== "success") return
      const before = known.get(query.queryHash)
      known.set(query.queryHash, query.state.data)
      // What is the same as before stays the same object.
      if (before !== undefined && before !== query.state.data)
        void queryClient.invalidateQueries({ predicate: ({ state }) => isLacking(state.error) })
    })
  ]
  return () => {
    document.removeEventListener("visibilitychange", onShown)
    for (const end of ends) end()
  }
}
