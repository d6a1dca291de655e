import { useEffect, useState } from "react"
import { call } from "../api/client.ts"
import { callWithFile } from "../api/Files.ts"
import type { Organization } from "../shell/Project.tsx"
import { Button } from "../ui/Button.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { useChange } from "./AccessQueries.ts"

const types = "image/png,image/jpeg,image/webp,image/gif"
const mostBytes = 1024 * 1024

interface Props {
  readonly organization: Organization
  readonly denied: string | null
  /** Whether this person may see the icon that there is. */
  readonly isShown: boolean
}

/** The icon that there is, and one that was chosen and is not there yet. */
export const OrganizationIcon = ({ organization, denied, isShown }: Props) => {
  const { id: organizationId, iconUrl, name } = organization
  const [chosen, setChosen] = useState<{ readonly file: File; readonly address: string } | null>(null)
  /** How often a choice was used or dropped: the field then forgets it. */
  const [taken, setTaken] = useState(0)
  const forget = () => {
    setChosen(null)
    setTaken(taken + 1)
  }
  useEffect(() => () => (chosen === null ? undefined : URL.revokeObjectURL(chosen.address)), [chosen])
  const isTooLarge = chosen !== null && chosen.file.size > mostBytes
  const put = useChange(
    (file: File) => callWithFile("icons.put", { path: { organizationId } }, file),
    ["organizations"],
    forget
  )
  const remove = useChange(() => call("icons.remove", { path: { organizationId } }), ["organizations"])
  // The server names the icon by its public address, which may not be the one that this page came from.
  const present = iconUrl === null ? null : iconUrl.replace(/^https?:\/\/[^/]+/, "")
  const shown = chosen?.address ?? (isShown ? present : null)
  return (
    <div className="icon-edit">
      {shown === null ? (
        <span className="icon-none" aria-hidden="true">
          {name.slice(0, 1).toUpperCase()}
        </span>
      ) : (
        <img src={shown} alt={chosen === null ? `Icon of ${name}` : "Preview of the new icon"} width={64} height={64} />
      )}
      <div>
        <label className="field">
          Choose an image
          <input
            key={taken}
            type="file"
            accept={types}
            disabled={denied !== null}
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0]
              if (file !== undefined) setChosen({ file, address: URL.createObjectURL(file) })
            }}
          />
          <small>PNG, JPEG, WebP or GIF, at most 1 MiB and 4,096 pixels a side.</small>
        </label>
        {isTooLarge && <p className="form-error">It is larger than 1 MiB.</p>}
        <p className="form-error" role="alert">
          {(put.error ?? remove.error)?.message}
        </p>
        <div className="row">
          {chosen !== null && (
            <>
              <Button
                type="button"
                className="button button-primary"
                disabled={isTooLarge || put.isPending}
                onClick={() => put.mutate(chosen.file)}
              >
                Use it
              </Button>
              <button type="button" className="button" onClick={forget}>
                Keep the old one
              </button>
            </>
          )}
          {chosen === null && present !== null && (
            <DeniableButton denied={denied} isBusy={remove.isPending} onClick={() => remove.mutate(undefined)}>
              Remove the icon
            </DeniableButton>
          )}
        </div>
      </div>
    </div>
  )
}
