export interface JsonTree {
  readonly [key: string]: unknown
}

export const isTree = (value: unknown): value is JsonTree =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value with every object in it changed, from the outside in. */
export const mapTree = (value: unknown, change: (tree: JsonTree) => JsonTree): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapTree(item, change))
  if (!isTree(value)) return value
  return Object.fromEntries(Object.entries(change(value)).map(([key, inner]) => [key, mapTree(inner, change)]))
}

const prefix = "#/components/schemas/"

/** Names of the schemas that a value refers to, directly. */
export const references = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(references)
  if (!isTree(value)) return []
  const own = typeof value["$ref"] === "string" ? [value["$ref"].slice(prefix.length)] : []
  return [...own, ...Object.values(value).flatMap(references)]
}

export const refer = (name: string) => ({ $ref: prefix + name })
