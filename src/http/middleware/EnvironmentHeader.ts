import type { HttpServerRequest } from "@effect/platform"
import { Headers } from "@effect/platform"

/** The name in the contract, and the one for clients behind proxies that drop names with an underscore, as nginx does. */
const [underscored, hyphenated] = ["environment_id", "environment-id"]

/** The request with `environment-id` read as `environment_id`. Where both are sent, `environment_id` counts. */
export const withEnvironmentHeader = (
  request: HttpServerRequest.HttpServerRequest
): HttpServerRequest.HttpServerRequest => {
  const value = request.headers[hyphenated]
  if (value === undefined || request.headers[underscored] !== undefined) return request
  return request.modify({ headers: Headers.set(request.headers, underscored, value) })
}
