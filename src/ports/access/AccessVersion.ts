import { Context } from "effect"
import type { Version } from "../../domain/Validity.ts"

/**
 * Advances with every write to keys, projects and environments, and once more at the end of a transaction that made such writes.
 * While it stays the same, every key may do what it could before. The time of a key's last use does not count.
 */
export class AccessVersion extends Context.Tag("ports/access/AccessVersion")<AccessVersion, Version>() {}
