import { Schema } from "effect"
import { RoleId } from "../../src/domain/Ids.ts"

/** A role as it stands in the records of those who hold it. */
export const RoleReference = Schema.Struct({ id: RoleId, name: Schema.String }).annotations({
  identifier: "RoleReference"
})
export type RoleReference = typeof RoleReference.Type
