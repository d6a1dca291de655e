import { useState } from "react"
import { webhookTypes } from "../../../domain/operations/webhooks/WebhookEvents.ts"
import { call } from "../../api/client.ts"
import { isOutdated } from "../../api/Failure.ts"
import type { Organization } from "../../shell/Project.tsx"
import { fieldText } from "../../text/Form.ts"
import { unknownAmong } from "../../text/Unknown.ts"
import { ChangedMeanwhile } from "../../ui/kept/ChangedMeanwhile.tsx"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { FormDialog } from "../../ui/dialogs/FormDialog.tsx"
import { FormDialogEnd } from "../../ui/dialogs/FormDialogEnd.tsx"
import { useChange } from "../AccessQueries.ts"
import { type Webhook, webhookLists } from "./WebhookQueries.ts"
import { typeText } from "./WebhookWords.ts"

interface Props {
  readonly organization: Organization
  /** The webhook that is changed, as it is when the form is opened; null: a new one. */
  readonly opened: Webhook | null
  /** What was made, with its secret. */
  readonly onMade: (webhook: Webhook & { readonly secret: string }) => void
  /** Asks for a new secret, or whether it is to go. */
  readonly onRotate: (id: string) => void
  readonly onRemove: (id: string) => void
  /** Somebody else has changed the webhook, and what they have made of it is to stand. */
  readonly onTheirs: () => void
  readonly onClose: () => void
}

const kindOf = (type: string): string => type.split(".")[0] ?? type

const kinds = [...new Set(webhookTypes.map(kindOf))]

/** Where a webhook leads and what it is told. */
export const WebhookForm = ({ organization, opened, onMade, onRotate, onRemove, onTheirs, onClose }: Props) => {
  // The page asks for the webhooks again while the form is open. What is changed is what was there when it was opened, though it may be
  // gone by now.
  const [webhook] = useState(opened)
  const [isTouched, touch] = useState(false)
  const [isChoosing, setChoosing] = useState(webhook !== null && webhook.types.length > 0)
  const [types, setTypes] = useState<ReadonlySet<string>>(new Set(webhook?.types))
  const [projects, setProjects] = useState<ReadonlySet<number> | null>(
    webhook === null || webhook.applicationIds === null ? null : new Set(webhook.applicationIds)
  )
  const [isActive, setActive] = useState(webhook?.isActive ?? true)
  const { id: organizationId, applications } = organization
  const change = useChange(
    async ({ form, isOverTheirs }: { readonly form: FormData; readonly isOverTheirs: boolean }) => {
      const body = {
        name: fieldText(form, "name"),
        url: fieldText(form, "url"),
        format: fieldText(form, "format") === "slack" ? ("slack" as const) : ("standard" as const),
        types: isChoosing ? webhookTypes.filter((type) => types.has(type)) : [],
        applicationIds: projects === null ? null : [...projects]
      }
      if (webhook === null) onMade(await call("webhooks.create", { path: { organizationId }, body }))
      else {
        const based = isOverTheirs ? {} : { basedOn: webhook.updatedAt }
        await call("webhooks.update", {
          path: { organizationId, webhookId: webhook.id },
          body: { ...body, isActive, ...based }
        })
      }
    },
    webhookLists,
    () => {
      if (webhook !== null) onClose()
    }
  )
  const toggle = (type: string) => {
    const next = new Set(types)
    if (!next.delete(type)) next.add(type)
    setTypes(next)
  }
  const toggleProject = (id: number) => {
    const next = new Set(projects)
    if (!next.delete(id)) next.add(id)
    setProjects(next)
  }
  const lacks =
    isChoosing && types.size === 0
      ? "Tick something that it is told of."
      : projects?.size === 0
        ? "Tick a project of which it is told."
        : null
  const unsaved = isTouched ? "Save or cancel what you changed here first." : null
  return (
    <FormDialog
      title={webhook === null ? "New webhook" : `Change ${webhook.name}`}
      onInput={() => touch(true)}
      onClose={onClose}
      onSubmit={(form) => change.mutate({ form, isOverTheirs: false })}
    >
      <label className="field">
        Name
        <input
          name="name"
          required
          maxLength={100}
          autoComplete="off"
          placeholder="Chat"
          defaultValue={webhook?.name}
        />
      </label>
      <label className="field">
        Address
        <input name="url" type="url" required maxLength={2048} autoComplete="off" defaultValue={webhook?.url} />
        <small>
          It is sent a signed POST for each event, and answers with a status from 200 to 299. mailto:ada@studio.example
          is sent mails instead, where that is a member.
        </small>
      </label>
      <label className="field">
        Format
        <select name="format" defaultValue={webhook?.format ?? "standard"}>
          <option value="standard">JSON (Standard Webhooks)</option>
          <option value="slack">A sentence for a chat (Slack)</option>
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={!isChoosing}
          onChange={({ currentTarget }) => setChoosing(!currentTarget.checked)}
        />
        Everything that happens
      </label>
      {isChoosing && (
        <div className="webhook-types">
          {kinds.map((kind) => (
            <fieldset key={kind}>
              <legend>{kind}</legend>
              {webhookTypes
                .filter((type) => kindOf(type) === kind)
                .map((type) => (
                  <label key={type} className="check">
                    <input type="checkbox" aria-label={type} checked={types.has(type)} onChange={() => toggle(type)} />
                    {typeText(type)}
                  </label>
                ))}
            </fieldset>
          ))}
        </div>
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={projects === null}
          onChange={({ currentTarget }) => setProjects(currentTarget.checked ? null : new Set())}
        />
        In every project
      </label>
      {projects !== null &&
        [...applications, ...unknownAmong(projects, applications, "Project")].map(({ id, name }) => (
          <label key={id} className="check">
            <input type="checkbox" checked={projects.has(id)} onChange={() => toggleProject(id)} />
            {name}
          </label>
        ))}
      {webhook !== null && (
        <>
          <label className="check">
            <input
              type="checkbox"
              checked={isActive}
              onChange={({ currentTarget }) => setActive(currentTarget.checked)}
            />
            Switched on
          </label>
          <p className="toolbar">
            <DeniableButton denied={unsaved} look="button-small" onClick={() => onRotate(webhook.id)}>
              New secret
            </DeniableButton>
            <DeniableButton denied={unsaved} look="button-small" onClick={() => onRemove(webhook.id)}>
              Remove it
            </DeniableButton>
          </p>
        </>
      )}
      {isOutdated(change.error) && (
        <ChangedMeanwhile
          what="this webhook"
          isBusy={change.isPending}
          onTheirs={onTheirs}
          onMine={() => change.variables !== undefined && change.mutate({ ...change.variables, isOverTheirs: true })}
        />
      )}
      <FormDialogEnd
        error={isOutdated(change.error) ? null : change.error}
        submit={webhook === null ? "Make the webhook" : "Save"}
        lacks={lacks}
        isDisabled={change.isPending}
        onClose={onClose}
      />
    </FormDialog>
  )
}
