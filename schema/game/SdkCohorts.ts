import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Overloaded, RateLimited } from "../RequestErrors.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { QueryTimeout, TooManyQueries } from "../analytics/AnalyticsErrors.ts"
import { GameKey } from "../access/Auth.ts"
import { GameHeaders } from "./GameHeaders.ts"
import { text } from "../Text.ts"
import { requires } from "../access/RequiredPermission.ts"
import { example } from "../Example.ts"
import { Traffic } from "../Traffic.ts"

/** The id of a user; it is answered with the JSON type it came in. */
const GameUserId = Schema.Union(text(1, 256), Schema.JsonNumber).annotations({ identifier: "GameUserId" })

export const AskMembership = Schema.Struct({
  cohortName: text(1, 100),
  userIds: Schema.Array(GameUserId).pipe(Schema.maxItems(1000))
})
  .annotations({ identifier: "AskMembership" })
  .pipe(example({ cohortName: "Lapsed spenders", userIds: ["48213377", "91022845"] }))
export type AskMembership = typeof AskMembership.Type

export const MembershipAnswer = Schema.Struct({
  cohortExists: Schema.Boolean,
  users: Schema.Array(Schema.Struct({ userId: GameUserId, isMember: Schema.Boolean }))
}).annotations({ identifier: "MembershipAnswer" })
export type MembershipAnswer = typeof MembershipAnswer.Type

export class SdkCohortsGroup extends HttpApiGroup.make("sdkCohorts")
  .add(
    HttpApiEndpoint.post("membership", "/sdk/v1/cohorts/membership")
      .setHeaders(GameHeaders)
      .setPayload(AskMembership)
      .addSuccess(MembershipAnswer)
      .addError(QueryTimeout)
      .addError(Overloaded)
      .addError(TooManyQueries)
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "Which of up to 1000 users are members of a cohort")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .addError(RateLimited)
  .middleware(GameKey)
  .annotate(Traffic, "evaluate")
  .annotate(OpenApi.Title, "Game: cohorts")
  .annotate(OpenApi.Description, "What games ask of cohorts.") {}
