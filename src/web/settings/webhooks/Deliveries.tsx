import { useState } from "react"
import { call } from "../../api/client.ts"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { ListTable } from "../../ui/ListTable.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { Sheet } from "../../ui/dialogs/Sheet.tsx"
import { ShowMore } from "../../ui/Pages.tsx"
import { Failed, Skeleton } from "../../ui/States.tsx"
import { useChange } from "../AccessQueries.ts"
import { type DeliveryState, useDeliveries, useDelivery, type Webhook, webhookLists } from "./WebhookQueries.ts"
import { attemptText, outcomeText, stateWords } from "./WebhookWords.ts"

interface Props {
  readonly organizationId: number
  readonly webhook: Webhook
  readonly denied: string | null
  readonly onClose: () => void
}

const filters: ReadonlyArray<readonly [state: DeliveryState | "all", words: string]> = [
  ["all", "All"],
  ["waiting", "Waiting"],
  ["delivered", "Delivered"],
  ["failed", "Failed"]
]

const indented = (text: string): string => JSON.stringify(JSON.parse(text), null, 2)

/** What was sent, and what came of each attempt. */
const Details = ({ organizationId, webhookId, id }: { organizationId: number; webhookId: string; id: number }) => {
  const delivery = useDelivery(organizationId, webhookId, id)
  if (delivery.error !== null) return <Failed error={delivery.error} retry={() => void delivery.refetch()} />
  if (delivery.data === undefined) return <Skeleton height={96} />
  const { payload, attempts, eventId } = delivery.data
  return (
    <div className="webhook-delivery">
      <p className="faint">webhook-id {eventId}</p>
      <pre tabIndex={0}>{indented(payload)}</pre>
      <ol>
        {attempts.map(({ at, millis, answer, ...attempt }) => (
          <li key={at}>
            <Moment at={at} />: {attemptText(attempt)}, {millis} ms
            {answer !== null && answer !== "" && <pre tabIndex={0}>{answer}</pre>}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** What a webhook was sent, newest first. */
export const Deliveries = ({ organizationId, webhook, denied, onClose }: Props) => {
  const [state, setState] = useState<DeliveryState | "all">("all")
  const [open, setOpen] = useState<number | null>(null)
  const deliveries = useDeliveries(organizationId, webhook.id, state === "all" ? null : state)
  const replay = useChange(
    (deliveryId: number) => call("webhooks.replay", { path: { organizationId, webhookId: webhook.id, deliveryId } }),
    webhookLists
  )
  const rows = deliveries.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Sheet title={`What ${webhook.name} was sent`} onClose={onClose} isWide>
      <Segmented label="Which" choices={filters} value={state} onChoose={setState} />
      {replay.error !== null && (
        <p className="form-error" role="alert">
          {replay.error.message}
        </p>
      )}
      {deliveries.error !== null && !deliveries.isFetchNextPageError ? (
        <Failed error={deliveries.error} retry={() => void deliveries.refetch()} />
      ) : deliveries.data === undefined ? (
        <Skeleton />
      ) : rows.length === 0 ? (
        <p className="faint">Nothing in the last 30 days.</p>
      ) : (
        <ListTable
          label="List of deliveries"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "What",
              kind: "head",
              render: ({ id, type, createdAt, ...delivery }) => (
                <div className="cell-lines">
                  <button
                    type="button"
                    className="link"
                    aria-expanded={open === id}
                    onClick={() => setOpen(open === id ? null : id)}
                  >
                    {type}
                  </button>
                  <small className="faint">
                    <Moment at={createdAt} />: {outcomeText(delivery)}
                  </small>
                  {open === id && <Details organizationId={organizationId} webhookId={webhook.id} id={id} />}
                </div>
              )
            },
            { name: "State", render: ({ state: reached }) => <span className="tag">{stateWords[reached]}</span> },
            {
              name: "Actions",
              kind: "actions",
              render: ({ id, type }) => (
                <DeniableButton
                  denied={denied ?? (webhook.isActive ? null : "It is switched off.")}
                  look="button-small"
                  label={`Send ${type} ${id} again`}
                  isBusy={replay.isPending}
                  onClick={() => replay.mutate(id)}
                >
                  Send again
                </DeniableButton>
              )
            }
          ]}
        />
      )}
      <ShowMore list={deliveries}>Older ones</ShowMore>
    </Sheet>
  )
}
