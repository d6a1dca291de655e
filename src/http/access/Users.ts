import { HttpApiBuilder, HttpApp, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Users } from "../../services/access/Users.ts"
import { sessionCookie } from "../middleware/SessionCookie.ts"

const cached = HttpApp.appendPreResponseHandler((_, response) =>
  Effect.succeed(
    HttpServerResponse.setHeaders(response, {
      "cache-control": "public, max-age=86400",
      "content-security-policy": "default-src 'none'"
    })
  )
)

export const UsersHttp = HttpApiBuilder.group(Api, "users", (handlers) =>
  Effect.map(Users, (users) =>
    handlers
      .handle("me", () => users.me())
      .handle("updateMe", ({ payload }) => users.updateMe(payload))
      .handle("changePassword", ({ payload, request }) => users.changePassword(payload, sessionCookie(request)))
      .handle("sessions", ({ request }) => users.sessions(sessionCookie(request)))
      .handle("signIns", () => users.signIns())
      .handle("endOtherSessions", ({ request }) => users.endOtherSessions(sessionCookie(request)))
      .handle("endSession", ({ path }) => users.endSession(path.sessionId))
      .handle("picture", ({ path }) => Effect.zipLeft(users.picture(path.userId), cached))
  )
)
