import { useState } from "react"
import type { Where } from "../api/queries.ts"
import { numberText } from "../text/Numbers.ts"
import { Moment } from "../ui/Moment.tsx"
import { InlineText } from "../ui/InlineText.tsx"
import type { Field, FieldSource, useDescribe } from "./PlanQueries.ts"
import { useValuesOf } from "./PlanQueries.ts"

interface Props {
  readonly where: Where
  readonly source: FieldSource
  readonly type: string
  readonly field: Field
  readonly denied: string | null
  readonly describe: ReturnType<typeof useDescribe>
}

const orNull = (text: string): string | null => (text === "" ? null : text)

/** The most frequent values, with bars in their proportion. */
const Values = ({ where, source, type, field }: Pick<Props, "where" | "source" | "type" | "field">) => {
  const [isOpen, setOpen] = useState(false)
  const values = useValuesOf(where, source, type, field.name, isOpen)
  const highest = values.data?.[0]?.count ?? 1
  return (
    <details className="field-values" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Values by frequency</summary>
      {values.error !== null && <p className="form-error">{values.error.message}</p>}
      {values.data?.length === 0 && <p className="faint">No value is known.</p>}
      <ul>
        {values.data?.map(({ value, count }) => (
          <li key={`${typeof value} ${String(value)}`}>
            <span className="value-text">{String(value) === "" ? "empty" : String(value)}</span>
            <span className="number">{numberText(count)}</span>
            <meter min={0} max={highest} value={count} aria-hidden="true" />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** An argument or property of a type. What people say of an argument is edited where it stands; nobody describes properties. */
export const FieldCard = (props: Props) => {
  const { source, type, field, denied, describe } = props
  const { name, dataType, description, unit, decimals, lastSeenAt } = field
  const save = (part: { description?: string | null; unit?: string | null; decimals?: number | null }) =>
    describe.mutateAsync({ arguments: [{ type, name, ...part }] })
  const saveDecimals = (text: string) => {
    const digits = Number(text)
    return text === "" || (Number.isInteger(digits) && digits >= 0 && digits <= 20)
      ? save({ decimals: text === "" ? null : digits })
      : Promise.reject(new Error("Decimals are a whole number from 0 to 20."))
  }
  return (
    <li className="field-card">
      <h3>
        <code>{name}</code> <span className="faint">{dataType}</span>
        {lastSeenAt === null && <span className="tag tag-warning">never arrived</span>}
      </h3>
      {source === "argument" && (
        <>
          <InlineText
            label={`Description of ${name}`}
            value={description ?? ""}
            placeholder="Describe it"
            longest={255}
            denied={denied}
            onSave={(text) => save({ description: orNull(text) })}
          />
          {dataType === "number" && (
            <p className="field-numbers">
              <span className="faint">Unit</span>
              <InlineText
                label={`Unit of ${name}`}
                value={unit ?? ""}
                placeholder="none"
                longest={32}
                denied={denied}
                onSave={(text) => save({ unit: orNull(text) })}
              />
              <span className="faint">Decimals</span>
              <InlineText
                label={`Decimals of ${name}`}
                value={decimals === null ? "" : String(decimals)}
                placeholder="as they are"
                longest={2}
                denied={denied}
                onSave={saveDecimals}
              />
            </p>
          )}
        </>
      )}
      {lastSeenAt !== null && (
        <>
          <small className="faint">
            last seen <Moment at={lastSeenAt} as="weekday" />
          </small>
          <Values {...props} />
        </>
      )}
    </li>
  )
}
