import { useMutation } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useEffect } from "react"
import { Link } from "wouter"
import { call } from "../api/client.ts"
import { Entrance } from "./Entrance.tsx"
import { Refused } from "./Refused.tsx"
import { Button } from "../ui/Button.tsx"

/** Where the link for another password leads. Its token stands behind #, which no server and no log sees. */
export const ResetPassword = () => {
  const token = window.location.hash.slice(1)
  useEffect(() => {
    document.title = "New password · Gamekeeper"
  }, [])
  const choose = useMutation({
    mutationFn: (password: string) => call("passwordResets.use", { body: { token, password } })
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    choose.mutate(String(new FormData(event.currentTarget).get("password")))
  }
  if (choose.isSuccess) {
    return (
      <Entrance
        title="You have a new password"
        lead="You were signed out wherever you were signed in, and passkeys are forgotten."
      >
        <div className="row">
          <Link className="button button-primary button-large" href="/signin">
            Sign in
          </Link>
        </div>
      </Entrance>
    )
  }
  return (
    <Entrance
      title="Choose a new password"
      lead="The link works once. You are signed out everywhere afterwards, and passkeys are forgotten."
    >
      {token === "" ? (
        <p className="form-error" role="alert">
          This address is not whole: open the link exactly as you were given it.
        </p>
      ) : (
        <form onSubmit={submit}>
          <label className="field">
            New password
            <input
              name="password"
              type="password"
              autoComplete="new-password"
              required
              minLength={8}
              maxLength={256}
              aria-describedby="password-help"
            />
            <small id="password-help">At least 8 characters</small>
          </label>
          <Refused error={choose.error} />
          <Button type="submit" className="button button-primary button-large" disabled={choose.isPending}>
            {choose.isPending ? "Saving …" : "Save the password"}
          </Button>
        </form>
      )}
    </Entrance>
  )
}
