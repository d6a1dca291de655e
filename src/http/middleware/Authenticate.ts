import { HttpServerRequest } from "@effect/platform"
import { Effect, Layer, Redacted } from "effect"
import type { CredentialKind } from "../../../schema/access/Auth.ts"
import {
  accepted,
  GameKey,
  KnownBrowser,
  ServerKey,
  SessionOnly,
  SessionOrPat,
  SessionOrServer
} from "../../../schema/access/Auth.ts"
import { CredentialNotAccepted } from "../../../schema/access/AccessErrors.ts"
import { ApplicationId, OrganizationId } from "../../domain/Ids.ts"
import type { Principal } from "../../domain/access/Principal.ts"
import { presentedIn } from "../../domain/access/Token.ts"
import { Credentials } from "../../services/access/Credentials.ts"
import { type Place, SecondFactorDemand } from "../../services/access/SecondFactorDemand.ts"
import { Tracing } from "../../services/operations/Tracing.ts"
import { demandKnownParameters } from "./Parameters.ts"
import { refuseCrossSite } from "./CrossSite.ts"
import { sessionCookie } from "./SessionCookie.ts"

const names: Record<CredentialKind, string> = {
  session: "a signed-in browser",
  personal: "a personal access token",
  secret: "a secret server key",
  public: "a public SDK key"
}

const refuseKind = (kinds: ReadonlyArray<CredentialKind>) =>
  Effect.fail(
    new CredentialNotAccepted({ message: `This endpoint accepts ${kinds.map((kind) => names[kind]).join(" or ")}` })
  )

/** The organization or project that a path begins with. */
const placeOf = (url: string): Place => {
  const [, kind, digits] = /^\/(organization|application)\/(\d{1,15})(?:[/?]|$)/.exec(url) ?? []
  const id = Number(digits ?? 0)
  if (id < 1) return null
  return kind === "organization"
    ? { organizationId: OrganizationId.make(id) }
    : { applicationId: ApplicationId.make(id) }
}

const make = (middleware: { readonly key: string }) =>
  Effect.map(Effect.all([Credentials, Tracing, refuseCrossSite]), ([credentials, tracing, refuse]) => {
    const kinds = accepted.get(middleware.key) ?? []
    const accept = (principal: Principal) =>
      kinds.some((kind) => kind === principal.kind) ? Effect.succeed(principal) : refuseKind(kinds)
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const { authorization } = request.headers
      if (authorization !== undefined) {
        return Effect.flatMap(credentials.fromKey(Redacted.make(presentedIn(authorization))), (principal) => {
          tracing.belongs(authorization, principal.key.organizationId)
          return accept(principal)
        }).pipe(Effect.tap(() => demandKnownParameters(request)))
      }
      const cookie = sessionCookie(request)
      if (cookie === undefined) return credentials.missing
      return Effect.flatMap(credentials.fromSession(cookie), accept).pipe(
        Effect.tap(() => refuse(request)),
        Effect.tap(() => demandKnownParameters(request))
      )
    })
  })

/** For endpoints that browsers ask: whether it is enough to know the password is for the organization to say. */
const ofPeople = (middleware: { readonly key: string }) =>
  Effect.map(Effect.all([make(middleware), SecondFactorDemand]), ([authenticate, factors]) =>
    Effect.tap(authenticate, (principal) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => factors.demand(principal, placeOf(url)))
    )
  )

const knownBrowser = Effect.map(Effect.all([Credentials, refuseCrossSite]), ([credentials, refuse]) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    credentials
      .demandBrowser(sessionCookie(request))
      .pipe(Effect.zipRight(refuse(request)), Effect.zipRight(demandKnownParameters(request)))
  )
)

export const AuthenticateLive = Layer.mergeAll(
  Layer.effect(KnownBrowser, knownBrowser),
  Layer.effect(SessionOnly, ofPeople(SessionOnly)),
  Layer.effect(SessionOrPat, ofPeople(SessionOrPat)),
  Layer.effect(SessionOrServer, ofPeople(SessionOrServer)),
  Layer.effect(ServerKey, make(ServerKey)),
  Layer.effect(GameKey, make(GameKey))
)
