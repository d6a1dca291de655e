/** Longest alias of an environment, in characters. */
export const maxAliasCharacters = 64

/** Aliases that resolve to an environment of another alias: `studio` is the game editor's word for development. */
export const reservedAliases: ReadonlySet<string> = new Set(["studio"])

/**
 * A name in the form that headers and URLs use: `[a-z0-9-]`, lower case, spaces as `-`. Empty if no character
 * qualifies. A letter with an accent is left out, also where a system writes the accent as a character of its own.
 */
export const slug = (name: string): string =>
  name
    .normalize("NFC")
    .toLowerCase()
    .replace(/\s+/g, "-")
    .replace(/[^a-z0-9-]/g, "")
    .replace(/-{2,}/g, "-")
    .slice(0, maxAliasCharacters)
    .replace(/^-|-$/g, "")
