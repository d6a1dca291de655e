import type { JsonTree } from "./JsonTree.ts"
import { isTree, mapTree, references } from "./JsonTree.ts"

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

/** A schema without what the generator says of constraints that stand beside it anyway. */
export const tidy = (value: unknown): unknown => mapTree(value, (tree) => withoutGenerated(withoutSingleAllOf(tree)))

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

/** Requests may carry fields that are ignored; failures of the game side carry one more. Answers have no other fields. */
export const openRequests = (schemas: JsonTree, requests: ReadonlyArray<unknown>): JsonTree => {
  const sent = reachable(requests.flatMap(references), schemas)
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      sent.has(name) || isFailure(schema) ? mapTree(schema, open) : schema
    ])
  )
}

/** An optional body accepts null in its place; the document says so by `required`. */
export const openBody = (body: unknown): unknown => {
  if (!isTree(body) || !isTree(body["content"])) return body
  const [[type, media] = ["", undefined]] = Object.entries(body["content"])
  const schema = isTree(media) ? media["schema"] : undefined
  const members: ReadonlyArray<unknown> = isTree(schema) && Array.isArray(schema["anyOf"]) ? schema["anyOf"] : []
  const kept = members.filter((member) => !(isTree(member) && member["type"] === "null"))
  if (kept.length === members.length) return mapTree(body, open)
  return { required: false, content: { [type]: { schema: kept.length === 1 ? kept[0] : { anyOf: kept } } } }
}
