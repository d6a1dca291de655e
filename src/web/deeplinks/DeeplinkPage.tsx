import { useState } from "react"
import { Link, useLocation } from "wouter"
import type { Deeplink } from "../api/deeplinks.ts"
import { useDeeplink, useForget, useSaveDeeplink } from "../api/deeplinks.ts"
import { isOutdated } from "../api/Failure.ts"
import { UnansweredPage } from "../shell/UnansweredPage.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Callout } from "../ui/States.tsx"
import { DeeplinkForm, typeWords } from "./DeeplinkForm.tsx"
import { DeeplinkResults } from "./DeeplinkResults.tsx"
import { baseOf } from "./DeeplinkWords.ts"
import { QrCode } from "./QrCode.tsx"
import { RemoveDeeplink } from "./RemoveDeeplink.tsx"

interface Props {
  readonly link: Deeplink
}

const meanwhile = "Somebody else has changed this link meanwhile. What you see now is how it stands."

/** What one may do with a link. */
const Actions = ({ link }: Props) => {
  const { applicationId, environment, may } = useProject()
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<"form" | "removal" | null>(null)
  const save = useSaveDeeplink(applicationId)
  const forget = useForget(applicationId)
  const mayWrite = may("deeplinks:write")
  const isOff = link.archivedAt !== null
  const { id, name, type, redirectUrl, updatedAt: basedOn } = link
  const switched = { id, body: { name, type, redirectUrl, archived: !isOff }, basedOn }
  const denied = mayWrite ? null : deniedText("deeplinks:write")
  return (
    <div>
      <div className="row">
        <DeniableButton denied={denied} onClick={() => setOpen("form")}>
          Change
        </DeniableButton>
        <DeniableButton
          denied={denied}
          isBusy={save.isPending}
          onClick={() => save.mutate(switched, { onError: () => void forget() })}
        >
          {isOff ? "Switch on" : "Switch off"}
        </DeniableButton>
        <DeniableButton denied={denied} look="button-danger" onClick={() => setOpen("removal")}>
          Delete …
        </DeniableButton>
      </div>
      {save.error !== null && <Callout tone="bad">{isOutdated(save.error) ? meanwhile : save.error.message}</Callout>}
      {open === "form" && (
        <DeeplinkForm link={link} base={baseOf([link])} onClose={() => setOpen(null)} onSaved={() => setOpen(null)} />
      )}
      {open === "removal" && (
        <RemoveDeeplink
          link={link}
          onClose={() => setOpen(null)}
          onRemoved={() => navigate(`/p/${applicationId}/${environment.alias}/deeplinks`)}
        />
      )}
    </div>
  )
}

const Facts = ({ link }: Props) => {
  const { type, redirectUrl, conversionMarker, attributionWindowHours, metadata, createdAt } = link
  const notes = Object.entries(metadata)
  return (
    <section className="card link-facts" aria-label="Link">
      <QrCode address={link.url} name={link.slug} />
      <dl>
        <div>
          <dt>Link</dt>
          <dd className="row link-address">
            <code>{link.url}</code>
            <CopyButton text={link.url} />
          </dd>
        </div>
        <div>
          <dt>Leads to</dt>
          <dd>
            {typeWords[type]}: <code>{redirectUrl}</code>
          </dd>
        </div>
        <div>
          <dt>Converted</dt>
          <dd>
            with the first {conversionMarker} within {attributionWindowHours}{" "}
            {attributionWindowHours === 1 ? "hour" : "hours"} of the click
          </dd>
        </div>
        {notes.map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
        <div>
          <dt>Created</dt>
          <dd>
            <Moment at={createdAt} />
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** One link: where it leads, and what came of it. */
export const DeeplinkPage = ({ deeplinkId }: { readonly deeplinkId: string }) => {
  const { applicationId, environment } = useProject()
  const link = useDeeplink(useWhere(), deeplinkId)
  if (link.data === undefined) {
    return <UnansweredPage error={link.error} retry={() => void link.refetch()} />
  }
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <p className="crumbs">
            <Link href={`/p/${applicationId}/${environment.alias}/deeplinks`}>Deeplinks</Link>
          </p>
          <h1>{link.data.name}</h1>
        </div>
        <Actions link={link.data} />
      </header>
      {link.data.archivedAt !== null && (
        <Callout>It is switched off: whoever follows it gets no further. Its numbers stay.</Callout>
      )}
      <Facts link={link.data} />
      <DeeplinkResults link={link.data} />
    </div>
  )
}
