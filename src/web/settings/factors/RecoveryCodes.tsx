import { download } from "../../text/Download.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Secret } from "../Secret.tsx"

interface Props {
  readonly codes: ReadonlyArray<string>
  readonly onClose: () => void
}

/** Recovery codes, shown this once. */
export const RecoveryCodes = ({ codes, onClose }: Props) => {
  const text = codes.join("\n")
  return (
    <Secret title="Your recovery codes" secret={text} copyLabel="Copy the codes" onClose={onClose}>
      <p>
        Keep them where the app is not, such as in a password manager. Each of them is good once, in place of a code of
        the app.
      </p>
      <div className="row">
        <button
          type="button"
          className="button button-small"
          onClick={() => download("gamekeeper-recovery-codes.txt", "text/plain", `${text}\n`)}
        >
          <Icon name="down" size={14} />
          As a file
        </button>
      </div>
    </Secret>
  )
}
