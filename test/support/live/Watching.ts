import { Effect, Schema } from "effect"
import { beforeAll } from "vitest"
import { liveEvents } from "../../../schema/live/LiveEvents.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { LiveFeed } from "../../../src/services/live/LiveFeed.ts"
import { LiveStreams } from "../../../src/services/live/LiveStreams.ts"
import type { Studio } from "../access/Studio.ts"
import { mintKey, openStudio } from "../access/Studio.ts"
import type { SentEvent } from "../analytics/Events.ts"
import { subscribe } from "../analytics/Events.ts"
import { configurationsOf } from "../configuration/Configurations.ts"
import type { Listening } from "../game/Listening.ts"
import { listening } from "../game/Listening.ts"
import type { Stores } from "../TestApp.ts"

export type Stream = Awaited<ReturnType<typeof subscribe>>

const isKnown = (name: string): name is keyof typeof liveEvents => name in liveEvents

/** The data of the next event of that name, or of the next comment; each on the way must be as the contract says. */
export const next = async (stream: Stream, name: string): Promise<any> => {
  for (;;) {
    const { event = "", data, isComment }: SentEvent = await stream.next()
    if (isKnown(event)) {
      Schema.decodeUnknownSync(liveEvents[event] as Schema.Schema<unknown>, { onExcessProperty: "error" })(data)
    }
    if (event === name || (isComment && name === "comment")) return data
  }
}

export const login = (distinctId: string, eventName = "Login") => ({
  eventName,
  distinctId,
  timestamp: new Date().toISOString(),
  properties: { level: 3 }
})

/** A server with a studio whose production environment is watched. */
class Watching {
  readonly server: Listening
  readonly studio: Studio
  private readonly key: string

  constructor(server: Listening, studio: Studio, key: string) {
    this.server = server
    this.studio = studio
    this.key = key
  }

  path(query = ""): string {
    return `/application/${this.studio.applicationId}/stream?environmentId=${this.studio.production}${query}`
  }

  listen(query = "", headers: Record<string, string> = this.studio.cookie): Promise<Stream> {
    return subscribe(this.server, headers, this.path(query))
  }

  /** Sends markers as a game does. */
  send(markers: ReadonlyArray<unknown>, environment = "production") {
    const headers = { authorization: this.key, environment }
    return this.server.request("POST", "/sdk/v1/markers", { headers, body: { markers } })
  }

  /** Makes a configuration. */
  configure(name: string) {
    const headers = { environment_id: String(this.studio.production) }
    return configurationsOf(this.server.request, this.studio)("POST", "", { name }, headers)
  }

  /** A sign of life. */
  beat(): Promise<void> {
    return this.server.run(Effect.flatMap(LiveStreams, (streams) => streams.beat()))
  }

  isWatched(): Promise<boolean> {
    const id = EnvironmentId.make(this.studio.production)
    return this.server.run(Effect.map(LiveFeed, (feed) => feed.of(id) !== undefined))
  }

  /** Waits until the server knows that nobody listens any more. */
  async unwatched(): Promise<void> {
    while (await this.isWatched()) await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The same, made before the tests of the suite. */
export const watching = (store: Stores): (() => Watching) => {
  let present: Watching | undefined
  beforeAll(async () => {
    const server = await listening(store)
    const studio = await openStudio(server.request, "ada")
    present = new Watching(server, studio, await mintKey(server.request, studio, { type: "public" }))
  })
  return () => {
    if (present === undefined) throw new Error("The suite has not begun")
    return present
  }
}
