import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { Link, useLocation } from "wouter"
import { call } from "../api/client.ts"
import { isUnauthenticated } from "../api/Failure.ts"
import { useMe } from "../api/queries.ts"
import { Failed, Skeleton } from "../ui/States.tsx"
import { Entrance } from "./Entrance.tsx"
import { Refused } from "./Refused.tsx"
import { Button } from "../ui/Button.tsx"

const Strangers = ({ back }: { readonly back: string }) => (
  <>
    <p>Sign in with the e-mail address that was invited, or create an account with it. You come back here.</p>
    <div className="row">
      <Link className="button button-primary" href={`/signin?to=${encodeURIComponent(back)}`}>
        Sign in
      </Link>
      <Link className="button" href={`/signup?to=${encodeURIComponent(back)}`}>
        Create an account
      </Link>
    </div>
  </>
)

/** Where the link of an invitation leads. */
export const Invitation = ({ token }: { readonly token: string }) => {
  const me = useMe()
  const client = useQueryClient()
  const [path, navigate] = useLocation()
  useEffect(() => {
    document.title = "Invitation · Gamekeeper"
  }, [])
  const accept = useMutation({
    mutationFn: () => call("invitations.accept", { path: { token } }),
    onSuccess: async ({ applications }) => {
      await client.invalidateQueries()
      const first = applications.at(0)
      navigate(first === undefined ? "/" : `/p/${first.id}/production`)
    }
  })
  return (
    <Entrance title="You are invited" lead="to work on an organization's games">
      {isUnauthenticated(me.error) ? (
        <Strangers back={path} />
      ) : me.error !== null ? (
        <Failed error={me.error} retry={() => void me.refetch()} />
      ) : me.data === undefined ? (
        <Skeleton height={80} />
      ) : (
        <>
          <p>
            You are signed in as <b>{me.data.email}</b>. The invitation is for one address: if it is another one,{" "}
            <Link href={`/signin?add=1&to=${encodeURIComponent(path)}`}>sign in with that</Link>.
          </p>
          <Refused error={accept.error} />
          <Button
            type="button"
            className="button button-primary button-large"
            disabled={accept.isPending}
            onClick={() => accept.mutate()}
          >
            Accept the invitation
          </Button>
        </>
      )}
    </Entrance>
  )
}
