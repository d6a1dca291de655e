import { useState } from "react"
import { call } from "../../api/client.ts"
import type { Organization } from "../../shell/Project.tsx"
import { ConfirmDialog } from "../../ui/dialogs/ConfirmDialog.tsx"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { ListTable } from "../../ui/ListTable.tsx"
import { Empty, Failed, Skeleton } from "../../ui/States.tsx"
import { useChange } from "../AccessQueries.ts"
import { Secret } from "../Secret.tsx"
import { SettingsPage } from "../Section.tsx"
import { useRights } from "../useRights.ts"
import { Deliveries } from "./Deliveries.tsx"
import { WebhookForm } from "./WebhookForm.tsx"
import { useWebhooks, type Webhook, webhookLists } from "./WebhookQueries.ts"
import { healthText, outcomeText, typesText } from "./WebhookWords.ts"
import "../../theme/webhooks.css"

type Open =
  | { readonly what: "form" | "rotate" | "remove" | "deliveries"; readonly id: string | null }
  | { readonly what: "secret"; readonly name: string; readonly secret: string }

/** Addresses of the studio that are told what happens. */
export const Webhooks = ({ organization }: { readonly organization: Organization }) => {
  const organizationId = organization.id
  const rights = useRights(organization)
  const [deniedRead, denied] = [rights.denied("webhooks:read"), rights.denied("webhooks:write")]
  const webhooks = useWebhooks(organizationId, deniedRead === null)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const show = ({ name, secret }: Webhook & { readonly secret: string }) => setOpen({ what: "secret", name, secret })
  const chosen =
    open === null || open.what === "secret" ? null : (webhooks.data?.find(({ id }) => id === open.id) ?? null)
  const pathOf = (webhookId: string) => ({ path: { organizationId, webhookId } })

  const test = useChange((id: string) => call("webhooks.test", pathOf(id)), webhookLists)
  const rotate = useChange((id: string) => call("webhooks.rotate", { ...pathOf(id), body: {} }), webhookLists, show)
  const remove = useChange((id: string) => call("webhooks.remove", pathOf(id)), webhookLists, close)
  return (
    <SettingsPage
      title="Webhooks"
      lead={`Addresses that are told what happens in ${organization.name}, in signed messages.`}
      action={
        <DeniableButton denied={denied} look="button-primary" onClick={() => setOpen({ what: "form", id: null })}>
          New webhook
        </DeniableButton>
      }
    >
      {deniedRead !== null ? (
        <p className="faint">{deniedRead}</p>
      ) : (
        <section className="card" aria-label="Webhooks" aria-busy={webhooks.isFetching}>
          {webhooks.error !== null ? (
            <Failed error={webhooks.error} retry={() => void webhooks.refetch()} />
          ) : webhooks.data === undefined ? (
            <Skeleton />
          ) : webhooks.data.length === 0 ? (
            <Empty title="No webhook yet">
              One tells your chat or your build server when a configuration changes, an experiment ends or a cohort
              fails.
            </Empty>
          ) : (
            <ListTable
              label="List of webhooks"
              rows={webhooks.data}
              keyOf={({ id }) => id}
              isOver={({ isActive }) => !isActive}
              columns={[
                {
                  name: "Name",
                  kind: "head",
                  render: ({ name, url }) => (
                    <div className="cell-lines">
                      {name}
                      <small className="faint">{url}</small>
                    </div>
                  )
                },
                { name: "Is told", render: typesText },
                { name: "State", render: healthText },
                {
                  name: "Actions",
                  kind: "actions",
                  render: ({ id, name, isActive }) => {
                    const inactive = isActive ? null : "It is switched off."
                    return (
                      <>
                        <button
                          type="button"
                          className="button button-small"
                          aria-label={`Messages of ${name}`}
                          onClick={() => setOpen({ what: "deliveries", id })}
                        >
                          Messages
                        </button>
                        <DeniableButton
                          denied={denied ?? inactive}
                          look="button-small"
                          label={`Try ${name}`}
                          isBusy={test.isPending}
                          onClick={() => test.mutate(id)}
                        >
                          Try it
                        </DeniableButton>
                        <DeniableButton
                          denied={denied}
                          look="button-small"
                          label={`Change ${name}`}
                          onClick={() => setOpen({ what: "form", id })}
                        >
                          Change
                        </DeniableButton>
                      </>
                    )
                  }
                }
              ]}
            />
          )}
          <p role="status" className="webhook-status">
            {test.data === undefined ? "" : `The trial was sent: ${outcomeText(test.data)}.`}
          </p>
          {test.error !== null && (
            <p className="form-error" role="alert">
              {test.error.message}
            </p>
          )}
        </section>
      )}
      {open?.what === "form" && (
        <WebhookForm
          organization={organization}
          opened={chosen}
          onMade={show}
          onRotate={(id) => {
            rotate.reset()
            setOpen({ what: "rotate", id })
          }}
          onRemove={(id) => {
            remove.reset()
            setOpen({ what: "remove", id })
          }}
          onTheirs={() => {
            close()
            void webhooks.refetch()
          }}
          onClose={close}
        />
      )}
      {open?.what === "deliveries" && chosen !== null && (
        <Deliveries organizationId={organizationId} webhook={chosen} denied={denied} onClose={close} />
      )}
      {open?.what === "rotate" && chosen !== null && (
        <ConfirmDialog
          title={`A new secret for ${chosen.name}`}
          action="Make a new secret"
          cancel="Keep the old one"
          error={rotate.error}
          isPending={rotate.isPending}
          onConfirm={() => rotate.mutate(chosen.id)}
          onClose={close}
        >
          <p>For a day messages are signed with both, so that the receiver can change.</p>
        </ConfirmDialog>
      )}
      {open?.what === "remove" && chosen !== null && (
        <ConfirmDialog
          title={`Remove ${chosen.name}`}
          action="Remove the webhook"
          error={remove.error}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(chosen.id)}
          onClose={close}
        >
          <p>It is told nothing any more, and what it was sent is forgotten.</p>
        </ConfirmDialog>
      )}
      {open?.what === "secret" && (
        <Secret title={open.name} secret={open.secret} copyLabel="Copy the secret" onClose={close}>
          <p>The receiver verifies with it that a message comes from here.</p>
        </Secret>
      )}
    </SettingsPage>
  )
}
