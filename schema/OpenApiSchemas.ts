import type { JsonTree } from "./JsonTree.ts"
import { isTree, mapTree, refer, references } from "./JsonTree.ts"

const generatedTitle = /^([a-z]\w*\(.*\)|[a-z]+)$/
/** Descriptions that the generator makes of a constraint. */
export const generatedDescription = /^an? (string|number|integer|finite|positive|array|Universally)\b/

const withoutGenerated = (tree: JsonTree): JsonTree => {
  const { title, description, ...rest } = tree
  return {
    ...rest,
    ...(title === undefined || (typeof title === "string" && generatedTitle.test(title)) ? {} : { title }),
    ...(description === undefined || (typeof description === "string" && generatedDescription.test(description))
      ? {}
      : { description })
  }
}

const withoutSingleAllOf = (tree: JsonTree): JsonTree => {
  const { allOf, ...rest } = tree
  const [only, ...others]: ReadonlyArray<unknown> = Array.isArray(allOf) ? allOf : []
  return isTree(only) && others.length === 0 ? { ...only, ...rest } : tree
}

/** The generator names its own schemas by addresses that stand in a document many times, which no validator takes. */
const withoutAddress = (tree: JsonTree): JsonTree => {
  const { $id, ...rest } = tree
  return typeof $id === "string" && $id.startsWith("/schemas/") ? rest : tree
}

/** What the generator calls numbers. Facts beside a reference tell validators nothing of the type they are about. */
const numbers: Readonly<Record<string, string>> = { Int: "integer", JsonNumber: "number" }

const withNumber = (tree: JsonTree): JsonTree => {
  const { $ref, ...rest } = tree
  const [name = ""] = references({ $ref })
  const type = numbers[name]
  return type === undefined ? tree : { type, ...rest }
}

/** A record: generators of clients read `additionalProperties` and no pattern. */
const withEntries = (tree: JsonTree): JsonTree => {
  const { patternProperties, required: _, properties, ...rest } = tree
  const entries = isTree(patternProperties) ? patternProperties[""] : undefined
  const isRecord = entries !== undefined && isTree(properties) && Object.keys(properties).length === 0
  return isRecord ? { ...rest, additionalProperties: entries } : tree
}

/** A schema without what the generator says of constraints that stand beside it anyway. */
export const tidy = (value: unknown): unknown =>
  mapTree(value, (tree) => withNumber(withEntries(withoutAddress(withoutGenerated(withoutSingleAllOf(tree))))))

const reachable = (roots: ReadonlyArray<string>, schemas: JsonTree): ReadonlySet<string> => {
  const found = new Set<string>()
  const queue = [...roots]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name)) continue
    found.add(name)
    queue.push(...references(schemas[name]))
  }
  return found
}

const open = (tree: JsonTree): JsonTree => {
  const { additionalProperties, ...rest } = tree
  return additionalProperties === false ? rest : tree
}

export const isFailure = (schema: unknown): boolean =>
  isTree(schema) && isTree(schema["properties"]) && "statusCode" in schema["properties"]

const copyOf = (name: string): string => `Sdk${name}`

const redirect =
  (names: ReadonlySet<string>) =>
  (tree: JsonTree): JsonTree => {
    const [name, ...others] = references({ $ref: tree["$ref"] })
    return name !== undefined && others.length === 0 && names.has(name) ? { ...tree, ...refer(copyOf(name)) } : tree
  }

/** The bodies of games and of markers, whose unknown fields are left alone, apart from all that has no other fields. */
export interface Lenient {
  readonly bodies: ReadonlyArray<unknown>
  readonly others: ReadonlyArray<unknown>
}

/** Schemas that lenient bodies share with anything else, which stays closed: of these there is an open copy. */
export const sharedWithLenient = (schemas: JsonTree, { bodies, others }: Lenient): ReadonlySet<string> => {
  const closed = reachable(others.flatMap(references), schemas)
  const isClosed = (name: string) =>
    [...reachable([name], schemas)].some((each) =>
      JSON.stringify(schemas[each]).includes('"additionalProperties":false')
    )
  const sent = reachable(bodies.flatMap(references), schemas)
  return new Set([...sent].filter((name) => closed.has(name) && isClosed(name)))
}

/** Lenient bodies leave unknown fields alone, and failures of the game side carry one more. Nothing else has other fields. */
export const openLenient = (schemas: JsonTree, lenient: Lenient): JsonTree => {
  const shared = sharedWithLenient(schemas, lenient)
  const sent = reachable(lenient.bodies.flatMap(references), schemas)
  const opened = (schema: unknown) => mapTree(mapTree(schema, open), redirect(shared))
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => {
      if (shared.has(name))
        return [
          [name, schema],
          [copyOf(name), opened(schema)]
        ]
      return [[name, sent.has(name) ? opened(schema) : isFailure(schema) ? mapTree(schema, open) : schema]]
    })
  )
}

/** The schema of a lenient body, which refers to the open copies. */
export const lenientSchema = (schema: unknown, shared: ReadonlySet<string>): unknown =>
  mapTree(mapTree(schema, open), redirect(shared))

/** A body with what it says of each media type changed. */
export const mapMedia = (body: unknown, change: (media: JsonTree) => JsonTree): unknown => {
  if (!isTree(body) || !isTree(body["content"])) return body
  const media = Object.entries(body["content"])
  const content = Object.fromEntries(media.map(([type, each]) => [type, isTree(each) ? change(each) : each]))
  return { ...body, content }
}

/** An optional body accepts null in its place; the document says so by `required`. */
export const openBody = (body: unknown): unknown => {
  if (!isTree(body) || !isTree(body["content"])) return body
  const [[type, media] = ["", undefined]] = Object.entries(body["content"])
  const schema = isTree(media) ? media["schema"] : undefined
  const members: ReadonlyArray<unknown> = isTree(schema) && Array.isArray(schema["anyOf"]) ? schema["anyOf"] : []
  const kept = members.filter((member) => !(isTree(member) && member["type"] === "null"))
  if (kept.length === members.length) return body
  return { required: false, content: { [type]: { schema: kept.length === 1 ? kept[0] : { anyOf: kept } } } }
}
