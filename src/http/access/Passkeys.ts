import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Accounts } from "../../services/access/Accounts.ts"
import { Passkeys } from "../../services/access/passkeys/Passkeys.ts"
import { PasskeySignIns } from "../../services/access/passkeys/PasskeySignIns.ts"
import { refuseCrossSite } from "../middleware/CrossSite.ts"
import { keepSession, sessionCookie } from "../middleware/SessionCookie.ts"
import { visitorOf } from "./Visitor.ts"

export const PasskeysHttp = HttpApiBuilder.group(Api, "passkeys", (handlers) =>
  Effect.map(
    Effect.all([Accounts, Passkeys, PasskeySignIns, refuseCrossSite]),
    ([accounts, passkeys, signIns, refuse]) =>
      handlers
        .handle("policy", () => Effect.succeed(passkeys.policy))
        .handle("request", () => signIns.request)
        .handle("signIn", ({ payload, request }) =>
          Effect.gen(function* () {
            yield* refuse(request)
            const { signedIn, session } = yield* signIns.signIn(payload, visitorOf(request, accounts.trustProxy))
            yield* keepSession(session.token, session.lifetime, accounts.isSecure)
            return signedIn
          })
        )
        .handle("list", () => passkeys.list())
        .handle("begin", ({ payload, request }) => passkeys.begin(payload, sessionCookie(request)))
        .handle("add", ({ payload }) => passkeys.add(payload))
        .handle("remove", ({ path }) => passkeys.remove(path.passkeyId))
  )
)
