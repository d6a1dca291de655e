import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useState } from "react"
import { call } from "../api/client.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { asRead } from "../text/AsRead.ts"
import { Button } from "../ui/Button.tsx"
import { ChangedMeanwhile } from "../ui/kept/ChangedMeanwhile.tsx"
import { Sheet } from "../ui/dialogs/Sheet.tsx"
import { type Configuration, configurationQuery } from "./ConfigurationQueries.ts"
import { type ConfigurationDetails, detailsChanged } from "./DetailsChanged.ts"
import { documentText, readDocument } from "./Draft.ts"
import { JsonField, NameField, typedText } from "./FormFields.tsx"
import { useOnward } from "../url/useOnward.ts"

interface Props {
  readonly configuration: Configuration
  readonly onClose: () => void
  readonly onChanged: () => void
}

interface Asked {
  readonly typed: ConfigurationDetails
  /** Whether what is typed goes over what somebody else has made of it. */
  readonly isInsisting: boolean
}

class Outdated extends Error {}

/** Name, alias, description and schema; being the primary one; deletion. */
export const Details = ({ configuration, onClose, onChanged }: Props) => {
  const { applicationId, environment } = useProject()
  const where = useWhere()
  const queries = useQueryClient()
  const onward = useOnward()
  const [misread, setMisread] = useState("")
  const [typedName, setTypedName] = useState("")
  const address = {
    path: { applicationId: where.applicationId, configurationId: configuration.id },
    environment: where.environmentId
  }
  // Others may change the same configuration while this is open: what nobody has typed over here stays theirs.
  const [begun] = useState(configuration)
  const saving = useMutation({
    mutationFn: async ({ typed, isInsisting }: Asked) => {
      const body = detailsChanged(begun, typed)
      const asked = { ...configurationQuery(where, configuration.id), staleTime: 0, networkMode: "always" as const }
      const present = await queries.fetchQuery(asked)
      const theirs = detailsChanged(begun, present)
      const meets = Object.keys(body).some((field) => Object.hasOwn(theirs, field))
      if (meets && !isInsisting) return Promise.reject(new Outdated())
      return call("configurations.patch", { ...address, body })
    },
    onSuccess: onChanged
  })
  const isOutdated = saving.error instanceof Outdated
  const promoting = useMutation({ mutationFn: () => call("configurations.makePrimary", address), onSuccess: onChanged })
  const removing = useMutation({
    mutationFn: () => call("configurations.remove", address),
    onSuccess: () => onward(`/p/${applicationId}/${environment.alias}/configurations`)
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const text = (name: string) => typedText(data, name)
    const schema = text("schema") === "" ? null : readDocument(text("schema"))
    if (schema !== null && !schema.ok) return setMisread(`The schema is no JSON: ${schema.misread.message}`)
    setMisread("")
    const typed = {
      name: text("name"),
      alias: text("alias") === "" ? null : text("alias"),
      description: text("description") === "" ? null : text("description"),
      schema: schema === null ? null : schema.value
    }
    saving.mutate({ typed, isInsisting: false })
  }
  return (
    <Sheet title="Details" onClose={onClose}>
      <form className="builder" onSubmit={submit}>
        <NameField defaultValue={begun.name} />
        <label className="field">
          Alias
          <input name="alias" maxLength={100} defaultValue={begun.alias ?? ""} />
          <small>Games may fetch it by this as well.</small>
        </label>
        <label className="field">
          Description
          <input name="description" maxLength={255} defaultValue={begun.description ?? ""} />
        </label>
        <JsonField
          label="JSON Schema"
          name="schema"
          defaultValue={begun.schema === null ? "" : documentText(begun.schema)}
        >
          <small>What breaks it cannot be published, by hand or by an experiment. Empty: anything goes.</small>
        </JsonField>
        {isOutdated && saving.variables !== undefined ? (
          <ChangedMeanwhile
            what="these details"
            onTheirs={onChanged}
            onMine={() => saving.mutate({ typed: saving.variables.typed, isInsisting: true })}
          />
        ) : (
          <p className="form-error" role="alert">
            {misread || saving.error?.message}
          </p>
        )}
        <Button type="submit" className="button button-primary" disabled={saving.isPending}>
          Save
        </Button>
      </form>
      {!configuration.isPrimary && (
        <section className="danger">
          <h2>Make it the primary configuration</h2>
          <p>Games in {environment.name} that name no configuration get this one with their next poll.</p>
          <Button type="button" className="button" disabled={promoting.isPending} onClick={() => promoting.mutate()}>
            Make primary
          </Button>
          <p className="form-error" role="alert">
            {promoting.error?.message}
          </p>
        </section>
      )}
      <section className="danger">
        <h2>Delete</h2>
        <p>Its versions go with it. What an experiment or a link refers to cannot be deleted. There is no way back.</p>
        <label className="field">
          Type {configuration.name} to confirm
          <input
            value={typedName}
            autoComplete="off"
            onChange={({ currentTarget }) => setTypedName(currentTarget.value)}
          />
        </label>
        <p className="form-error" role="alert">
          {removing.error?.message}
        </p>
        <Button
          type="button"
          className="button"
          disabled={asRead(typedName) !== asRead(configuration.name) || removing.isPending}
          onClick={() => removing.mutate()}
        >
          Delete the configuration
        </Button>
      </section>
    </Sheet>
  )
}
