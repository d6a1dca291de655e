import { call } from "../api/client.ts"
import { Button } from "../ui/Button.tsx"
import { ConfirmDialog } from "../ui/dialogs/ConfirmDialog.tsx"
import type { Member } from "./AccessQueries.ts"
import { useChange } from "./AccessQueries.ts"
import { Secret } from "./Secret.tsx"
import { Moment } from "../ui/Moment.tsx"

interface Props {
  readonly organizationId: number
  readonly member: Member
  readonly onClose: () => void
}

/** Makes a link by which a member who has lost the password chooses another one, and takes a lost second factor away. */
export const PasswordLink = ({ organizationId, member, onClose }: Props) => {
  const { user, membershipId } = member
  const make = useChange(() => call("passwordResets.create", { path: { organizationId, membershipId } }), [])
  const take = useChange(() => call("secondFactors.removeOfMember", { path: { organizationId, membershipId } }), [])
  if (make.data !== undefined) {
    return (
      <Secret
        title={`New password for ${user.name}`}
        secret={`${window.location.origin}/reset-password#${make.data.token}`}
        copyLabel="Copy the link"
        onClose={onClose}
      >
        <p>
          Give it to {user.name} and to nobody else: whoever has it has the account. It works once, until{" "}
          <Moment at={make.data.expiresAt} />.
        </p>
      </Secret>
    )
  }
  return (
    <ConfirmDialog
      title={`A new password for ${user.name}?`}
      action="Make the link"
      error={make.error ?? take.error}
      isPending={make.isPending}
      onConfirm={() => make.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        You get a link by which {user.email} chooses another password. The present one works until then; afterwards the
        account is signed out everywhere, and its passkeys are forgotten. A link made before leads nowhere then.
      </p>
      <div className="row">
        <Button
          type="button"
          className="button button-small"
          disabled={take.isPending || take.isSuccess}
          onClick={() => take.mutate(undefined)}
        >
          Take their second factor away
        </Button>
        <span role="status" className="faint">
          {take.isSuccess
            ? "The password alone is enough now."
            : "For who has lost the authenticator app and the recovery codes."}
        </span>
      </div>
    </ConfirmDialog>
  )
}
