import { useMutation } from "@tanstack/react-query"
import { usePasskeyPolicy } from "../api/queries.ts"
import { hasAuthenticators, signInByPasskey } from "./Authenticator.ts"
import { Refused } from "./Refused.tsx"
import { Button } from "../ui/Button.tsx"

/** Signs in without a password; nothing where server or browser know no passkeys. */
export const PasskeyButton = ({ onSignedIn }: { readonly onSignedIn: () => void }) => {
  const isAvailable = usePasskeyPolicy().data?.available === true && hasAuthenticators()
  const signIn = useMutation({ mutationFn: signInByPasskey, onSuccess: onSignedIn })
  if (!isAvailable) return null
  return (
    <div className="passkey">
      <Refused error={signIn.error} />
      <Button
        type="button"
        className="button button-large"
        disabled={signIn.isPending}
        onClick={() => signIn.mutate(undefined)}
      >
        {signIn.isPending ? "Waiting for your browser …" : "Sign in with a passkey"}
      </Button>
    </div>
  )
}
