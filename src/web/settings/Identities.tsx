import { call } from "../api/client.ts"
import { useOidcPolicy } from "../api/queries.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"
import { useChange, useIdentities } from "./AccessQueries.ts"
import { Section } from "./Section.tsx"

const hostOf = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).host : issuer)

/** Who this person is at the provider; nothing on a server that knows none and never has. */
export const Identities = () => {
  const provider = useOidcPolicy().data?.name ?? null
  const found = useIdentities()
  const unlink = useChange((identityId: number) => call("openId.unlink", { path: { identityId } }), ["identities"])
  const identities = found.data?.identities ?? []
  if (provider === null && identities.length === 0) return null
  return (
    <Section title="Single sign-on">
      <p className="form-error" role="alert">
        {unlink.error?.message}
      </p>
      {found.data === undefined ? (
        found.error === null ? (
          <Skeleton height={48} />
        ) : (
          <Failed error={found.error} retry={() => void found.refetch()} />
        )
      ) : identities.length === 0 ? (
        <p className="faint">Sign in with {provider} once, and your account is linked to it.</p>
      ) : (
        <ul className="entries">
          {identities.map(({ id, issuer, email, createdAt, lastUsedAt }) => (
            <li key={id}>
              <span>
                <b>
                  {email} at {hostOf(issuer)}
                </b>
                <small className="faint">
                  since <Moment at={createdAt} of="person" /> · last used <Moment at={lastUsedAt} of="person" />
                </small>
              </span>
              <DeniableButton
                denied={found.data.hasPassword ? null : "Your account has no password: choose one by a link first."}
                label={`Unlink ${email} at ${hostOf(issuer)}`}
                isBusy={unlink.isPending}
                onClick={() => unlink.mutate(id)}
              >
                Unlink
              </DeniableButton>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
