import { useState } from "react"
import { call } from "../api/client.ts"
import type { Answer } from "../api/Wire.ts"
import type { Organization } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { countText } from "../text/Numbers.ts"
import { isFound } from "../text/Search.ts"
import { ConfirmDialog } from "../ui/dialogs/ConfirmDialog.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { ListTable } from "../ui/ListTable.tsx"
import { Moment } from "../ui/Moment.tsx"
import { pageOfRows } from "../ui/PageOfRows.ts"
import { Pages } from "../ui/Pages.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"
import type { Invitation, Role } from "./AccessQueries.ts"
import { useChange, useInvitations } from "./AccessQueries.ts"
import { InviteDialog } from "./InviteDialog.tsx"
import { roleOf } from "./MemberRules.ts"
import { Secret } from "./Secret.tsx"
import { Section } from "./Section.tsx"
import type { Rights } from "./useRights.ts"

interface Props {
  readonly organization: Organization
  readonly roles: ReadonlyArray<Role>
  readonly rights: Rights
}

type Sent = Answer<"invitations.create">

type Open =
  | { readonly what: "new" }
  | { readonly what: "again" | "revoke"; readonly invitation: Invitation }
  | { readonly what: "link"; readonly invitation: Sent }
  | null

const invitationsAtOnce = 50

/** What is to be done with the link. */
const mailWords = {
  sent: (email: string) => `It was mailed to ${email}; here it is once more.`,
  failed: (email: string) => `The mail to ${email} could not be sent: send the link yourself.`,
  off: (email: string) => `Send it to ${email}.`
} satisfies Record<Sent["mail"], (email: string) => string>

/** Who is invited and has not come yet. */
export const Invitations = ({ organization, roles, rights }: Props) => {
  const invitations = useInvitations(organization.id)
  const [open, setOpen] = useState<Open>(null)
  const [search, setSearch] = useState("")
  const [page, show] = useState(1)
  const close = () => setOpen(null)
  const denied = rights.denied("members:write") ?? (rights.holds(null, "roles:read") ? null : deniedText("roles:read"))
  const waiting = invitations.data?.filter(({ status }) => status !== "accepted") ?? []
  const found = waiting.filter(({ email }) => isFound(search, email))
  const shown = pageOfRows(found, page, invitationsAtOnce)
  const revoke = useChange(
    (invitation: Invitation) =>
      call("invitations.revoke", { path: { organizationId: organization.id, invitationId: invitation.id } }),
    ["invitations"],
    close
  )
  const deniedFor = (invitation: Invitation): string | null => {
    const role = roleOf(roles, invitation.role.id)
    return denied ?? (role === undefined ? null : rights.deniedRole(role, null))
  }
  return (
    <Section
      title="Invitations"
      action={
        <DeniableButton denied={denied} look="button-primary" onClick={() => setOpen({ what: "new" })}>
          Invite
        </DeniableButton>
      }
    >
      {invitations.data === undefined ? (
        invitations.error === null ? (
          <Skeleton height={96} />
        ) : (
          <Failed error={invitations.error} retry={() => void invitations.refetch()} />
        )
      ) : waiting.length === 0 ? (
        <p className="faint">Nobody is invited at the moment. An invitation is a link for one e-mail address.</p>
      ) : (
        <>
          {waiting.length > invitationsAtOnce && (
            <div className="toolbar">
              <SearchField
                label="Search invitations"
                value={search}
                onChange={(text) => {
                  setSearch(text)
                  show(1)
                }}
              />
              <span className="faint">{countText(waiting.length, "invitation")}</span>
            </div>
          )}
          {found.length === 0 ? (
            <p className="faint">Nobody of the address “{search}” is invited.</p>
          ) : (
            <ListTable
              label="List of invitations"
              rows={shown.rows}
              keyOf={({ id }) => id}
              columns={[
                { name: "Who", kind: "head", render: ({ email }) => email },
                { name: "Role", render: ({ role }) => role.name },
                {
                  name: "State",
                  render: ({ status, expiresAt }) => (
                    <>
                      {status === "pending" ? "pending until" : "ended"} <Moment at={expiresAt} />
                    </>
                  )
                },
                { name: "By", render: ({ invitedBy }) => invitedBy?.name ?? "somebody who has left" },
                {
                  name: "Change",
                  kind: "actions",
                  render: (invitation) => (
                    <>
                      <DeniableButton
                        look="button-small"
                        denied={deniedFor(invitation)}
                        label={`Send ${invitation.email} a new link`}
                        onClick={() => setOpen({ what: "again", invitation })}
                      >
                        New link
                      </DeniableButton>
                      <DeniableButton
                        look="button-small button-danger"
                        denied={deniedFor(invitation)}
                        label={`Revoke the invitation of ${invitation.email}`}
                        onClick={() => {
                          revoke.reset()
                          setOpen({ what: "revoke", invitation })
                        }}
                      >
                        Revoke
                      </DeniableButton>
                    </>
                  )
                }
              ]}
            />
          )}
          <Pages page={shown.page} pages={shown.pages} onPage={show} />
        </>
      )}
      {(open?.what === "new" || open?.what === "again") && (
        <InviteDialog
          organizationId={organization.id}
          roles={roles}
          rights={rights}
          again={open.what === "again" ? open.invitation : null}
          onSent={(invitation) => setOpen({ what: "link", invitation })}
          onClose={close}
        />
      )}
      {open?.what === "link" && (
        <Secret
          title={`Invitation of ${open.invitation.email}`}
          secret={`${window.location.origin}/invite/${open.invitation.token}`}
          copyLabel="Copy the link"
          onClose={close}
        >
          <p>
            {mailWords[open.invitation.mail](open.invitation.email)} It works until{" "}
            <Moment at={open.invitation.expiresAt} />, for that address alone.
          </p>
        </Secret>
      )}
      {open?.what === "revoke" && (
        <ConfirmDialog
          title={`Revoke the invitation of ${open.invitation.email}?`}
          action="Revoke"
          error={revoke.error}
          isPending={revoke.isPending}
          onConfirm={() => revoke.mutate(open.invitation)}
          onClose={close}
        >
          <p>Its link leads nowhere any more.</p>
        </ConfirmDialog>
      )}
    </Section>
  )
}
