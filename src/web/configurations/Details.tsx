import { useMutation } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useState } from "react"
import { useLocation } from "wouter"
import { call } from "../api/client.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { Sheet } from "../ui/Sheet.tsx"
import type { Configuration } from "./ConfigurationQueries.ts"
import { documentText, readDocument } from "./Draft.ts"
import { JsonField, NameField, typedText } from "./FormFields.tsx"

interface Props {
  readonly configuration: Configuration
  readonly onClose: () => void
  readonly onChanged: () => void
}

/** Name, alias, description and schema; being the primary one; deletion. */
export const Details = ({ configuration, onClose, onChanged }: Props) => {
  const { applicationId, environment } = useProject()
  const where = useWhere()
  const [, navigate] = useLocation()
  const [misread, setMisread] = useState("")
  const [typedName, setTypedName] = useState("")
  const address = {
    path: { applicationId: where.applicationId, configurationId: configuration.id },
    environment: where.environmentId
  }
  type Body = {
    readonly name: string
    readonly alias: string | null
    readonly description: string | null
    readonly schema: Configuration["schema"]
  }
  const saving = useMutation({
    mutationFn: (body: Body) => call("configurations.patch", { ...address, body }),
    onSuccess: onChanged
  })
  const promoting = useMutation({ mutationFn: () => call("configurations.makePrimary", address), onSuccess: onChanged })
  const removing = useMutation({
    mutationFn: () => call("configurations.remove", address),
    onSuccess: () => navigate(`/p/${applicationId}/${environment.alias}/configurations`)
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const text = (name: string) => typedText(data, name)
    const schema = text("schema") === "" ? null : readDocument(text("schema"))
    if (schema !== null && !schema.ok) return setMisread(`The schema is no JSON: ${schema.misread.message}`)
    setMisread("")
    saving.mutate({
      name: text("name"),
      alias: text("alias") === "" ? null : text("alias"),
      description: text("description") === "" ? null : text("description"),
      schema: schema === null ? null : schema.value
    })
  }
  return (
    <Sheet title="Details" onClose={onClose}>
      <form className="builder" onSubmit={submit}>
        <NameField defaultValue={configuration.name} />
        <label className="field">
          Alias
          <input name="alias" maxLength={100} defaultValue={configuration.alias ?? ""} />
          <small>Games may fetch it by this as well.</small>
        </label>
        <label className="field">
          Description
          <input name="description" maxLength={255} defaultValue={configuration.description ?? ""} />
        </label>
        <JsonField
          label="JSON Schema"
          name="schema"
          defaultValue={configuration.schema === null ? "" : documentText(configuration.schema)}
        >
          <small>What breaks it cannot be published, by hand or by an experiment. Empty: anything goes.</small>
        </JsonField>
        <p className="form-error" role="alert">
          {misread || saving.error?.message}
        </p>
        <button type="submit" className="button button-primary" disabled={saving.isPending}>
          Save
        </button>
      </form>
      {!configuration.isPrimary && (
        <section className="danger">
          <h2>Make it the primary configuration</h2>
          <p>Games in {environment.name} that name no configuration get this one with their next poll.</p>
          <button type="button" className="button" disabled={promoting.isPending} onClick={() => promoting.mutate()}>
            Make primary
          </button>
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
        <button
          type="button"
          className="button"
          disabled={typedName !== configuration.name || removing.isPending}
          onClick={() => removing.mutate()}
        >
          Delete the configuration
        </button>
      </section>
    </Sheet>
  )
}
