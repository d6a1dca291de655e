import type { FormEvent } from "react"
import { Link } from "wouter"
import type { Where } from "../api/queries.ts"
import { useProject } from "../shell/Project.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { InlineText } from "../ui/InlineText.tsx"
import { Sheet } from "../ui/dialogs/Sheet.tsx"
import { Callout, Failed, Skeleton } from "../ui/States.tsx"
import { joinParts } from "../url/Parts.ts"
import { FieldCard } from "./FieldCard.tsx"
import type { FieldSource, useDescribe } from "./PlanQueries.ts"
import { useFieldsOf } from "./PlanQueries.ts"
import type { MarkerType } from "./PlanState.ts"

interface Props {
  readonly where: Where
  readonly type: MarkerType
  readonly denied: string | null
  readonly describe: ReturnType<typeof useDescribe>
  readonly onClose: () => void
}

const Fields = ({ source, where, type, denied, describe }: Props & { readonly source: FieldSource }) => {
  const fields = useFieldsOf(where, source, type.name)
  if (fields.data === undefined) {
    return fields.error === null ? (
      <Skeleton height={120} />
    ) : (
      <Failed error={fields.error} retry={() => void fields.refetch()} />
    )
  }
  return fields.data.length === 0 ? (
    <p className="faint">None so far.</p>
  ) : (
    <ul className="field-cards">
      {fields.data.map((field) => (
        <FieldCard
          key={field.name}
          where={where}
          source={source}
          type={type.name}
          field={field}
          denied={denied}
          describe={describe}
        />
      ))}
    </ul>
  )
}

/** Describes an argument before it arrives. */
const PlanArgument = ({ type, denied, describe }: Props) => {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = String(new FormData(form).get("name")).trim()
    if (name !== "") describe.mutate({ arguments: [{ type: type.name, name }] }, { onSuccess: () => form.reset() })
  }
  return (
    <form className="plan-argument" onSubmit={submit}>
      <label className="field">
        Plan an argument that has not arrived yet
        <input name="name" maxLength={256} autoComplete="off" spellCheck={false} readOnly={denied !== null} />
      </label>
      <DeniableButton type="submit" denied={denied} isBusy={describe.isPending}>
        Add
      </DeniableButton>
    </form>
  )
}

/** One type of markers: what people say of it, its arguments and properties, and their values. */
export const TypeSheet = (props: Props) => {
  const { type, denied, describe, onClose } = props
  const { applicationId, environment } = useProject()
  const place = `/p/${applicationId}/${environment.alias}`
  const { name, displayName, description, status } = type
  const isHidden = status === "hidden"
  const save = (part: { displayName?: string | null; description?: string | null; hidden?: boolean }) =>
    describe.mutateAsync({ types: [{ name, ...part }] })
  return (
    <Sheet title={displayName ?? name} onClose={onClose}>
      {denied !== null && <Callout>You may read the plan. {denied}</Callout>}
      <dl className="type-words">
        <dt>Sent by the game as</dt>
        <dd>
          <code>{name}</code>
        </dd>
        <dt>Shown as</dt>
        <dd>
          <InlineText
            label={`Name of ${name}`}
            value={displayName ?? ""}
            placeholder={name}
            longest={100}
            denied={denied}
            onSave={(text) => save({ displayName: text === "" ? null : text })}
          />
        </dd>
        <dt>Description</dt>
        <dd>
          <InlineText
            label={`Description of ${name}`}
            value={description ?? ""}
            placeholder="Describe when the game sends it"
            longest={255}
            denied={denied}
            onSave={(text) => save({ description: text === "" ? null : text })}
          />
        </dd>
      </dl>
      {describe.error !== null && (
        <p className="form-error" role="alert">
          {describe.error.message}
        </p>
      )}
      <div className="row">
        {type.lastSeenAt !== null && (
          <>
            <Link
              className="button button-small"
              href={`${place}/insights?m=${encodeURIComponent(joinParts([name, "totalEvents"]))}`}
            >
              <Icon name="chart" size={14} />
              Chart
            </Link>
            <Link className="button button-small" href={`${place}/markers?type=${encodeURIComponent(name)}`}>
              <Icon name="pulse" size={14} />
              The newest of them
            </Link>
          </>
        )}
        <DeniableButton
          look="button-small"
          denied={denied}
          isBusy={describe.isPending}
          tip="Hidden types are not offered in questions; their markers are kept"
          onClick={() => describe.mutate({ types: [{ name, hidden: !isHidden }] })}
        >
          {isHidden ? "Show it again" : "Hide it from questions"}
        </DeniableButton>
      </div>
      <h3>Arguments</h3>
      <Fields {...props} source="argument" />
      <PlanArgument {...props} />
      <h3>Properties of its players</h3>
      <Fields {...props} source="property" />
    </Sheet>
  )
}
