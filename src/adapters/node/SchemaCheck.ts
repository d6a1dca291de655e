import type { ErrorObject, ValidateFunction } from "ajv"
import { Ajv } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Either } from "effect"
import type { Document, Json } from "../../domain/configuration/Document.ts"
import type { SchemaViolation, SchemaViolations } from "../../ports/configuration/JsonSchemas.ts"
import { mostViolations, SchemaUnusable } from "../../ports/configuration/JsonSchemas.ts"

const options = {
  allErrors: true,
  strictTypes: false,
  strictTuples: false,
  validateFormats: false,
  ownProperties: true,
  logger: false
} as const

/**
 * Each schema is compiled by an instance of its own, so that one customer's `$id` never resolves in another's schema.
 */
const alone = { ...options, meta: false, validateSchema: false } as const

const newest = "https://json-schema.org/draft/2020-12/schema"
const older = "http://json-schema.org/draft-07/schema"

const keysOf = (pointer: string) =>
  pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))

/** Parameters of an Ajv error that name the offending key or the allowed values. */
const namingParams = ["additionalProperty", "unevaluatedProperty", "allowedValues", "allowedValue"]

/** Adds the key or value to messages that do not name it. */
const detailOf = ({ params }: ErrorObject): string =>
  namingParams
    .filter((name) => params[name] !== undefined)
    .map((name) => `: ${JSON.stringify(params[name])}`)
    .join("")

const violationOf = (error: ErrorObject): SchemaViolation => ({
  path: keysOf(error.instancePath),
  message: `${error.message ?? error.keyword}${detailOf(error)}`
})

const readers = [
  { names: [undefined, newest], reader: new Ajv2020(options), compiler: () => new Ajv2020(alone) },
  { names: [older, `${older}#`], reader: new Ajv(options), compiler: () => new Ajv(alone) }
]

/** Reads the schemas of schemas now, so that the first check does not wait for it. */
export const warmUp = (): void => {
  for (const { reader } of readers) reader.validateSchema({})
}

const unusable = (message: string) => Either.left(new SchemaUnusable({ message }))

const reasonOf = (error: unknown): string => {
  if (error instanceof RangeError) return "it refers to itself without end"
  return error instanceof Error ? error.message : String(error)
}

const attempt = <A>(work: () => A): Either.Either<A, SchemaUnusable> =>
  Either.try({ try: work, catch: (error) => new SchemaUnusable({ message: reasonOf(error) }) })

/** Reads a schema: 2020-12, or draft-07 where `$schema` says so. */
export const compile = (schema: Document): Either.Either<ValidateFunction, SchemaUnusable> => {
  const dialect = readers.find(({ names }) => names.some((name) => name === schema["$schema"]))
  if (dialect === undefined) return unusable(`$schema: expected ${newest} or ${older}`)
  if (Object.hasOwn(schema, "$async")) return unusable("$async: expected no such keyword")
  const { reader, compiler } = dialect
  return Either.flatMap(
    attempt(() => reader.validateSchema(schema)),
    (isValid) =>
      isValid === true
        ? attempt(() => compiler().compile(schema))
        : unusable(reader.errorsText(reader.errors, { dataVar: "schema" }))
  )
}

/** What of the value breaks the schema. */
export const check = (validate: ValidateFunction, value: Json): Either.Either<SchemaViolations, SchemaUnusable> =>
  attempt(() => {
    const errors = validate(value) ? [] : (validate.errors ?? [])
    return { total: errors.length, first: errors.slice(0, mostViolations).map(violationOf) }
  })
