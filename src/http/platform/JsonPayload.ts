import type { HttpServerRequest } from "@effect/platform"
import { Headers } from "@effect/platform"
import type { Effect } from "effect"

type Request = HttpServerRequest.HttpServerRequest

/**
 * The request with `payload` as its JSON. The platform would parse the body itself, without limits on depth and text, and recognises
 * JSON by one spelling of the content type only; it offers no setting for either. A request of its own class cannot be extended, so
 * a `Proxy` answers for the one property and leaves the others alone.
 *
 * Read in @effect/platform-node 0.108.2 (`HttpApiBuilder` of @effect/platform reads a payload from `request.json` when the content
 * type includes "application/json"). Test: "a payload" in test/http/platform/PlatformTricks.test.ts.
 */
export const withJsonPayload = (request: Request, payload: Effect.Effect<unknown, unknown>): Request => {
  const spelled = request.modify({ headers: Headers.set(request.headers, "content-type", "application/json") })
  return new Proxy(spelled, { get: (target, key) => (key === "json" ? payload : Reflect.get(target, key)) })
}
