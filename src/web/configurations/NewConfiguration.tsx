import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useState } from "react"
import { call } from "../api/client.ts"
import { useWhere } from "../shell/Project.tsx"
import { Button } from "../ui/Button.tsx"
import type { Shape } from "../ui/kept/Kept.ts"
import { KeptNotice } from "../ui/kept/KeptNotice.tsx"
import { Sheet } from "../ui/dialogs/Sheet.tsx"
import { useKept } from "../ui/kept/useKept.ts"
import type { Configuration } from "./ConfigurationQueries.ts"
import { configurationsKey } from "./ConfigurationQueries.ts"
import { readDocument } from "./Draft.ts"
import { JsonField, NameField } from "./FormFields.tsx"

interface Props {
  readonly onClose: () => void
  readonly onCreated: (configuration: Configuration) => void
}

interface Typed {
  readonly name: string
  readonly text: string
}

const nothing: Typed = { name: "", text: "" }

const shape: Shape<Typed> = {
  version: 1,
  read: (kept) => (typeof kept.name === "string" && typeof kept.text === "string" ? kept : null)
}

/** Asks for a name and, for who has one, a document to begin with. */
export const NewConfiguration = ({ onClose, onCreated }: Props) => {
  const where = useWhere()
  const queries = useQueryClient()
  const [misread, setMisread] = useState("")
  const { draft, wasKept, change, discard } = useKept(`configuration-${where.environmentId}`, shape)
  const { name, text } = draft ?? nothing
  const type = (part: Partial<Typed>) => change((present) => ({ ...(present ?? nothing), ...part }))
  const making = useMutation({
    mutationFn: (body: { readonly name: string; readonly configuration: Configuration["configuration"] }) =>
      call("configurations.create", {
        path: { applicationId: where.applicationId },
        environment: where.environmentId,
        body
      }),
    onSuccess: async (configuration) => {
      discard()
      await queries.invalidateQueries({ queryKey: configurationsKey(where) })
      onCreated(configuration)
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const read = readDocument(text.trim() === "" ? "{}" : text)
    if (read.ok) {
      setMisread("")
      making.mutate({ name: name.trim(), configuration: read.value })
    } else setMisread(`${read.misread.message} (line ${read.misread.line})`)
  }
  return (
    <Sheet title="New configuration" asks="never" onClose={onClose}>
      <form className="builder" onSubmit={submit}>
        {wasKept && <KeptNotice what="What you typed here" onDiscard={discard} />}
        <NameField value={name} onChange={({ currentTarget }) => type({ name: currentTarget.value })}>
          <small>Games fetch it by this name, or by the alias made of it.</small>
        </NameField>
        <JsonField
          label="Document (JSON)"
          value={text}
          onChange={({ currentTarget }) => type({ text: currentTarget.value })}
          placeholder='{ "price": 499 }'
        >
          <small>May stay empty: keys can be added afterwards.</small>
        </JsonField>
        <p className="form-error" role="alert">
          {misread || making.error?.message}
        </p>
        <Button type="submit" className="button button-primary" disabled={making.isPending}>
          Create
        </Button>
      </form>
    </Sheet>
  )
}
