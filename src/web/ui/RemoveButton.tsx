import { Icon } from "./Icon.tsx"

interface Props {
  /** What is removed, as a sentence: "Remove step 2". */
  readonly label: string
  readonly onRemove: () => void
}

export const RemoveButton = ({ label, onRemove }: Props) => (
  <button type="button" className="button button-icon button-quiet" aria-label={label} onClick={onRemove}>
    <Icon name="cross" size={14} />
  </button>
)
