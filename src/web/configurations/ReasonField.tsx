interface Props {
  readonly reason: string
  /** Whether it has to be given: what is published to production has one. */
  readonly isNeeded: boolean
  readonly onChange: (reason: string) => void
}

/** Why a version is published. */
export const ReasonField = ({ reason, isNeeded, onChange }: Props) => (
  <label className="field">
    Reason
    <input
      value={reason}
      maxLength={500}
      required={isNeeded}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
    <small>
      {isNeeded && reason.trim() === ""
        ? "Needed in production: who looks at the history wants to know why."
        : "Who looks at the history wants to know why."}
    </small>
  </label>
)
