import type { Claims } from "../../../src/domain/access/OpenId.ts"
import { sessionOf } from "./OpenIdServer.ts"
import type { Answer, Call } from "../TestApp.ts"

type Request = (method: string, path: string, call?: Call) => Promise<Answer>

/** People who sign in through a provider without a network. */
export const groupPeople = (request: Request, people: Map<string, Claims>) => {
  /** Signs somebody in through the provider, with these groups there, in the browser with the cookies. */
  const arrive = async (name: string, groups: ReadonlyArray<string>, more: Partial<Claims> = {}, cookies = "") => {
    const claims = {
      issuer: "https://provider.test",
      subject: `subject of ${name}`,
      verifiedEmail: `${name}@studio.test`,
      name,
      groups
    }
    people.set(name, { ...claims, ...more })
    const started = await request("GET", "/users/auth/oidc/start")
    const state = new URL(started.headers.get("location") ?? "").searchParams.get("state") ?? ""
    const flow = started.headers.getSetCookie()[0]?.split(";", 1)[0] ?? ""
    return request("GET", `/users/auth/oidc/callback?${new URLSearchParams({ code: name, state }).toString()}`, {
      headers: { cookie: `${flow}; ${cookies}` }
    })
  }

  /** Names of the organizations that somebody is a member of once they have arrived, each with the role there. */
  const rolesOf = async (arrived: Answer): Promise<ReadonlyArray<readonly [id: number, role: string]>> => {
    const answer = await request("GET", "/organization", { headers: { cookie: sessionOf(arrived) } })
    return answer.body.map(({ id, role }: { id: number; role: { name: string } }) => [id, role.name])
  }

  return { arrive, rolesOf }
}
