import { useQueryClient } from "@tanstack/react-query"
import { useLocation } from "wouter"
import { call } from "../api/client.ts"
import type { Organization } from "../shell/Project.tsx"
import { ConfirmDialog } from "../ui/dialogs/ConfirmDialog.tsx"
import type { Member } from "./AccessQueries.ts"
import { useChange } from "./AccessQueries.ts"

interface Props {
  readonly organization: Organization
  readonly member: Member
  readonly isMe: boolean
  readonly onClose: () => void
}

/** Asks before somebody is removed, or leaves. */
export const RemoveMember = ({ organization, member, isMe, onClose }: Props) => {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const remove = useChange(
    () =>
      call("organizations.removeMember", {
        path: { organizationId: organization.id, membershipId: member.membershipId }
      }),
    ["members", "grants", "roles"],
    () => {
      onClose()
      if (!isMe) return
      client.clear()
      navigate("/")
    }
  )
  return (
    <ConfirmDialog
      title={isMe ? `Leave ${organization.name}?` : `Remove ${member.user.name}?`}
      action={isMe ? "Leave" : "Remove"}
      error={remove.error}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        {isMe
          ? "You see none of its projects any more, and your tokens for them end. Somebody has to invite you to come back."
          : `${member.user.email} sees none of its projects any more, and their personal tokens end. Keys that they made go on working.`}
      </p>
    </ConfirmDialog>
  )
}
