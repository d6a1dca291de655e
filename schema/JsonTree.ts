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

const gather = (value: unknown, names: Array<string>): void => {
  if (typeof value !== "object" || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === "$ref" && typeof inner === "string") names.push(inner.slice(prefix.length))
    else gather(inner, names)
  }
}

/** Names of the schemas that a value refers to, directly. */
export const references = (value: unknown): ReadonlyArray<string> => {
  const names: Array<string> = []
  gather(value, names)
  return names
}

export const refer = (name: string) => ({ $ref: prefix + name })
