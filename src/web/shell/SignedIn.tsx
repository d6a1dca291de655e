import { useQueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useEffect } from "react"
import { Redirect, useLocation, useSearch } from "wouter"
import { isUnauthenticated } from "../api/Failure.ts"
import { useMe } from "../api/queries.ts"
import { factorDemand, sessionEnd } from "../api/Refusal.ts"
import { askAnew, hear } from "../api/Session.ts"
import { loadable } from "../ui/Loadable.tsx"
import { Unanswered } from "./InsteadOfPage.tsx"

const SignInAgain = loadable(() =>
  import("../account/SignInAgain.tsx").then((chunk) => ({ default: chunk.SignInAgain }))
)

const FactorDemanded = loadable(() =>
  import("../account/FactorDemanded.tsx").then((chunk) => ({ default: chunk.FactorDemanded }))
)

/**
 * Shows its children to who is signed in, and sends everybody else to the sign-in, which leads back. Who was signed in a moment ago signs
 * in again over the page, so that nothing unsaved is lost.
 */
export const SignedIn = ({ children }: { readonly children: ReactNode }) => {
  const me = useMe()
  const client = useQueryClient()
  const hasEnded = sessionEnd.useIsMet()
  const isDemanded = factorDemand.useIsMet()
  const [path, navigate] = useLocation()
  const search = useSearch()
  const { refetch } = me
  const id = me.data?.id
  useEffect(
    () =>
      hear((news) => {
        const leave = () => {
          client.clear()
          navigate("/")
        }
        if (news === "left") leave()
        // Another person may have signed in there, for whom what this tab shows is not.
        else void refetch().then(({ data }) => ((id ?? data?.id) === data?.id ? askAnew(client) : leave()))
      }),
    [client, id, navigate, refetch]
  )
  if (me.data !== undefined && isDemanded) return <FactorDemanded email={me.data.email} />
  if (me.data !== undefined) {
    return (
      <>
        {children}
        {hasEnded && <SignInAgain email={me.data.email} />}
      </>
    )
  }
  if (isUnauthenticated(me.error)) {
    const back = path === "/" ? "" : `?to=${encodeURIComponent(search === "" ? path : `${path}?${search}`)}`
    return <Redirect to={`/signin${back}`} replace />
  }
  return <Unanswered error={me.error} retry={() => void me.refetch()} />
}
