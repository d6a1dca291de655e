import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useState } from "react"
import { call } from "../api/client.ts"
import { useWhere } from "../shell/Project.tsx"
import { Sheet } from "../ui/Sheet.tsx"
import type { Configuration } from "./ConfigurationQueries.ts"
import { configurationsKey } from "./ConfigurationQueries.ts"
import { readDocument } from "./Draft.ts"

interface Props {
  readonly onClose: () => void
  readonly onCreated: (configuration: Configuration) => void
}

const textOf = (data: FormData, name: string): string => {
  const value = data.get(name)
  return typeof value === "string" ? value.trim() : ""
}

/** Asks for a name and, for who has one, a document to begin with. */
export const NewConfiguration = ({ onClose, onCreated }: Props) => {
  const where = useWhere()
  const queries = useQueryClient()
  const [misread, setMisread] = useState("")
  const making = useMutation({
    mutationFn: (body: { readonly name: string; readonly configuration: Configuration["configuration"] }) =>
      call("configurations.create", {
        path: { applicationId: where.applicationId },
        environment: where.environmentId,
        body
      }),
    onSuccess: async (configuration) => {
      await queries.invalidateQueries({ queryKey: configurationsKey(where) })
      onCreated(configuration)
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const text = textOf(data, "document")
    const read = readDocument(text === "" ? "{}" : text)
    if (read.ok) {
      setMisread("")
      making.mutate({ name: textOf(data, "name"), configuration: read.value })
    } else setMisread(`${read.misread.message} (line ${read.misread.line})`)
  }
  return (
    <Sheet title="New configuration" onClose={onClose}>
      <form className="builder" onSubmit={submit}>
        <label className="field">
          Name
          <input name="name" required maxLength={100} autoComplete="off" />
          <small>Games fetch it by this name, or by the alias made of it.</small>
        </label>
        <label className="field">
          Document (JSON)
          <textarea className="json" name="document" rows={12} spellCheck={false} placeholder='{ "price": 499 }' />
          <small>May stay empty: keys can be added afterwards.</small>
        </label>
        <p className="form-error" role="alert">
          {misread || making.error?.message}
        </p>
        <button type="submit" className="button button-primary" disabled={making.isPending}>
          Create
        </button>
      </form>
    </Sheet>
  )
}
