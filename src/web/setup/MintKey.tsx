import { useMutation, useQueryClient } from "@tanstack/react-query"
import { call } from "../api/client.ts"
import { useProject } from "../shell/Project.tsx"
import { Button } from "../ui/Button.tsx"
import { CopyButton } from "../ui/CopyButton.tsx"

interface Props {
  readonly token: string | null
  /** Names of public keys that work here already. */
  readonly others: ReadonlyArray<string>
  /** Why it is not known which these are. */
  readonly unknown: Error | null
  /** Whether making a key is the next thing to do. */
  readonly isNext: boolean
  readonly onToken: (token: string) => void
}

/** Makes the key with which a game sends markers, and shows it this once. */
export const MintKey = ({ token, others, unknown, isNext, onToken }: Props) => {
  const { applicationId, environment, environments, organization, name, may, mayInOrganization } = useProject()
  const client = useQueryClient()
  const mint = useMutation({
    mutationFn: (organizationId: number) => {
      const [first, ...others] = environments.map(({ id }) => id)
      return first === undefined
        ? Promise.reject(new Error("This project has no environment."))
        : call("apiKeys.create", {
            path: { organizationId },
            body: { type: "public", name: `${name}, in the game`, applicationId, environmentIds: [first, ...others] }
          })
    },
    // The token is held by the page alone; an answer in the cache would outlive it.
    gcTime: 0,
    onSuccess: (key) => {
      onToken(key.token)
      void client.invalidateQueries({ queryKey: ["keys"] })
    }
  })
  if (token !== null) {
    return (
      <>
        <p>
          This key is shown once. It is filled in below; keep it with the game. It may only send markers and read what
          games read.
        </p>
        <div className="secret">
          <code>{token}</code>
          <CopyButton text={token} label="Copy the key" />
        </div>
      </>
    )
  }
  // Nobody makes a key that may do more than they may.
  const isAllowed = mayInOrganization("api_keys:write") && may("sdk:ingest") && may("sdk:read")
  return (
    <>
      {unknown !== null ? (
        <p role="alert">
          Whether a key works in {environment.name} already is not known: {unknown.message}
        </p>
      ) : others.length === 0 ? (
        <p>A game needs a public key to send markers. It works in every environment of the project.</p>
      ) : (
        <p>
          {others.length === 1 ? "A key works" : `${others.length} keys work`} in {environment.name} already:{" "}
          {others.join(", ")}. A key is shown once, when it is made. Put it in the place of YOUR_PUBLIC_KEY below, or
          make another one.
        </p>
      )}
      <Button
        type="button"
        className={isNext ? "button button-primary" : "button"}
        disabled={!isAllowed || mint.isPending}
        aria-describedby={isAllowed ? undefined : "key-denied"}
        onClick={() => organization !== null && mint.mutate(organization.id)}
      >
        {others.length === 0 ? "Make a public key" : "Make another public key"}
      </Button>
      {!isAllowed && (
        <p id="key-denied" className="faint">
          Your role may not make keys. An owner, admin or developer of the organization can.
        </p>
      )}
      {mint.error !== null && (
        <p className="form-error" role="alert">
          {mint.error.message}
        </p>
      )}
    </>
  )
}
