import { useMutation } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useEffect } from "react"
import { Link } from "wouter"
import { call } from "../api/client.ts"
import { EmailField, Entrance } from "./Entrance.tsx"
import { Refused } from "./Refused.tsx"
import { Button } from "../ui/Button.tsx"

/** Asks for the address that a link for another password is mailed to. */
export const ForgotPassword = () => {
  useEffect(() => {
    document.title = "Lost password · Gamekeeper"
  }, [])
  const request = useMutation({
    mutationFn: (email: string) => call("passwordResets.request", { body: { email } })
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    request.mutate(String(new FormData(event.currentTarget).get("email")))
  }
  if (request.isSuccess) {
    return (
      <Entrance
        title="Look into your mail"
        lead={`If ${request.variables} has an account, a link is on its way there.`}
      >
        <p>It works once, within an hour. Nothing came? Look among the unwanted mails, or try another address.</p>
        <div className="row">
          <Link className="button button-large" href="/signin">
            Back to the sign-in
          </Link>
          <button type="button" className="button button-quiet button-large" onClick={() => request.reset()}>
            Another address
          </button>
        </div>
      </Entrance>
    )
  }
  return (
    <Entrance title="Lost password" lead="We mail you a link to choose another one.">
      <form onSubmit={submit}>
        <EmailField />
        <Refused error={request.error} />
        <Button type="submit" className="button button-primary button-large" disabled={request.isPending}>
          {request.isPending ? "Sending …" : "Mail me a link"}
        </Button>
      </form>
      <p className="lead">
        <Link href="/signin">Back to the sign-in</Link>
      </p>
    </Entrance>
  )
}
