/** Longest alias of an environment, in characters. */
export const maxAliasCharacters = 64

/** Aliases that stand for another environment than the one called so: `studio` is the game editor's word for development. */
export const reservedAliases: ReadonlySet<string> = new Set(["studio"])

/** A name as it stands in headers and URLs: lower case, spaces to `-`, `[a-z0-9-]` only; empty where nothing of it is left. */
export const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\s+/g, "-")
    .replace(/[^a-z0-9-]/g, "")
    .replace(/-{2,}/g, "-")
    .slice(0, maxAliasCharacters)
    .replace(/^-|-$/g, "")
