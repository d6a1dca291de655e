import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useState } from "react"
import { call } from "../api/client.ts"
import { useWhere } from "../shell/Project.tsx"
import { Sheet } from "../ui/Sheet.tsx"
import type { Configuration } from "./ConfigurationQueries.ts"
import { configurationsKey } from "./ConfigurationQueries.ts"
import { readDocument } from "./Draft.ts"
import { JsonField, NameField, typedText } from "./FormFields.tsx"

interface Props {
  readonly onClose: () => void
  readonly onCreated: (configuration: Configuration) => void
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
    const text = typedText(data, "document")
    const read = readDocument(text === "" ? "{}" : text)
    if (read.ok) {
      setMisread("")
      making.mutate({ name: typedText(data, "name"), configuration: read.value })
    } else setMisread(`${read.misread.message} (line ${read.misread.line})`)
  }
  return (
    <Sheet title="New configuration" onClose={onClose}>
      <form className="builder" onSubmit={submit}>
        <NameField>
          <small>Games fetch it by this name, or by the alias made of it.</small>
        </NameField>
        <JsonField label="Document (JSON)" name="document" placeholder='{ "price": 499 }'>
          <small>May stay empty: keys can be added afterwards.</small>
        </JsonField>
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
