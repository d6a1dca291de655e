import { useState } from "react"
import { Moment } from "../../ui/Moment.tsx"
import { Callout, Failed, Skeleton } from "../../ui/States.tsx"
import { useSecondFactor } from "../AccessQueries.ts"
import { Section } from "../Section.tsx"
import { ProveBoth } from "./ProveBoth.tsx"
import { SetUp } from "./SetUp.tsx"

/** So few recovery codes left are worth a word. */
const few = 3

type Open = "set up" | "codes" | "remove" | null

/** The authenticator app whose codes this person's sign-ins ask for. */
export const SecondFactor = ({ email }: { readonly email: string }) => {
  const [open, setOpen] = useState<Open>(null)
  const factor = useSecondFactor()
  if (factor.data === undefined) {
    return (
      <Section title="Second factor">
        {factor.error === null ? (
          <Skeleton height={64} />
        ) : (
          <Failed error={factor.error} retry={() => void factor.refetch()} />
        )}
      </Section>
    )
  }
  const { confirmedAt, recoveryCodesLeft } = factor.data
  const close = () => setOpen(null)
  return (
    <Section title="Second factor">
      {confirmedAt === null ? (
        <>
          <p>
            With an authenticator app, a sign-in asks for a code of the app beside the password: whoever has found out
            the password cannot get in with it.
          </p>
          <div className="row">
            <button type="button" className="button" onClick={() => setOpen("set up")}>
              Set up an app
            </button>
          </div>
        </>
      ) : (
        <>
          <p>
            Sign-ins ask for a code of your authenticator app since <Moment at={confirmedAt} of="person" />.{" "}
            {recoveryCodesLeft === 1 ? "One recovery code is left." : `${recoveryCodesLeft} recovery codes are left.`}
          </p>
          {recoveryCodesLeft <= few && (
            <Callout>Make new recovery codes: without app and codes, only an administrator lets you back in.</Callout>
          )}
          <div className="row">
            <button type="button" className="button" onClick={() => setOpen("codes")}>
              New recovery codes
            </button>
            <button type="button" className="button" onClick={() => setOpen("remove")}>
              Take it away
            </button>
          </div>
        </>
      )}
      {open === "set up" && <SetUp email={email} onClose={close} />}
      {(open === "codes" || open === "remove") && <ProveBoth what={open} email={email} onClose={close} />}
    </Section>
  )
}
