import type { HttpServerRequest } from "@effect/platform"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import type { ValidCache } from "../../domain/ValidCache.ts"
import type { Validity } from "../../domain/Validity.ts"
import { leaveBody } from "../platform/Body.ts"
import { RequestNotes } from "../platform/RequestNotes.ts"
import { isPlain, sent } from "./PlainRequest.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The requests that a fast path may take: posts of plain JSON of at most that size. */
export interface FastRoute {
  readonly path: string
  readonly maxBodyBytes: number
}

interface Allowed<Scope> {
  readonly scope: Scope
  readonly validityWith: (access: Validity) => Validity
}

/** The headers that decide what a request may do: the key, and the environment that it names. */
const scopeKeyOf = ({ authorization, environment, isstudio, "project-id": project }: IncomingHttpHeaders): string =>
  `${authorization}\n${sent(environment)}\n${sent(isstudio)}\n${sent(project)}`

/** Reads the whole body. A client that goes away before its end is forgotten. */
const readBytes = (request: IncomingMessage, onBytes: (bytes: Buffer) => void): void => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.once("end", () => onBytes(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
}

/** What the keys of one fast path may do, as the regular handler has found it, so that they need not be authenticated again. */
export class KeyScopes<Scope> {
  private readonly scopes: ValidCache<Scope>
  private readonly now: () => number
  private readonly allowed = new RequestNotes<Allowed<Scope>>()

  /** `now` tells the time in epoch milliseconds. */
  constructor(scopes: ValidCache<Scope>, now: () => number) {
    this.scopes = scopes
    this.now = now
  }

  /**
   * Called by the handler: further requests with the same key and headers may be answered in `scope`. `validityWith` makes the scope's
   * validity of the access version.
   */
  allow(request: Request, scope: Scope, validityWith: (access: Validity) => Validity): void {
    this.allowed.set(request, { scope, validityWith })
  }

  /** Keeps the scope that the handler allowed. `access` is the access version of before the authentication. */
  keep(request: Request, access: Validity): void {
    const found = this.allowed.get(request)
    if (found !== undefined) this.scopes.set(scopeKeyOf(request.headers), found.scope, found.validityWith(access))
  }

  /** What the key of a request may do; undefined where the regular handler has to find out. */
  scopeOf({ headers }: IncomingMessage): Scope | undefined {
    return this.scopes.get(scopeKeyOf(headers), this.now())
  }

  /**
   * Takes a request of the route if its key has a valid scope, and calls `answer` with that and the body. False leaves it to the platform; `handOn`
   * hands it on to the platform later, with that body.
   */
  take(
    route: FastRoute,
    request: IncomingMessage,
    fallThrough: () => void,
    answer: (scope: Scope, bytes: Buffer, handOn: (bytes: Buffer) => void) => void
  ): boolean {
    const { headers, method, url } = request
    if (method !== "POST" || url !== route.path || !isPlain(headers, route.maxBodyBytes)) return false
    const key = scopeKeyOf(headers)
    if (this.scopes.get(key, this.now()) === undefined) return false
    readBytes(request, (bytes) => {
      const handOn = (read: Buffer) => {
        leaveBody(request, read)
        fallThrough()
      }
      // The scope may have ended while the body arrived.
      const scope = this.scopes.get(key, this.now())
      if (scope === undefined) handOn(bytes)
      else answer(scope, bytes, handOn)
    })
    return true
  }
}
