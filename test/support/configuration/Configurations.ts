import type { Request, Studio } from "../access/Studio.ts"

export const configurationKeys = [
  "alias",
  "applicationId",
  "configuration",
  "createdAt",
  "description",
  "environmentId",
  "hash",
  "id",
  "isPrimary",
  "keyDescriptions",
  "name",
  "privacy",
  "schema",
  "updatedAt",
  "updatedBy",
  "version"
]

export const link = (configurationId: number, path?: ReadonlyArray<string>) => ({
  $link: { configurationId, ...(path === undefined ? {} : { path }) }
})

/** How a studio calls its configurations: paths after `/application/{id}/v2/configuration`. */
export const configurationsOf =
  (request: Request, studio: Studio) =>
  (method: string, path = "", body?: unknown, headers: Record<string, string> = {}) => {
    const all = { ...studio.cookie, ...headers }
    const url = `/application/${studio.applicationId}/v2/configuration${path}`
    return request(method, url, body === undefined ? { headers: all } : { headers: all, body })
  }
