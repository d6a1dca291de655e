import { Ajv } from "ajv"
import type { ErrorObject } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, Either, Layer, Predicate } from "effect"
import { Script } from "node:vm"
import type { Document, Json } from "../../domain/configuration/Document.ts"
import type { SchemaViolation } from "../../ports/configuration/JsonSchemas.ts"
import { JsonSchemas, SchemaUnusable } from "../../ports/configuration/JsonSchemas.ts"

/** How long one check may take, in milliseconds: a pattern may take forever. */
const longestCallMillis = 500

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

const call = new Script("work()")

type Checked = Either.Either<ReadonlyArray<SchemaViolation>, SchemaUnusable>

const limited = (work: () => Checked): Checked => {
  let result: Checked = Either.right([])
  call.runInNewContext({ work: () => void (result = work()) }, { timeout: longestCallMillis })
  return result
}

const reasonOf = (error: unknown): string => {
  if (Predicate.hasProperty(error, "code") && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return "it takes too long"
  if (error instanceof RangeError) return "it refers to itself without end"
  return Predicate.isError(error) ? error.message : String(error)
}

export const JsonSchemasNode = Layer.sync(JsonSchemas, () => {
  const readers = [
    { names: [undefined, newest], reader: new Ajv2020(options), compiler: () => new Ajv2020(alone) },
    { names: [older, `${older}#`], reader: new Ajv(options), compiler: () => new Ajv(alone) }
  ]
  for (const { reader } of readers) reader.validateSchema({})

  const check = ({ reader, compiler }: (typeof readers)[number], schema: Document, value: Json) => {
    if (reader.validateSchema(schema) !== true) {
      return Either.left(new SchemaUnusable({ message: reader.errorsText(reader.errors, { dataVar: "schema" }) }))
    }
    const validate = compiler().compile(schema)
    return Either.right(validate(value) ? [] : (validate.errors ?? []).map(violationOf))
  }

  return {
    violations: Effect.fn("JsonSchemas.violations")(function* (schema, value) {
      const dialect = readers.find(({ names }) => names.some((name) => name === schema["$schema"]))
      if (dialect === undefined)
        return yield* new SchemaUnusable({ message: `$schema: expected ${newest} or ${older}` })
      if (Object.hasOwn(schema, "$async"))
        return yield* new SchemaUnusable({ message: "$async: expected no such keyword" })
      return yield* yield* Effect.try({
        try: () => limited(() => check(dialect, schema, value)),
        catch: (error) => new SchemaUnusable({ message: reasonOf(error) })
      })
    })
  }
})
