import { Schema } from "effect"
import { RoleId } from "../../src/domain/Ids.ts"
import { elsewhere } from "../Elsewhere.ts"

/** A role as it stands in the records of those who hold it. */
export const RoleReference = Schema.Struct({ id: RoleId, name: Schema.String }).annotations({
  identifier: "RoleReference"
})
export type RoleReference = typeof RoleReference.Type

const chosenById = "send roleId, an id of GET /organization/{organizationId}/v2/roles"

/** For bodies that choose a role, which clients try to name. */
export const roleById = elsewhere({ role: chosenById, roleName: chosenById, roleIds: chosenById })
