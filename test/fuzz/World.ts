import { allPermissions } from "../../src/domain/access/Permission.ts"
import { endpoints } from "../support/Endpoints.ts"
import type { Request, Studio } from "../support/access/Studio.ts"
import { mintKey, mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import type { Headers } from "./Bodies.ts"
import { Ids } from "./Known.ts"

/** One tenant: its studio, what it calls with, and the ids that it knows. */
export interface Tenant {
  readonly studio: Studio
  readonly ids: Ids
  /** One of each kind. */
  readonly credentials: Readonly<Record<string, Headers>>
}

export interface World {
  readonly own: Tenant
  readonly foreign: Tenant
}

const openTenant = async (request: Request, name: string): Promise<Tenant> => {
  const studio = await openStudio(request, name)
  const ids = new Ids()
  const call = (method: string, path: string, body?: unknown) =>
    request(method, path, { headers: studio.cookie, ...(body === undefined ? {} : { body }) })
  const home = `/organization/${studio.organizationId}`
  const project = `/application/${studio.applicationId}`
  const credentials = {
    session: studio.cookie,
    personal: { authorization: `Bearer ${await mintPersonalToken(request, studio, { permissions: allPermissions })}` },
    secret: { authorization: `Bearer ${await mintKey(request, studio, { permissions: allPermissions })}` },
    public: { authorization: await mintKey(request, studio, { type: "public" }) }
  }
  const role = await call("POST", `${home}/v2/roles`, { name: "Nothing", permissions: [] })
  await call("POST", `${home}/invitations`, { email: `guest@${name}.test`, roleId: role.body.id })
  const { body } = await call("POST", `${project}/v2/configuration`, { name: "Shop", configuration: { price: 10 } })
  await call("POST", `${project}/v2/experiments`, {
    name: "Shop",
    unitType: "user",
    assignmentMode: "weightedHash",
    baseConfigurationId: body.id,
    groups: ["a", "b"].map((name) => ({ name, weight: 5000 }))
  })
  for (const [id, value] of Object.entries(studio)) ids.add(id, value)
  for (const environment of [studio.production, studio.development]) ids.add("environmentId", environment)
  for (const unit of ["player-1", "player-2", "7"]) ids.add("unitId", unit)
  for (const server of ["server-1", "Shop"]) ids.add(server === "Shop" ? "name" : "serverId", server)
  for (const version of [1, 2]) ids.add("version", version)
  const paths = [`${home}/api-keys`, "/users/personal-access-tokens", `${home}/invitations`, `${home}/v2/roles`]
  for (const path of [...paths, `${project}/v2/experiments`, `${project}/v2/configurations`]) {
    const endpoint = endpoints().find(
      (each) => each.method === "GET" && each.path.replace(/:\w+/g, "") === path.replace(/\/\d+/g, "/")
    )
    if (endpoint !== undefined) ids.gather(endpoint, (await call("GET", path)).body)
  }
  return { studio, credentials, ids }
}

/** Two new tenants of the same server. */
export const openWorld = async (request: Request, name: string): Promise<World> => ({
  own: await openTenant(request, `studio-${name}`),
  foreign: await openTenant(request, `other-${name}`)
})

/** Whether the tenant still has its account, its organization, its project, the environment that attempts name, and its tokens. */
export const isWell = async (request: Request, { studio, credentials }: Tenant): Promise<boolean> => {
  const project = `/application/${studio.applicationId}`
  const answers = await Promise.all([
    request("GET", `/organization/${studio.organizationId}`, { headers: credentials["session"] ?? {} }),
    request("GET", project, { headers: credentials["session"] ?? {} }),
    request("GET", `${project}/alerts`, {
      headers: { ...credentials["session"], environment_id: String(studio.development) }
    }),
    request("GET", "/users/me", { headers: credentials["personal"] ?? {} }),
    request("GET", `${project}/analytics/v1/heatmaps`, { headers: credentials["secret"] ?? {} }),
    request("GET", "/sdk/v2/status", { headers: credentials["public"] ?? {} })
  ])
  return answers.every(({ status }) => status === 200)
}
