import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useEffect } from "react"
import { Link, useLocation, useSearch } from "wouter"
import { call } from "../api/client.ts"
import { useOidcPolicy, usePasswordResetWays, useSignUpPolicy } from "../api/queries.ts"
import { tell } from "../api/Session.ts"
import { CodeField, codeIn, useCodeStep } from "./CodeField.tsx"
import { EmailField, Entrance } from "./Entrance.tsx"
import { PasskeyButton } from "./PasskeyButton.tsx"
import { Provider } from "./Provider.tsx"
import { Refused, RefusedArrival } from "./Refused.tsx"
import { destinationOf } from "./Words.ts"
import { Button } from "../ui/Button.tsx"

/** The way to an account of one's own, where the server would give one. */
const NewHere = ({ search }: { readonly search: string }) => {
  const { signUp: policy, isNew } = useSignUpPolicy().data ?? {}
  const isInvited = destinationOf(search, "/").startsWith("/invite/")
  if (policy === "open" || (policy === "invited" && isInvited)) {
    return (
      <p className="lead">
        New here? <Link href={`/signup${search === "" ? "" : `?${search}`}`}>Create an account</Link>
      </p>
    )
  }
  return (
    <p className="lead">
      {policy === "invited" && isNew !== true && "New here? Ask a member of your studio for an invitation."}
      {policy === "off" && isNew !== true && "New here? The operator of this server creates accounts."}
      {isNew === true && "Nobody has an account here yet: the operator of this server makes the first one."}
    </p>
  )
}

/** The way back for who has lost the password. */
const LostPassword = () => {
  const ways = usePasswordResetWays().data
  if (ways === undefined) return null
  return (
    <p className="lead">
      {ways.byMail ? (
        <Link href="/forgot-password">Lost the password?</Link>
      ) : (
        "Lost the password? An owner or administrator of your studio can make you a link to choose another one."
      )}
    </p>
  )
}

/** Leads from the sign-in to the page that somebody wanted. */
const useEntered = (search: string): (() => void) => {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  return () => {
    // Other tabs of this browser have another account before them now, or were waiting for one.
    tell(new URLSearchParams(search).has("add") ? "left" : "signed in")
    client.clear()
    navigate(destinationOf(search, "/"))
  }
}

/** The form for a password; folded up where passwords are for the owners of the server alone. */
const ByPassword = ({ search }: { readonly search: string }) => {
  const entered = useEntered(search)
  const [asksCode, onRefused] = useCodeStep()
  const signIn = useMutation({
    mutationFn: (body: { readonly email: string; readonly password: string; readonly code?: string }) =>
      call("accounts.signIn", { body }),
    onError: onRefused,
    onSuccess: entered
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    signIn.mutate({ email: String(form.get("email")), password: String(form.get("password")), ...codeIn(form) })
  }
  return (
    <form onSubmit={submit}>
      <EmailField />
      <label className="field">
        Password
        <input name="password" type="password" autoComplete="current-password" required />
      </label>
      {asksCode && <CodeField />}
      <Refused error={signIn.error} />
      <Button type="submit" className="button button-primary button-large" disabled={signIn.isPending}>
        {signIn.isPending ? "Signing in …" : "Sign in"}
      </Button>
    </form>
  )
}

export const SignIn = () => {
  const search = useSearch()
  const policy = useOidcPolicy().data
  const provider = policy?.name ?? null
  const signUp = useSignUpPolicy().data
  useEffect(() => {
    document.title = "Sign in · Gamekeeper"
  }, [])
  const entered = useEntered(search)
  const byPassword = (
    <>
      <ByPassword search={search} />
      <PasskeyButton onSignedIn={entered} />
      <LostPassword />
    </>
  )
  if (provider !== null && policy?.only === true) {
    return (
      <Entrance title="Sign in" lead="to your studio's live-ops">
        <RefusedArrival search={search} />
        <Provider name={provider} returnTo={destinationOf(search, "/")} />
        <details>
          <summary>Owners of this server sign in with a password</summary>
          {byPassword}
        </details>
      </Entrance>
    )
  }
  if (signUp?.isNew === true && signUp.signUp === "open" && provider === null) {
    return (
      <Entrance title="Welcome" lead="Nobody has an account on this server yet. Whoever makes the first one owns it.">
        <RefusedArrival search={search} />
        <Link href={`/signup${search === "" ? "" : `?${search}`}`} className="button button-primary button-large">
          Create the first account
        </Link>
        <details>
          <summary>I have an account</summary>
          {byPassword}
        </details>
      </Entrance>
    )
  }
  return (
    <Entrance title="Sign in" lead="to your studio's live-ops">
      <RefusedArrival search={search} />
      {byPassword}
      {provider !== null && <Provider name={provider} returnTo={destinationOf(search, "/")} />}
      <NewHere search={search} />
    </Entrance>
  )
}
