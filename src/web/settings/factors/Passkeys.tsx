import { useState } from "react"
import { hasAuthenticators } from "../../account/Authenticator.ts"
import { call } from "../../api/client.ts"
import { usePasskeyPolicy } from "../../api/queries.ts"
import { ConfirmDialog } from "../../ui/dialogs/ConfirmDialog.tsx"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { Failed, Skeleton } from "../../ui/States.tsx"
import { useChange, usePasskeys, useSecondFactor } from "../AccessQueries.ts"
import { Section } from "../Section.tsx"
import { AddPasskey } from "./AddPasskey.tsx"

interface Removed {
  readonly id: number
  readonly name: string
}

const RemovePasskey = ({ passkey, onClose }: { readonly passkey: Removed; readonly onClose: () => void }) => {
  const remove = useChange(() => call("passkeys.remove", { path: { passkeyId: passkey.id } }), ["passkeys"], onClose)
  return (
    <ConfirmDialog
      title={`Forget the passkey ${passkey.name}?`}
      action="Forget it"
      error={remove.error}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      <p>Nobody signs in with it any more. The device keeps it until you remove it there too.</p>
    </ConfirmDialog>
  )
}

/** Keys with which this person signs in without a password. */
export const Passkeys = ({ email }: { readonly email: string }) => {
  const [isAdding, setIsAdding] = useState(false)
  const [removed, setRemoved] = useState<Removed | null>(null)
  const policy = usePasskeyPolicy()
  const passkeys = usePasskeys()
  const factor = useSecondFactor()
  const denied =
    policy.isPending || factor.isPending
      ? "One moment: the server is asked whether passkeys work here."
      : policy.data?.available === false
        ? "Passkeys need an https address of the server with a domain: its operator sets it by --public-url."
        : hasAuthenticators()
          ? null
          : "This browser knows no passkeys."
  return (
    <Section
      title="Passkeys"
      action={
        <DeniableButton denied={denied} isBusy={false} onClick={() => setIsAdding(true)}>
          Add a passkey
        </DeniableButton>
      }
    >
      {passkeys.data === undefined ? (
        passkeys.error === null ? (
          <Skeleton height={64} />
        ) : (
          <Failed error={passkeys.error} retry={() => void passkeys.refetch()} />
        )
      ) : passkeys.data.length === 0 ? (
        <p className="faint">
          With a passkey you sign in by finger, face or PIN of your device, without a password and without a code.
        </p>
      ) : (
        <ul className="entries">
          {passkeys.data.map(({ id, name, createdAt, lastUsedAt }) => (
            <li key={id}>
              <span>
                <b>{name}</b>
                <small className="faint">
                  added <Moment at={createdAt} of="person" /> ·{" "}
                  {lastUsedAt === null ? (
                    "never used"
                  ) : (
                    <>
                      last used <Moment at={lastUsedAt} of="person" />
                    </>
                  )}
                </small>
              </span>
              <button
                type="button"
                className="button button-small"
                aria-label={`Forget ${name}`}
                onClick={() => setRemoved({ id, name })}
              >
                Forget
              </button>
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <AddPasskey
          email={email}
          asksCode={factor.data !== undefined && factor.data.confirmedAt !== null}
          onClose={() => setIsAdding(false)}
        />
      )}
      {removed !== null && <RemovePasskey passkey={removed} onClose={() => setRemoved(null)} />}
    </Section>
  )
}
