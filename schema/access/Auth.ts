import { HttpApiMiddleware } from "@effect/platform"
import { Context, Schema } from "effect"
import type { Principal as PrincipalShape } from "../../src/domain/access/Principal.ts"
import { CredentialNotAccepted, CrossSiteRequest, SecondFactorDemanded, Unauthenticated } from "./AccessErrors.ts"
import { ValidationFailed } from "../RequestErrors.ts"

/**
 * Who asks, found by the middleware of the endpoint. Services may ask their caller for it.
 *
 * @effect-leakable-service
 */
export class Principal extends Context.Tag("schema/Auth/Principal")<Principal, PrincipalShape>() {}

export const sessionCookieName = "auth-token"

const refusals = {
  provides: Principal,
  failure: Schema.Union(Unauthenticated, CredentialNotAccepted, CrossSiteRequest, ValidationFailed)
}

/** Of endpoints that browsers ask as well: an organization may demand a second factor of people, not of keys. */
const refusalsOfPeople = {
  provides: Principal,
  failure: Schema.Union(...refusals.failure.members, SecondFactorDemanded)
}

/** Signed-in browser only: minting and changing of credentials, roles. */
export class SessionOnly extends HttpApiMiddleware.Tag<SessionOnly>()("schema/Auth/SessionOnly", refusalsOfPeople) {}

export class SessionOrPat extends HttpApiMiddleware.Tag<SessionOrPat>()("schema/Auth/SessionOrPat", refusalsOfPeople) {}

/** Session, personal access token or secret server key: analytics and markers. */
export class SessionOrServer extends HttpApiMiddleware.Tag<SessionOrServer>()(
  "schema/Auth/SessionOrServer",
  refusalsOfPeople
) {}

/** Secret server key only: back-fills. */
export class ServerKey extends HttpApiMiddleware.Tag<ServerKey>()("schema/Auth/ServerKey", refusals) {}

/** Public or secret key: the game side. */
export class GameKey extends HttpApiMiddleware.Tag<GameKey>()("schema/Auth/GameKey", refusals) {}

/** A browser with at least one account, be it expired: changes of its accounts. */
export class KnownBrowser extends HttpApiMiddleware.Tag<KnownBrowser>()("schema/Auth/KnownBrowser", {
  failure: Schema.Union(Unauthenticated, CrossSiteRequest, ValidationFailed)
}) {}

export type CredentialKind = "session" | "personal" | "secret" | "public"

/** Which credentials each middleware accepts, by its key; authentication, OpenAPI and the tests read it. */
export const accepted: ReadonlyMap<string, ReadonlyArray<CredentialKind>> = new Map([
  [SessionOnly.key, ["session"]],
  [SessionOrPat.key, ["session", "personal"]],
  [SessionOrServer.key, ["session", "personal", "secret"]],
  [ServerKey.key, ["secret"]],
  [GameKey.key, ["public", "secret"]]
])
