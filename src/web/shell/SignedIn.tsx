import type { ReactNode } from "react"
import { Redirect, useLocation, useSearch } from "wouter"
import { isUnauthenticated } from "../api/Failure.ts"
import { useMe } from "../api/queries.ts"
import { Failed, Skeleton } from "../ui/States.tsx"

/** Shows its children to who is signed in, and sends everybody else to the sign-in, which leads back. */
export const SignedIn = ({ children }: { readonly children: ReactNode }) => {
  const me = useMe()
  const [path] = useLocation()
  const search = useSearch()
  if (isUnauthenticated(me.error)) {
    const back = path === "/" ? "" : `?to=${encodeURIComponent(search === "" ? path : `${path}?${search}`)}`
    return <Redirect to={`/signin${back}`} replace />
  }
  if (me.data !== undefined) return children
  return (
    <main className="alone">
      {me.error === null ? <Skeleton /> : <Failed error={me.error} retry={() => void me.refetch()} />}
    </main>
  )
}
