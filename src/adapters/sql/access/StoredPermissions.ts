import { Schema } from "effect"
import { Permission } from "../../../domain/access/Permission.ts"
import { Json } from "../Rows.ts"

const isKnown = Schema.is(Permission)

/** Permissions of a role or key as JSON. One that this version does not know, because it is gone, allows nothing. */
export const StoredPermissions = Schema.compose(
  Json(Schema.Array(Schema.String)),
  Schema.transform(Schema.Array(Schema.String), Schema.Array(Schema.typeSchema(Permission)), {
    strict: true,
    decode: (names) => names.filter(isKnown),
    encode: (permissions) => permissions
  })
)
