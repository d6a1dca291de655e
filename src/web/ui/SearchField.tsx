import { Icon } from "./Icon.tsx"
import { useFieldText } from "./useFieldText.ts"

interface Props {
  /** `Search cohorts`. */
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

/** Narrows a list while somebody types. The field keeps its own text, so that no character is lost to a slow list. */
export const SearchField = ({ label, value, onChange }: Props) => {
  const field = useFieldText(value)
  return (
    <div className="search-field" role="search">
      <Icon name="search" size={14} />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
