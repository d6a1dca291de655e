import type { Answer, Call } from "../support/App.ts"
import type { Attempt } from "./Attempt.ts"
import { spellings } from "./Attempt.ts"
import type { Headers } from "./Bodies.ts"
import { complaint } from "./Contract.ts"
import { chosen, filledIn } from "./Known.ts"
import type { Studio } from "../support/access/Studio.ts"
import type { World } from "./World.ts"
import { isWell, openWorld } from "./World.ts"

type Request = (method: string, path: string, call?: Call) => Promise<Answer>

export interface Played {
  readonly attempt: Attempt
  readonly path: string
  readonly headers: Headers
  readonly body: string | Uint8Array | null
  /** 0 where there was no answer. */
  readonly status: number
  /** What is wrong with the answer by the contract. */
  readonly complaint: string | undefined
}

const said = (body: string | Uint8Array | null, most: number): string =>
  body === null
    ? ""
    : typeof body === "string"
      ? body.slice(0, most)
      : Buffer.from(body).toString("base64").slice(0, most)

/** The request as it was sent, in one line. */
export const described = ({ attempt, path, headers, body }: Played, most = 300): string =>
  `${attempt.method} ${path.slice(0, most)} (${attempt.endpoint.name}) ${JSON.stringify(headers)} ${said(body, most)}`

const pathOf = ({ endpoint, segments, choices, spelling, query }: Attempt, { own, foreign }: World): string => {
  let place = 0
  const path = endpoint.path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const at = place++
    const id = String(chosen(name, choices[at] ?? 0, own.ids, foreign.ids))
    return segments[at] ?? encodeURIComponent(id.toWellFormed())
  })
  return spellings[spelling](path) + filledIn(query, own.ids, foreign.ids)
}

const bodyOf = ({ body }: Attempt, { own, foreign }: World): Attempt["body"] =>
  typeof body === "string" && body.includes("known:") ? filledIn(body, own.ids, foreign.ids) : body

const credentialOf = ({ endpoint, credential, choices }: Attempt, { own, foreign }: World): Headers => {
  if (typeof credential !== "number") return credential
  const all = [...Object.values(own.credentials), ...Object.values(foreign.credentials)]
  const kind = endpoint.kinds[(choices[4] ?? 0) % Math.max(endpoint.kinds.length, 1)]
  return (credential === 0 ? own.credentials[kind ?? ""] : all[credential % all.length]) ?? {}
}

const headersOf = (attempt: Attempt, world: World, body: Attempt["body"]): Headers => {
  const { endpoint, choices } = attempt
  const environment = choices[5] === undefined ? world.own.studio.development : undefined
  const { own, foreign } = world
  const known = environment ?? chosen("environmentId", choices[5] ?? 0, own.ids, foreign.ids)
  const given = Object.fromEntries(
    Object.entries(attempt.headers).map(([name, value]) => [name, filledIn(value, own.ids, foreign.ids)])
  )
  return {
    ...(endpoint.inEnvironment ? { environment_id: String(known) } : {}),
    ...credentialOf(attempt, world),
    ...(body === null ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
    ...given
  }
}

/** Plays attempts against a server, in a world of two tenants that knows what earlier answers gave it. */
export class Player {
  private worlds = 0
  private world: World | undefined
  private readonly request: Request

  constructor(request: Request) {
    this.request = request
  }

  /** The tenant whose requests are played. */
  get studio(): Studio {
    if (this.world === undefined) throw new Error("No world was begun")
    return this.world.own.studio
  }

  /** A world as at the beginning. */
  async begin(): Promise<World> {
    this.world = await openWorld(this.request, String(++this.worlds))
    return this.world
  }

  /** Begins anew where the tenant has lost its account, its organization, its project, its environment or a token. */
  async recover(): Promise<void> {
    if (this.world === undefined || !(await isWell(this.request, this.world.own))) await this.begin()
  }

  async play(attempt: Attempt): Promise<Played> {
    const world = this.world ?? (await this.begin())
    const path = pathOf(attempt, world)
    const body = bodyOf(attempt, world)
    const headers = headersOf(attempt, world, body)
    const isSent = body !== null && attempt.method !== "GET" && attempt.method !== "HEAD"
    const answer = await this.request(attempt.method, path, { headers, ...(isSent ? { raw: body } : {}) }).catch(
      (error: unknown) => String(error)
    )
    const played = { attempt, path, headers, body }
    if (typeof answer === "string") return { ...played, status: 0, complaint: answer }
    if (answer.status < 400) world.own.ids.gather(attempt.endpoint, answer.body)
    return { ...played, status: answer.status, complaint: complaint(attempt.method, path, answer) }
  }
}
