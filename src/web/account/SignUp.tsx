import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useEffect } from "react"
import { Link, useLocation, useSearch } from "wouter"
import { call } from "../api/client.ts"
import { ApiFailure } from "../api/Failure.ts"
import { Callout } from "../ui/States.tsx"
import { useSignUpPolicy } from "../api/queries.ts"
import { tell } from "../api/Session.ts"
import { EmailField, Entrance } from "./Entrance.tsx"
import { Refused } from "./Refused.tsx"
import { destinationOf } from "./Words.ts"
import { Button } from "../ui/Button.tsx"

interface Form {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** Signs up and in: the first sign-in gives a new person an organization with a project. */
const enter = async ({ name, email, password }: Form) => {
  await call("accounts.signUp", { body: { name, email, password, motive: "" } })
  const { organizations } = await call("accounts.signIn", { body: { email, password } })
  return organizations.flatMap(({ applications }) => applications).at(0)?.id ?? null
}

const isClosed = (error: Error | null): boolean => error instanceof ApiFailure && error.code === "SIGN_UP_CLOSED"

const policyText = {
  open: "Everybody who reaches this server may create an account.",
  invited: "Use the e-mail address that was invited.",
  off: "Nobody can sign up on this server: its operator creates accounts."
} as const

const firstText = "This is the first account of this server, and owns its first studio."

export const SignUp = () => {
  const client = useQueryClient()
  const search = useSearch()
  const [, navigate] = useLocation()
  const { signUp: policy, isNew } = useSignUpPolicy().data ?? {}
  useEffect(() => {
    document.title = "Create an account · Gamekeeper"
  }, [])
  const signUp = useMutation({
    mutationFn: enter,
    onSuccess: (applicationId) => {
      tell("left")
      client.clear()
      navigate(destinationOf(search, applicationId === null ? "/" : `/p/${applicationId}/production/setup`))
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    signUp.mutate({
      name: String(form.get("name")),
      email: String(form.get("email")),
      password: String(form.get("password"))
    })
  }
  return (
    <Entrance title="Create an account" lead="It lives on this server and nowhere else.">
      {isClosed(signUp.error) && <Callout tone="bad">{signUp.error?.message}.</Callout>}
      <form onSubmit={submit}>
        <label className="field">
          Name
          <input name="name" autoComplete="name" required maxLength={100} />
        </label>
        <EmailField />
        <label className="field">
          Password
          <input
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={8}
            aria-describedby="password-help"
          />
          <small id="password-help">At least 8 characters</small>
        </label>
        <Refused error={isClosed(signUp.error) ? null : signUp.error} />
        <Button type="submit" className="button button-primary button-large" disabled={signUp.isPending}>
          {signUp.isPending ? "Creating the account …" : "Create the account"}
        </Button>
      </form>
      <p className="lead">
        {policy === undefined ? null : isNew === true && policy === "open" ? firstText : policyText[policy]}
      </p>
      <p className="lead">
        Have an account? <Link href={`/signin${search === "" ? "" : `?${search}`}`}>Sign in</Link>
      </p>
    </Entrance>
  )
}
