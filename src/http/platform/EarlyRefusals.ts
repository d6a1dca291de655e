import type { IncomingMessage, ServerResponse } from "node:http"
import { sessionCookieName } from "../../../schema/access/Auth.ts"
import type { Envelope } from "../../../schema/Failure.ts"
import { reasonHeader } from "../../../schema/operations/Audited.ts"
import { UnsupportedMediaType } from "../../../schema/RequestErrors.ts"
import { missingCredential } from "../../services/access/Credentials.ts"
import type { Fields } from "../middleware/LimitFields.ts"
import { type Route, routeOf } from "../middleware/Routes.ts"
import { refuseAtSocket } from "../middleware/SocketRefusal.ts"
import { type HeaderFields, isPlain, tooLarge } from "./Body.ts"
import { maxOpenBody } from "./OpenBodies.ts"

/** Made once: anybody may have it sent as often as they like. */
const openTooLarge = tooLarge(maxOpenBody)

/** The most bytes of a body of the route. */
export const limitOf = (route: Route): number => (route.isOpen ? maxOpenBody : route.bodyLimit)

const isJson = (contentType: string): boolean => /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType)

/** Why a request is refused for what it says of its body. A body that its endpoint does not ask for is left alone. */
export const bodyRefusal = (headers: HeaderFields, route: Route): Envelope | undefined => {
  if (route.rawBody || !route.takesBody) return undefined
  if (Number(headers["content-length"] ?? 0) > limitOf(route))
    return route.isOpen ? openTooLarge : tooLarge(limitOf(route))
  if (route.isOpen && !isPlain(headers)) {
    return new UnsupportedMediaType({ message: "Send the body plain: gzip needs a key, a token or a session" })
  }
  const contentType = headers["content-type"]
  return contentType === undefined || isJson(String(contentType))
    ? undefined
    : new UnsupportedMediaType({ message: "Send the body as application/json" })
}

/** Whether the platform has to say something else first: of a character that no store keeps, or of a reason that is too long. */
const isSpoiled = ({ url = "/", headers }: IncomingMessage): boolean =>
  url.includes("%00") || headers[reasonHeader] !== undefined

/** Whether a request shows nothing that could be a credential. */
const hasNoCredential = ({ headers }: IncomingMessage): boolean =>
  headers.authorization === undefined && headers.cookie?.includes(sessionCookieName) !== true

const refusalOf = (request: IncomingMessage): Envelope | undefined => {
  if (request.headers.authorization !== undefined || isSpoiled(request)) return undefined
  const { method = "GET", url = "/" } = request
  const route = routeOf({ method, url })
  if (route === undefined) return undefined
  const refused = bodyRefusal(request.headers, route)
  return refused ?? (route.needsCredential && hasNoCredential(request) ? missingCredential : undefined)
}

/**
 * Refuses what anybody may send, without a fiber and before its body is read: a body that is too long or of another kind, and a request
 * without a credential to an endpoint that needs one. The platform says the same at five times the cost. True where it has refused.
 */
export const refuseEarly = (request: IncomingMessage, response: ServerResponse, fields: Fields): boolean => {
  const refused = refusalOf(request)
  if (refused === undefined) return false
  refuseAtSocket(request, response, refused, fields)
  return true
}
