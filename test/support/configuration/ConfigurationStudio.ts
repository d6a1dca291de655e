import type { Request } from "../access/Studio.ts"
import { openStudio } from "../access/Studio.ts"
import { configurationsOf } from "./Configurations.ts"

/** A studio and what its owner does with configurations, in production unless a header says otherwise. */
export const configurationStudioOf = async (request: Request, owner: string) => {
  const studio = await openStudio(request, owner)
  const call = configurationsOf(request, studio)
  let count = 0
  /** A name that no other configuration of this studio has. */
  const fresh = () => `made ${++count}`
  const make = async (more: object = {}) => (await call("POST", "", { name: fresh(), ...more })).body
  const list = async (query = "", headers: Record<string, string> = {}) =>
    (
      await request("GET", `/application/${studio.applicationId}/v2/configurations${query}`, {
        headers: { ...studio.cookie, ...headers }
      })
    ).body
  return { studio, call, fresh, make, list }
}

export type ConfigurationStudio = Awaited<ReturnType<typeof configurationStudioOf>>
