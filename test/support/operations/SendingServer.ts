import { mintKey, openStudio } from "../access/Studio.ts"
import { fetchRequest, startServer } from "../Server.ts"

/** A built server with a studio, and a function that sends markers with these ids to it, or to another server over the same folder. */
export const startSendingServer = async (data: string, env: Record<string, string>) => {
  const server = await startServer(data, [], env)
  const request = fetchRequest(server.url)
  const studio = await openStudio(request, "ada")
  const authorization = await mintKey(request, studio, { type: "public" })
  const send = (url: string, markerIds: ReadonlyArray<string>) =>
    fetchRequest(url)("POST", "/sdk/v1/markers", {
      headers: { authorization, environment: "production" },
      body: {
        markers: markerIds.map((markerId) => ({
          markerId,
          timestamp: Date.now(),
          eventName: "played",
          distinctId: "ada"
        }))
      }
    })
  return { server, request, studio, send }
}
