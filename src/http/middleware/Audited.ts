import { Headers, type HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { longestReason, reasonHeader } from "../../../schema/operations/Audited.ts"
import { fieldsOf } from "../../domain/operations/audit/FieldsOf.ts"
import { isObject, type Json } from "../../domain/configuration/Document.ts"
import { type AuditedRequest, AuditTrail } from "../../services/operations/AuditTrail.ts"
import { RequestLimits } from "../../services/operations/RequestLimits.ts"
import { pathOf, type Route, routeOf } from "./Routes.ts"
import { addressOf } from "./RateLimit.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** What answers a request, whatever it asks. */
type Answer = (request: Request) => Effect.Effect<Response>

/** Parameters of paths that say where an object is, not which. */
const places: ReadonlySet<string> = new Set(["organizationId", "applicationId"])

const unescape = Option.liftThrowable(decodeURIComponent)

/** The object that a path names: the last parameter, unless that is only where it is. */
const objectOf = (route: Route, request: Request): AuditedRequest["object"] => {
  const parameters = Object.entries(route.pattern.exec(pathOf(request.url))?.groups ?? {})
  const [kind = route.operation] = route.operation.split(".")
  // Of a player who is erased nothing may be left, not even here, and the token of an invitation is a secret.
  const own = parameters.findLast(([name]) => name.endsWith("Id") && name !== "unitId" && !places.has(name))
  if (own === undefined) return { kind, id: null }
  return { kind, id: Option.getOrElse(unescape(own[1]), () => own[1]) }
}

/** How what a request changes is read, if the API can: by a path of its own, or from the list that it is in. */
interface Look {
  readonly url: string
  /** The id by which a list is searched; null where the answer is the object. */
  readonly id: string | null
  /** Whether that is the id of a membership, by which lists of roles that members hold are searched. */
  readonly isOfMember: boolean
}

const isParameter = (part: string | undefined): boolean => part?.startsWith(":") === true

const lookOf = (route: Route, request: Request): Look | null => {
  const [declared, given] = [route.path.split("/"), pathOf(request.url).split("/")]
  const at = declared.findLastIndex(isParameter)
  const isPlace = places.has((declared[at] ?? "").slice(1))
  // Of a player who is erased nothing may be left, not even here; and what is made below a place is not the place.
  if (at === -1 || declared[at] === ":unitId" || (isPlace && at < declared.length - 1)) return null
  const url = given.slice(0, at + 1).join("/")
  const own = routeOf({ method: "GET", url })
  if (own !== undefined && isParameter(own.path.split("/").at(-1)) && !own.rawBody)
    return { url, id: null, isOfMember: false }
  const list = given.slice(0, at).join("/")
  const names = isPlace ? null : (routeOf({ method: "GET", url: list })?.parameters.names ?? null)
  if (names === null) return null
  const isOfMember = declared[at] === ":membershipId"
  return { url: names.has("limit") ? `${list}?limit=200` : list, id: given[at] ?? null, isOfMember }
}

/** Pages of a list, of 200 items each, in which an object is looked for. */
const mostPages = 500

/** A field of an object; null where there is none. */
const fieldIn = (value: Json | null, key: string): Json | null =>
  value !== null && isObject(value) ? (value[key] ?? null) : null

/** The membership that an item of a list is about: a role that somebody holds has an id of its own beside. */
const membershipOf = (item: Json): string | null =>
  textIn(item, "membershipId") ?? textIn(fieldIn(item, "principal"), "membershipId")

const itemIn = (value: Json | null, id: string, isOfMember: boolean): Json | null => {
  const items = value !== null && isObject(value) ? value["items"] : value
  const all = Array.isArray(items) ? items : []
  return all.find((each: Json) => (isOfMember ? membershipOf(each) : textIn(each, "id")) === id) ?? null
}

/** The address of the person whom a membership, or a role that somebody holds, is about. */
const personIn = (value: Json | null): string | null =>
  textIn(fieldIn(value, "user") ?? fieldIn(fieldIn(value, "principal"), "user"), "email")

/**
 * The request as one that reads `url` for the same caller. A request of the platform cannot be given another method, so a `Proxy` answers
 * for it.
 */
const asGet = (request: Request, url: string): Request => {
  const headers = ["if-match", "if-none-match", "content-type", "content-length", "accept"].reduce(
    (left, name) => Headers.remove(left, name),
    request.headers
  )
  return reading(request.modify({ url, headers }))
}

/** What a platform's request makes of itself would have the method of its source again. */
const reading = (request: Request): Request =>
  new Proxy(request, {
    get: (target, key) => {
      if (key === "method") return "GET"
      if (key === "modify") return (options: Parameters<Request["modify"]>[0]) => reading(target.modify(options))
      return Reflect.get(target, key)
    }
  })

/** Bytes of an object that is compared value by value: of a larger one its size and its hash are told, because others would wait. */
const largest = 256 * 1024

/** The JSON text of an answer; null where it has none. */
const textOf = ({ status, body }: Response): string | null =>
  status < 300 && body._tag === "Uint8Array" && body.contentType.startsWith("application/json")
    ? new TextDecoder().decode(body.body)
    : null

const listOf = (response: Response): Json | null => {
  const text = textOf(response)
  return text === null ? null : JSON.parse(text)
}

/** What an answer says in JSON; null where it says nothing of the kind. */
const jsonOf = (response: Response, hash: (text: string) => string): Json | null => {
  const text = textOf(response)
  if (text === null) return null
  const bytes = response.body.contentLength ?? 0
  if (bytes <= largest || !text.startsWith("{")) return JSON.parse(text)
  const { id = null, name = null } = fieldsOf(text, ["id", "name"])
  return { id, name, bytes, sha256: hash(text) }
}

/** Fields that name an object. */
const naming = ["id", "membershipId"]

/** The fields of an answer that name an object, without parsing all of it. */
const namesIn = (response: Response): Json | null => {
  const text = textOf(response)
  return text === null || !text.startsWith("{") ? null : fieldsOf(text, naming)
}

const textIn = (value: Json | null, key: string): string | null => {
  const found = value !== null && isObject(value) ? value[key] : undefined
  return typeof found === "string" || typeof found === "number" ? String(found) : null
}

const reasonOf = (request: Request): string | null => {
  const given = request.headers[reasonHeader]?.trim() ?? ""
  return given === "" ? null : given
}

/** What is wrong with the reason that a request gives for its change. */
export const reasonProblem = (request: Request, route: Route): string | undefined =>
  route.isAudited && (reasonOf(request)?.length ?? 0) > longestReason
    ? `${reasonHeader}: expected text of at most ${longestReason} characters`
    : undefined

/** Whether reading an answer takes so long that others go first. */
const isLong = ({ body }: Response): boolean => (body.contentLength ?? 0) > 32 * 1024

/** Leaves an entry in the log of changes for every request that changes something, before it is answered. */
export class Audited extends Effect.Service<Audited>()("http/middleware/Audited", {
  effect: Effect.gen(function* () {
    const { trustProxy } = yield* RequestLimits
    const trail = yield* AuditTrail

    /** Lets others go first where an answer is long. */
    const rest = (response: Response) => (isLong(response) ? trail.rest : Effect.void)

    /** Reads what the request changes, as its caller would. */
    const lookFor = (request: Request, route: Route, answer: Answer): Effect.Effect<Json | null | undefined> => {
      const found = lookOf(route, request)
      return found === null ? Effect.succeed(null) : lookAt(found, request, answer, 1)
    }

    const lookAt = (
      { url, id, isOfMember }: Look,
      request: Request,
      answer: Answer,
      page: number
    ): Effect.Effect<Json | null | undefined> =>
      Effect.flatMap(Effect.tap(answer(asGet(request, url)), rest), (response) => {
        if (response.status === 404) return Effect.succeed(null)
        if (response.status !== 200) return Effect.succeed(undefined)
        if (id === null)
          return Effect.zipLeft(
            Effect.sync(() => jsonOf(response, trail.hash)),
            rest(response)
          )
        const value = listOf(response)
        const item = itemIn(value, id, isOfMember)
        const cursor = textIn(value, "nextCursor")
        // A member who is not listed held no role there, and gets one.
        const missing = isOfMember && cursor === null ? null : undefined
        if (item !== null || cursor === null || page === mostPages) return Effect.succeed(item ?? missing)
        const [list = ""] = url.split("&cursor=")
        const next = `${list}&cursor=${encodeURIComponent(cursor)}`
        return lookAt({ url: next, id, isOfMember }, request, answer, page + 1)
      })

    const around = (request: Request, route: Route, requestId: string, answer: Answer) =>
      Effect.gen(function* () {
        const look = lookFor(request, route, answer)
        const audited: AuditedRequest = {
          operation: route.operation,
          requestId,
          address: addressOf(request, trustProxy),
          reason: reasonOf(request),
          object: objectOf(route, request),
          look,
          before: null,
          begun: null,
          environmentId: null
        }
        const response = yield* trail.within(audited, answer(request))
        if (audited.begun === null) return response
        yield* rest(response)
        const finish = Effect.gen(function* () {
          if (response.status >= 400) return yield* trail.refused(audited)
          // Assignments name players, of whom nothing may be left once they are erased.
          const isTold = !route.operation.startsWith("assignments.")
          const told = isTold ? namesIn(response) : null
          const found = route.method === "DELETE" ? null : yield* look
          yield* rest(response)
          const isMissing = isTold && (found === null || found === undefined) && route.method !== "DELETE"
          const after = isMissing ? jsonOf(response, trail.hash) : (found ?? null)
          yield* rest(response)
          const shown = after ?? audited.before ?? null
          yield* trail.done(audited, {
            after,
            id: textIn(told, "id") ?? textIn(told, "membershipId"),
            name: textIn(shown, "name") ?? textIn(shown, "title") ?? textIn(shown, "email") ?? personIn(shown)
          })
        })
        yield* Effect.catchAllCause(finish, (cause) => Effect.logError("The log of changes lacks an entry", cause))
        return response
      })

    return { around } as const
  })
}) {}
