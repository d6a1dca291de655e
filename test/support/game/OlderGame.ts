import { ConfigurationId } from "../../../src/domain/Ids.ts"
import type { Request } from "../access/Studio.ts"
import { mintKey, openStudio } from "../access/Studio.ts"
import type { Call } from "../TestApp.ts"
import { gameOf } from "./Game.ts"

export const document = { speed: 1, secret: { hp: 9 }, open: { deep: [1.5, null, "é"] } }

export const privacy = [["secret"]]

/** What a public key sees of the document. */
export const shown = { speed: 1, open: document.open }

/** A studio whose primary configuration in production is `document`, and calls as a game server of the older generation makes them. */
export const olderGameOf = async (request: Request, owner: string) => {
  const studio = await openStudio(request, owner)
  const game = await gameOf(request, studio)
  const secret = await mintKey(request, studio, { permissions: ["sdk:read", "sdk:ingest"] })
  const created = await request("POST", `/application/${studio.applicationId}/v2/configuration`, {
    headers: { ...studio.cookie, environment_id: String(studio.production) },
    body: { name: "main", configuration: document, privacy, isPrimary: true }
  })
  const call = (method: string, path: string, { headers, ...rest }: Call = {}) =>
    request(method, path, {
      headers: { authorization: game.publicKey, isstudio: "false", serverid: "server-1", ...headers },
      ...rest
    })
  return { studio, game, secret, primary: ConfigurationId.make(created.body.id), call }
}

export type OlderGame = Awaited<ReturnType<typeof olderGameOf>>
