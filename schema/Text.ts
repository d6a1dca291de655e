import { Schema } from "effect"
import { emailPattern, isReadableAddress, newEmailPattern } from "../src/domain/access/User.ts"
import { hasCharacters } from "../src/domain/Characters.ts"

/** Text of `low` to `high` characters, as Unicode and JSON Schema count them. */
export const text = (low: number, high: number) => {
  const said = low === 0 ? `at most ${high} characters` : `${low} to ${high} characters`
  const annotations = { message: () => `expected ${said}`, description: said }
  const bounded = Schema.String.pipe(
    Schema.filter((value) => hasCharacters(value, 0, high), {
      ...annotations,
      schemaId: Schema.MaxLengthSchemaId,
      jsonSchema: { maxLength: high }
    })
  )
  if (low === 0) return bounded
  return bounded.pipe(
    Schema.filter((value) => hasCharacters(value, low, high), {
      ...annotations,
      schemaId: Schema.MinLengthSchemaId,
      jsonSchema: { minLength: low }
    })
  )
}

/** Text of `low` to `high` characters that shows something: one of spaces alone is an empty line in every list. */
export const visibleText = (low: number, high: number) => {
  const said = `${low} to ${high} characters, not only spaces`
  return text(low, high).pipe(Schema.pattern(/\S/, { message: () => `expected ${said}`, description: said }))
}

/** Name that a person gives to a thing of theirs. */
export const Title = visibleText(1, 100)

/** Name that is read again from what was stored: those given before may show nothing. */
export const KnownTitle = text(1, 100)

export const Description = text(0, 255)

export const Handle = text(1, 128)

const address = (pattern: RegExp, shown: { readonly pattern?: string }) =>
  Schema.String.pipe(
    Schema.pattern(pattern, {
      message: () => "expected an e-mail address",
      jsonSchema: { type: "string", format: "email", ...shown }
    }),
    Schema.maxLength(254)
  )

/** E-mail address that an account is looked for by: those of old accounts may have what no new one may. */
export const Email = address(emailPattern, {})

/** E-mail address that becomes the one of an account, by which others tell who that is. */
export const NewEmail = address(newEmailPattern, { pattern: newEmailPattern.source }).pipe(
  Schema.filter(isReadableAddress, {
    message: () => "expected an e-mail address without characters that cannot be seen or that look like others",
    jsonSchema: {}
  })
)

/** E-mail address in an answer. */
export const KnownEmail = Schema.String.annotations({ jsonSchema: { type: "string", format: "email" } })

export const Color = Schema.String.pipe(
  Schema.pattern(/^#[0-9a-fA-F]{6}$/, { message: () => "expected a colour such as #1f2d3c" })
)

export const WebUrl = Schema.String.pipe(
  Schema.pattern(/^https?:\/\/[^\s]+$/, { message: () => "expected an http or https address" }),
  Schema.maxLength(2048)
)

/** IANA name of a time zone, such as `Europe/Paris`. */
export const TimeZoneName = text(1, 64)
