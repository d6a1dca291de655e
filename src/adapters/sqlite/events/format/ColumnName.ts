const argumentPrefix = "a:"
const propertyPrefix = "p:"

/** Names of stored columns. Arguments and properties carry a prefix, so that no name of a game meets one of these. */
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

/** The argument or property that a stored column holds, by the name the game gave it; null for the other columns. */
export const namedByGame = (
  column: string
): { readonly source: "argument" | "property"; readonly name: string } | null => {
  if (column.startsWith(argumentPrefix)) return { source: "argument", name: column.slice(argumentPrefix.length) }
  if (column.startsWith(propertyPrefix)) return { source: "property", name: column.slice(propertyPrefix.length) }
  return null
}
