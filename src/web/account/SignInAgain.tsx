import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useEffect, useRef } from "react"
import { Link } from "wouter"
import { call } from "../api/client.ts"
import { sessionEnd } from "../api/Refusal.ts"
import { askAnew, tell } from "../api/Session.ts"
import { CodeField, codeIn, useCodeStep } from "./CodeField.tsx"
import { useOidcPolicy } from "../api/queries.ts"
import { Provider } from "./Provider.tsx"
import { Refused } from "./Refused.tsx"
import { Button } from "../ui/Button.tsx"
import { useModal } from "../ui/dialogs/useModal.ts"
import "../theme/dialog.css"

/** The sign-in over a page whose session has ended. The page stays as it is, with everything that is not saved yet. */
export const SignInAgain = ({ email }: { readonly email: string }) => {
  const client = useQueryClient()
  const provider = useOidcPolicy().data?.name ?? null
  const dialog = useModal()
  const password = useRef<HTMLInputElement>(null)
  // A browser gives the focus to the address, where what is typed goes nowhere.
  useEffect(() => password.current?.focus(), [])
  const [asksCode, onRefused] = useCodeStep()
  const signIn = useMutation({
    mutationFn: (typed: { readonly password: string; readonly code?: string }) =>
      call("accounts.signIn", { body: { email, ...typed } }),
    onError: onRefused,
    onSuccess: () => {
      dialog.current?.close()
      tell("signed in")
      return askAnew(client)
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    signIn.mutate({ password: String(form.get("password")), ...codeIn(form) })
  }
  return (
    <dialog className="dialog" ref={dialog} aria-labelledby="again" onClose={sessionEnd.settle}>
      <form onSubmit={submit}>
        <h2 id="again">Sign in again</h2>
        <p className="faint">Your session has ended. The page beneath keeps what you have not saved.</p>
        <label className="field">
          E-mail
          <input name="email" type="email" autoComplete="username" value={email} readOnly />
        </label>
        <label className="field">
          Password
          <input ref={password} name="password" type="password" autoComplete="current-password" required />
        </label>
        {asksCode && <CodeField />}
        <Refused error={signIn.error} />
        <div className="row">
          <Button type="submit" className="button button-primary" disabled={signIn.isPending}>
            {signIn.isPending ? "Signing in …" : "Sign in"}
          </Button>
          <Link className="button button-quiet" href="/signin" onClick={() => client.clear()}>
            Somebody else
          </Link>
        </div>
        {provider !== null && (
          <Provider name={provider} returnTo={`${window.location.pathname}${window.location.search}`} />
        )}
      </form>
    </dialog>
  )
}
