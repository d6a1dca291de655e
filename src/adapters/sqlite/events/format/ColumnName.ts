const argumentPrefix = "a:"
const propertyPrefix = "p:"

/** Names of stored columns. A prefix on arguments and properties keeps a game's names apart from the engine's own. */
export const columnName = {
  type: "type",
  quarter: "quarter",
  server: "server",
  clamped: "clamped",
  x: "x",
  y: "y",
  z: "z",
  argument: (name: string) => `${argumentPrefix}${name}`,
  property: (name: string) => `${propertyPrefix}${name}`
} as const

/** The stored column that holds an argument; any other source is a property. */
export const columnOf = ({ source, name }: { readonly source: string; readonly name: string }): string =>
  source === "argument" ? columnName.argument(name) : columnName.property(name)

/** Which argument or property a stored column holds; null for the engine's own columns. */
export const namedByGame = (
  column: string
): { readonly source: "argument" | "property"; readonly name: string } | null => {
  if (column.startsWith(argumentPrefix)) return { source: "argument", name: column.slice(argumentPrefix.length) }
  if (column.startsWith(propertyPrefix)) return { source: "property", name: column.slice(propertyPrefix.length) }
  return null
}
