import { call } from "../../api/client.ts"
import { fieldText } from "../../text/Form.ts"
import { FormDialog } from "../../ui/dialogs/FormDialog.tsx"
import type { Key } from "../AccessQueries.ts"
import { useChange } from "../AccessQueries.ts"
import { ExpiryField, expiryOf } from "../ExpiryField.tsx"
import { hasEnded } from "./KeyState.ts"
import { FormDialogEnd } from "../../ui/dialogs/FormDialogEnd.tsx"

const hour = 3600
const day = 24 * hour

const overlaps: ReadonlyArray<readonly [seconds: number, words: string]> = [
  [day, "for a day"],
  [hour, "for an hour"],
  [7 * day, "for 7 days"],
  [30 * day, "for 30 days"],
  [0, "not at all"]
]

interface Props {
  readonly secretKey: Key
  readonly onRotated: (key: Key & { readonly token: string }) => void
  readonly onClose: () => void
}

/** Gives a key a new secret, beside which the old one works for a while. */
export const RotateDialog = ({ secretKey: key, onRotated, onClose }: Props) => {
  const isOver = hasEnded(key)
  const rotate = useChange(
    (form: FormData) => {
      const body = {
        overlap: isOver ? 0 : Number(fieldText(form, "overlap")),
        ...(isOver ? { expiresIn: expiryOf(form) } : {})
      }
      return key.type === "personal"
        ? call("personalTokens.rotate", { path: { patId: key.id }, body })
        : call("apiKeys.rotate", { path: { organizationId: key.organizationId, apiKeyId: key.id }, body })
    },
    [key.type === "personal" ? "tokens" : "keys"],
    onRotated
  )
  return (
    <FormDialog title={`Rotate ${key.name}`} onClose={onClose} onSubmit={rotate.mutate}>
      {isOver ? (
        <>
          <p>It has ended. A new secret renews it:</p>
          <ExpiryField />
        </>
      ) : (
        <label className="field">
          The old secret goes on working
          <select name="overlap" className="input">
            {overlaps.map(([seconds, words]) => (
              <option key={seconds} value={seconds}>
                {words}
              </option>
            ))}
          </select>
          <small>Long enough to put the new one everywhere. At most two work at a time.</small>
        </label>
      )}
      <FormDialogEnd error={rotate.error} submit="Make a new secret" isDisabled={rotate.isPending} onClose={onClose} />
    </FormDialog>
  )
}
