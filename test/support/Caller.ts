import { assert } from "@effect/vitest"
import type { Request, Studio } from "./access/Studio.ts"
import { joinStudio } from "./access/Studio.ts"
import type { Answer } from "./TestApp.ts"
import { envelopeKeys } from "./TestApp.ts"

export type Caller = (method: string, path: string, body?: unknown) => Promise<Answer>

export const keysOf = (value: object) => Object.keys(value).sort()

export const caller =
  (request: Request, headers: Record<string, string>): Caller =>
  (method, path, body) =>
    request(method, path, body === undefined ? { headers } : { headers, body })

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Asserts a refusal in the envelope. */
export const refused = (answer: Answer, status: number, code: string) => {
  assert.deepStrictEqual([answer.status, answer.body?.code], [status, code])
  assert.deepStrictEqual(keysOf(answer.body), envelopeKeys)
}

/** A new member with that role: how it calls, and its membership. */
export const joinAs = async (request: Request, studio: Studio, name: string, roleName: string) => {
  const cookie = await joinStudio(request, studio, name, roleName)
  const call = caller(request, cookie)
  const members = await request("GET", `/organization/${studio.organizationId}/members?limit=1000`, {
    headers: studio.cookie
  })
  const { membershipId } = members.body.items.find(
    (each: { user: { email: string } }) => each.user.email === `${name}@studio.test`
  )
  return { call, cookie, membershipId: Number(membershipId), email: `${name}@studio.test` }
}

export const rolesOf = async (call: Caller, organizationId: number): Promise<Record<string, number>> => {
  const roles = await call("GET", `/organization/${organizationId}/v2/roles`)
  return Object.fromEntries(roles.body.map(({ name, id }: { name: string; id: number }) => [name, id]))
}
