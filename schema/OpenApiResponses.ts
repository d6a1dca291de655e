import type { OpenApi } from "@effect/platform"
import type { JsonTree } from "./JsonTree.ts"
import { isTree, refer, references } from "./JsonTree.ts"
import { generatedDescription, tidy } from "./OpenApiSchemas.ts"

const integer = { type: "integer", minimum: 0 }

const retry = { "Retry-After": { schema: integer } }

/** Headers of failures, by status; a limit of the rate also says where the caller stands. */
const headers: Readonly<Record<string, JsonTree>> = {
  405: { Allow: { schema: { type: "string" } } },
  429: retry,
  503: retry,
  RateLimited: {
    ...retry,
    "RateLimit-Limit": { schema: integer },
    "RateLimit-Remaining": { schema: integer },
    "RateLimit-Reset": { schema: integer }
  }
}

/** What the game side adds to every failure. */
export const sdkFailure = {
  type: "object",
  required: ["errorCode"],
  properties: { errorCode: { type: "string", description: "The same as `code`, under the name that game SDKs read" } }
}

const propertiesOf = (schema: unknown): JsonTree => {
  const properties = isTree(schema) ? schema["properties"] : undefined
  return isTree(properties) ? properties : {}
}

const codeOf = (schema: unknown): ReadonlyArray<string> => {
  const { code } = propertiesOf(schema)
  return isTree(code) && Array.isArray(code["enum"]) ? code["enum"].map(String) : []
}

/** An answer of its own kind, such as that of a server that is not ready, is no failure of the envelope. */
const isEnvelope = (schema: unknown): boolean => "statusCode" in propertiesOf(schema)

/** The platform lists its own decode error beside the declared failures; the envelope replaces it. */
const failuresIn = (response: JsonTree): ReadonlyArray<string> =>
  references(response["content"]).filter((name) => name !== "HttpApiDecodeError")

const failure = (status: string, names: ReadonlyArray<string>, schemas: JsonTree, isSdk: boolean): JsonTree => {
  const declared = names.length === 1 ? refer(names[0] ?? "") : { anyOf: names.map(refer) }
  const schema = isSdk ? { allOf: [declared, refer("SdkFailure")] } : declared
  const own = headers[names.includes("RateLimited") ? "RateLimited" : status]
  return {
    description: names.flatMap((name) => codeOf(schemas[name])).join(", "),
    ...(own === undefined ? {} : { headers: own }),
    content: { "application/json": { schema } }
  }
}

const success = (response: JsonTree): JsonTree => {
  const { description, content, ...rest } = response
  const isGenerated = typeof description === "string" && generatedDescription.test(description)
  return {
    ...rest,
    description: isGenerated ? "Success" : description,
    ...(content === undefined ? {} : { content: tidy(content) })
  }
}

/** Failures that only a request with a body can have; the platform declares them for the whole API. */
const ofBodies: ReadonlySet<string> = new Set(["MalformedJson", "PayloadTooLarge", "UnsupportedMediaType"])

/** What decides which failures an operation has beside those that it declares. */
interface Manner {
  /** Games read more of a refusal. */
  readonly isSdk: boolean
  /** It is answered whatever there is to do. */
  readonly isVital: boolean
}

/** Responses of one operation: every failure by its code, and only failures that the server really answers. */
export const describeResponses = (
  { responses, requestBody }: Pick<OpenApi.OpenAPISpecOperation, "responses" | "requestBody">,
  schemas: JsonTree,
  { isSdk, isVital }: Manner
) =>
  Object.fromEntries(
    Object.entries(responses).flatMap(([status, response]) => {
      const tree: JsonTree = { ...response }
      const all = failuresIn(tree).filter((name) => !(isVital && name === "Overloaded"))
      const isAnswer = all.length > 0 && !all.some((name) => isEnvelope(schemas[name]))
      if (Number(status) < 400 || isAnswer) return [[status, success(tree)]]
      const names = all.filter((name) => requestBody !== undefined || !ofBodies.has(name))
      return names.length === 0 ? [] : [[status, failure(status, names, schemas, isSdk)]]
    })
  )
