import { Schema } from "effect"
import { allPermissions, type Permission } from "../../../domain/access/Permission.ts"
import { JsonText } from "../Rows.ts"

const known: ReadonlySet<string> = new Set(allPermissions)
const isKnown = (name: unknown): name is Permission => typeof name === "string" && known.has(name)
const areKnown = (names: unknown): names is ReadonlyArray<Permission> => Array.isArray(names) && names.every(isKnown)

/**
 * Permissions of a role or key as JSON. One that this version does not know, because it is gone, allows nothing. Nearly every request reads
 * some, so they are looked up: the schema of permissions would compare each with one literal after the other.
 */
export const StoredPermissions = Schema.compose(
  JsonText(Schema.Array(Schema.String)),
  Schema.transform(Schema.Array(Schema.String), Schema.declare(areKnown), {
    strict: true,
    decode: (names) => names.filter(isKnown),
    encode: (permissions) => permissions
  })
)
