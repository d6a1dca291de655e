import type { Answer, Call } from "../TestApp.ts"

export type Request = (method: string, path: string, call?: Call) => Promise<Answer>

export interface Studio {
  readonly cookie: { readonly cookie: string }
  readonly userId: string
  readonly organizationId: number
  readonly membershipId: number
  readonly applicationId: number
  readonly production: number
  readonly development: number
}

const password = "correct horse battery staple"

const cookieOf = (answer: Answer): string => answer.headers.getSetCookie()[0]?.split(";")[0] ?? ""

/** The organization that the first sign-in of a person gave them, and the browser they are in. */
export const studioOf = async (request: Request, signedIn: Answer): Promise<Studio> => {
  const cookie = { cookie: cookieOf(signedIn) }
  const [organization] = signedIn.body.organizations
  const [application] = organization.applications
  const environments = await request("GET", `/application/${application.id}/environments`, { headers: cookie })
  const byAlias = (alias: string) => environments.body.find((each: { alias: string }) => each.alias === alias).id
  return {
    cookie,
    userId: signedIn.body.user.id,
    organizationId: organization.id,
    membershipId: organization.membershipId,
    applicationId: application.id,
    production: byAlias("production"),
    development: byAlias("development")
  }
}

/** Signs a person up and in, and finds the organization they were given. */
export const openStudio = async (request: Request, name: string): Promise<Studio> => {
  const email = `${name}@studio.test`
  await request("POST", "/users/auth/signup", { body: { name, email, password, motive: "testing" } })
  return studioOf(request, await request("POST", "/users/auth/signin", { body: { email, password } }))
}

/** A session of another person with that role in the studio's organization. */
export const joinStudio = async (request: Request, studio: Studio, name: string, roleName: string) => {
  const email = `${name}@studio.test`
  const roles = await request("GET", `/organization/${studio.organizationId}/v2/roles`, { headers: studio.cookie })
  const { id } = roles.body.find((each: { name: string }) => each.name === roleName)
  const invited = await request("POST", `/organization/${studio.organizationId}/invitations`, {
    headers: studio.cookie,
    body: { email, roleId: id }
  })
  await request("POST", "/users/auth/signup", { body: { name, email, password, motive: "testing" } })
  const signedIn = await request("POST", "/users/auth/signin", { body: { email, password } })
  const cookie = { cookie: cookieOf(signedIn) }
  await request("POST", `/users/invitations/${invited.body.token}/accept`, { headers: cookie })
  return cookie
}

interface Scope {
  readonly permissions?: ReadonlyArray<string>
  readonly environmentIds?: ReadonlyArray<number>
}

/** A personal access token of the studio's owner, for all projects. */
export const mintPersonalToken = async (request: Request, studio: Studio, scope: Scope): Promise<string> => {
  const { permissions = [], environmentIds = [studio.production, studio.development] } = scope
  const created = await request("POST", "/users/personal-access-tokens", {
    headers: studio.cookie,
    body: {
      name: "personal token",
      organizationId: studio.organizationId,
      projectScope: { allProjects: true },
      environmentIds,
      permissions
    }
  })
  return created.body.token
}

/** The token of a new secret key (or public one) of the studio. */
export const mintKey = async (
  request: Request,
  studio: Studio,
  key: Scope & { readonly type?: "secret" | "public" }
): Promise<string> => {
  const { type = "secret", permissions = [], environmentIds = [studio.production, studio.development] } = key
  const scope = type === "secret" ? { projectScope: { allProjects: true } } : { applicationId: studio.applicationId }
  const created = await request("POST", `/organization/${studio.organizationId}/api-keys`, {
    headers: studio.cookie,
    body: { type, name: `${type} key`, environmentIds, permissions, ...scope }
  })
  return created.body.token
}
