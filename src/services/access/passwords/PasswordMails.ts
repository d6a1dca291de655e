import { Clock, Deferred, Duration, Effect, FiberSet, Option, Schedule } from "effect"
import { MailNotConfigured } from "../../../../schema/access/AccessErrors.ts"
import type { PasswordResetWays } from "../../../../schema/access/PasswordResets.ts"
import { mailedResetHours, mailsToAddress, resetMail } from "../../../domain/access/AccountMail.ts"
import { emailKey } from "../../../domain/access/User.ts"
import { UserRepo } from "../../../ports/access/UserRepo.ts"
import { Mailer } from "../../../ports/operations/Mailer.ts"
import { Settings } from "../../../ports/operations/Settings.ts"
import { PasswordResetLinks } from "./PasswordResetLinks.ts"
import { RateLimiter } from "../RateLimiter.ts"

/** The account is looked up so long after the answer: otherwise the time of the look-up would tell whether the address has one. */
const begunAfter = Duration.seconds(1)

/** Tries again after 5, 15, 45 and 135 seconds. */
const again = Schedule.intersect(Schedule.exponential("5 seconds", 3), Schedule.recurs(4))

/** A mail that is on its way has so long when the server stops. */
const longestStop = Duration.seconds(1)

/** Mails that are on their way at once. */
const atOnce = 4

const notConfigured = new MailNotConfigured({
  message: "This server sends no mails: ask an owner or administrator of your organization for a link"
})

/** Links for another password, sent to whoever asks for one with the e-mail address of an account. */
export class PasswordMails extends Effect.Service<PasswordMails>()("services/access/PasswordMails", {
  scoped: Effect.gen(function* () {
    const sending = yield* FiberSet.make()
    const run = yield* FiberSet.runtime(sending)<never>()
    const stopping = yield* Deferred.make<void>()
    const { publicUrl } = yield* Settings
    const links = yield* PasswordResetLinks
    const limiter = yield* RateLimiter
    const mailer = yield* Mailer
    const turns = yield* Effect.makeSemaphore(atOnce)
    const users = yield* UserRepo
    const ways: PasswordResetWays = { byMail: mailer.isConfigured }

    const send = Effect.fnUntraced(function* (email: string) {
      const taken = yield* limiter.request(`password mail ${emailKey(email)}`, mailsToAddress)
      if (Option.exists(taken, ({ allowed }) => !allowed)) return
      const user = Option.filter(yield* users.findByEmail(email), ({ deletedAt }) => deletedAt === null)
      if (Option.isNone(user)) return
      const { url } = yield* links.make(user.value.id, null, mailedResetHours)
      yield* Effect.retry(mailer.send({ to: user.value.email, ...resetMail(publicUrl, url) }), again)
    })

    const sendOrLog = (email: string) =>
      Effect.catchAllCause(turns.withPermits(1)(send(email)), (cause) =>
        Effect.logError("A link for another password could not be mailed", cause)
      )

    const laterOrStopping = Effect.race(Effect.sleep(begunAfter), Deferred.await(stopping))

    const sentInTime = Effect.gen(function* () {
      yield* Deferred.succeed(stopping, undefined)
      const isEmpty = yield* FiberSet.awaitEmpty(sending).pipe(
        Effect.interruptible,
        Effect.timeoutOption(longestStop),
        Effect.withClock(Clock.make())
      )
      if (Option.isSome(isEmpty)) return
      const left = yield* FiberSet.size(sending)
      yield* Effect.logWarning(`The server stops while mails with links for another password are on their way: ${left}`)
    })
    yield* Effect.addFinalizer(() => sentInTime)

    /** Begins to send a link to the address where it has an account. Answers alike, and as soon, where it has none. */
    const request = (email: string) =>
      mailer.isConfigured
        ? Effect.sync(() => void run(Effect.zipRight(laterOrStopping, sendOrLog(email))))
        : Effect.fail(notConfigured)

    return { ways, request } as const
  })
}) {}
