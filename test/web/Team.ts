import type { APIRequestContext } from "playwright-core"

export const password = "correct horse battery"

/** Somebody who calls the API as a browser of this server does, with the session in the context's cookies. */
export const apiOf = (request: APIRequestContext, origin: string) => {
  const ask = async (method: string, path: string, data?: unknown, headers: Record<string, string> = {}) => {
    const answer = await request.fetch(origin + path, {
      method,
      headers: { origin, accept: "application/json", ...headers },
      ...(data === undefined ? {} : { data })
    })
    if (!answer.ok()) throw new Error(`${method} ${path} ${answer.status()} ${await answer.text()}`)
    const text = await answer.text()
    return text === "" ? null : JSON.parse(text)
  }
  return {
    ask,
    signUp: (name: string, email: string) => ask("POST", "/users/auth/signup", { name, email, password, motive: "" }),
    signIn: (email: string) => ask("POST", "/users/auth/signin", { email, password })
  }
}

type Api = ReturnType<typeof apiOf>

/** Makes `member` a member of the owner's first organization, with the role of that name. */
export const joinTeam = async (owner: Api, member: Api, role: string, email: string): Promise<void> => {
  const [{ id }] = await owner.ask("GET", "/organization")
  const roles: ReadonlyArray<{ readonly id: number; readonly name: string }> = await owner.ask(
    "GET",
    `/organization/${id}/v2/roles`
  )
  const roleId = roles.find(({ name }) => name === role)?.id
  const { token } = await owner.ask("POST", `/organization/${id}/invitations`, { email, roleId })
  await member.signUp(role, email)
  await member.signIn(email)
  await member.ask("POST", `/users/invitations/${token}/accept`)
}
