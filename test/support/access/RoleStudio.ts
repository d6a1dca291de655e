import { caller, rolesOf } from "../Caller.ts"
import type { Request } from "./Studio.ts"
import { openStudio } from "./Studio.ts"

/** A studio of that name, the addresses of its organization and project, and the ids of its roles by name. */
export const roleStudioOf = async (request: Request, name: string) => {
  const studio = await openStudio(request, name)
  const call = caller(request, studio.cookie)
  const home = `/organization/${studio.organizationId}`
  const newRole = async (roleName: string, permissions: ReadonlyArray<string>): Promise<number> =>
    (await call("POST", `${home}/v2/roles`, { name: roleName, permissions })).body.id
  const project = `${home}/projects/${studio.applicationId}`
  return { studio, call, home, project, newRole, roles: await rolesOf(call, studio.organizationId) }
}
