import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useLocation } from "wouter"
import { call } from "../api/client.ts"
import { factorDemand } from "../api/Refusal.ts"
import { askAnew, tell } from "../api/Session.ts"
import { useSecondFactor } from "../settings/AccessQueries.ts"
import { SetUp } from "../settings/factors/SetUp.tsx"
import { Button } from "../ui/Button.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"

/** Stands in the place of pages whose organization wants more than a password: sets an authenticator up, or leads to another sign-in. */
export const FactorDemanded = ({ email }: { readonly email: string }) => {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const factor = useSecondFactor()
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    factorDemand.settle()
    return askAnew(client)
  }
  const leave = useMutation({
    mutationFn: () => call("accounts.signOut", {}),
    onSuccess: () => {
      tell("left")
      client.clear()
      navigate("/signin")
    }
  })
  const hasApp = factor.data !== undefined && factor.data.confirmedAt !== null
  return (
    <main className="alone">
      <div className="empty">
        <h1>A second factor is needed</h1>
        {factor.data === undefined ? (
          factor.error === null ? (
            <Skeleton height={64} />
          ) : (
            <Failed error={factor.error} retry={() => void factor.refetch()} />
          )
        ) : (
          <>
            <p>
              Your organization lets nobody in who has shown a password alone.{" "}
              {hasApp
                ? "Sign in again with a code of your authenticator app."
                : "Set up an authenticator app now, which takes a minute; or sign in with a passkey or through your provider, if you have either."}
            </p>
            <div className="row">
              {!hasApp && (
                <button type="button" className="button button-primary" onClick={() => setOpen(true)}>
                  Set up an app
                </button>
              )}
              <Button type="button" className="button" disabled={leave.isPending} onClick={() => leave.mutate()}>
                Sign in in another way
              </Button>
            </div>
          </>
        )}
        <p className="form-error" role="alert">
          {leave.error?.message}
        </p>
      </div>
      {isOpen && <SetUp email={email} onClose={() => void close()} />}
    </main>
  )
}
