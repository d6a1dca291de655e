import type { FormEvent } from "react"
import { useState } from "react"
import type { Json, Path } from "../../domain/configuration/Document.ts"
import { Icon } from "../ui/Icon.tsx"
import { pathText } from "./Draft.ts"

interface Props {
  /** The object that gets the key. */
  readonly place: Path
  readonly taken: ReadonlyArray<string>
  readonly onAdd: (key: string, value: Json) => void
}

const kinds: ReadonlyArray<readonly [name: string, words: string, value: Json]> = [
  ["number", "Number", 0],
  ["text", "Text", ""],
  ["switch", "Switch", false],
  ["object", "Group of keys", {}],
  ["list", "List", []]
]

/** Where typing goes on: the button that had the focus is gone. */
const focus = (field: HTMLInputElement | null): void => field?.focus()

/** A button that becomes a field for the name of a new key and a choice of its type. */
export const AddKey = ({ place, taken, onAdd }: Props) => {
  const [isOpen, open] = useState(false)
  const [error, setError] = useState("")
  const where = place.length === 0 ? "" : ` to ${pathText(place)}`
  if (!isOpen) {
    return (
      <button type="button" className="button button-small key-add" onClick={() => open(true)}>
        <Icon name="plus" size={14} />
        Add a key{where}
      </button>
    )
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const data = new FormData(event.currentTarget)
    const key = String(data.get("key") ?? "").trim()
    if (taken.includes(key)) return setError(`There is a ${key} already.`)
    const [, , value = 0] = kinds.find(([name]) => name === data.get("kind")) ?? []
    setError("")
    open(false)
    onAdd(key, value)
  }
  return (
    <form className="row key-add" onSubmit={submit} onKeyDown={({ key }) => key === "Escape" && open(false)}>
      <input
        className="input"
        name="key"
        aria-label="Name of the key"
        required
        maxLength={256}
        ref={focus}
        autoComplete="off"
      />
      <select className="input" name="kind" aria-label="Type of the value" defaultValue="number">
        {kinds.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      <button type="submit" className="button button-small">
        Add
      </button>
      <button type="button" className="button button-small button-quiet" onClick={() => open(false)}>
        Cancel
      </button>
      <span className="form-error" role="alert">
        {error}
      </span>
    </form>
  )
}
