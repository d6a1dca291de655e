import type { FormEvent } from "react"
import { useState } from "react"
import type { Deeplink, DeeplinkBody } from "../api/deeplinks.ts"
import { useForget, useSaveDeeplink } from "../api/deeplinks.ts"
import { isOutdated } from "../api/Failure.ts"
import { useMarkerTypes } from "../api/queries.ts"
import { insisting } from "../api/useSaving.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { Button } from "../ui/Button.tsx"
import { ChangedMeanwhile } from "../ui/kept/ChangedMeanwhile.tsx"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Sheet } from "../ui/dialogs/Sheet.tsx"
import { QrCode } from "./QrCode.tsx"

interface Props {
  /** The link to change; null for a new one. */
  readonly link: Deeplink | null
  /** What stands before the last part of every link's address. */
  readonly base: string
  readonly onClose: () => void
  readonly onSaved: (link: Deeplink) => void
}

type Type = Deeplink["type"]

export const typeWords: Record<Type, string> = {
  web_url: "A web page",
  roblox_url: "A Roblox place",
  roblox_share_url: "A Roblox share link",
  other: "Another address or app"
}

const types: ReadonlyArray<Type> = ["web_url", "roblox_url", "roblox_share_url", "other"]

const defaults = { type: "web_url", conversionMarker: "Login", attributionWindowHours: 168 } as const

const sluglike = "[a-zA-Z0-9][a-zA-Z0-9_\\-]{0,63}"

const isSlug = (slug: string): boolean => new RegExp(`^${sluglike}$`).test(slug)

const typeOf = (value: string): Type => types.find((type) => type === value) ?? defaults.type

/** Asks what a link is called and where it leads, and shows its address and QR code while they are typed. */
export const DeeplinkForm = ({ link: present, base, onClose, onSaved }: Props) => {
  // Asked for again meanwhile, it may be another: what is changed is what was there when the form was opened.
  const [link] = useState(present)
  const { applicationId } = useProject()
  const markers = useMarkerTypes(useWhere())
  const save = useSaveDeeplink(applicationId)
  const forget = useForget(applicationId)
  const [slug, setSlug] = useState(link?.slug ?? "")
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? "").trim()
    const body: DeeplinkBody = {
      name: text("name"),
      type: typeOf(text("type")),
      redirectUrl: text("redirectUrl"),
      conversionMarker: text("conversionMarker"),
      attributionWindowHours: Number(text("attributionWindowHours")),
      ...(text("slug") === "" ? {} : { slug: text("slug") })
    }
    const based = link === null ? {} : { basedOn: link.updatedAt }
    save.mutate({ id: link?.id ?? null, body, ...based }, { onSuccess: onSaved, onError: () => void forget() })
  }
  const address = base + slug
  return (
    <Sheet title={link === null ? "New deeplink" : `Change ${link.name}`} onClose={onClose}>
      <form className="builder" onSubmit={submit}>
        <label className="field">
          Name
          <input name="name" required maxLength={100} autoComplete="off" defaultValue={link?.name ?? ""} />
          <small>Where it is used, such as “Spring newsletter”.</small>
        </label>
        <label className="field">
          Leads to
          <select className="input" name="type" defaultValue={link?.type ?? defaults.type}>
            {types.map((type) => (
              <option key={type} value={type}>
                {typeWords[type]}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          Address
          <input
            name="redirectUrl"
            type="url"
            required
            maxLength={2048}
            placeholder="https://"
            defaultValue={link?.redirectUrl ?? ""}
          />
          <small>The id of the click is added to it as gk_click.</small>
        </label>
        <label className="field">
          Last part of the link
          <input
            name="slug"
            maxLength={64}
            pattern={sluglike}
            title="Letters, digits, - and _, beginning with a letter or digit"
            autoComplete="off"
            spellCheck={false}
            required={link !== null}
            value={slug}
            onChange={({ currentTarget }) => setSlug(currentTarget.value)}
          />
          <small>
            {link === null
              ? "Empty: one is made up."
              : "Whoever has the link as it was is led nowhere once this changes."}
          </small>
        </label>
        <label className="field">
          A click has converted with the marker
          <input
            name="conversionMarker"
            list="deeplink-markers"
            required
            maxLength={256}
            autoComplete="off"
            defaultValue={link?.conversionMarker ?? defaults.conversionMarker}
          />
          <datalist id="deeplink-markers">
            {markers.data?.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
        </label>
        <label className="field">
          Within so many hours
          <input
            name="attributionWindowHours"
            type="number"
            min={1}
            max={8760}
            step={1}
            required
            defaultValue={link?.attributionWindowHours ?? defaults.attributionWindowHours}
          />
        </label>
        <div className="link-preview" aria-live="polite">
          {slug === "" ? (
            <p className="faint">
              The link will be <code>{base}…</code>
            </p>
          ) : isSlug(slug) ? (
            <>
              <p>
                <code>{address}</code>
              </p>
              <CopyButton text={address} label="Copy the link" />
              <QrCode address={address} name={slug} />
            </>
          ) : (
            <p className="form-error">
              The last part takes letters, digits, - and _, and begins with a letter or digit.
            </p>
          )}
        </div>
        {isOutdated(save.error) ? (
          <ChangedMeanwhile
            what="this link"
            isBusy={save.isPending}
            onTheirs={onClose}
            onMine={() =>
              save.variables !== undefined && save.mutate(insisting(save.variables), { onSuccess: onSaved })
            }
          />
        ) : (
          <p className="form-error" role="alert">
            {save.error?.message}
          </p>
        )}
        <Button type="submit" className="button button-primary" disabled={save.isPending}>
          {link === null ? "Create" : "Save"}
        </Button>
      </form>
    </Sheet>
  )
}
