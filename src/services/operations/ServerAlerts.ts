import { Clock, DateTime, Effect, LogLevel, Option, Ref } from "effect"
import type { ServerStatus } from "../../../schema/operations/ServerStatus.ts"
import {
  levelOf,
  lookMillis,
  nothingWatched,
  openTroubles,
  requestsLately,
  serverMail,
  type ServerTelling,
  watched
} from "../../domain/operations/alerts/ServerWatch.ts"
import { wants } from "../../domain/operations/webhooks/Webhook.ts"
import { isTimeCome } from "../../domain/operations/DueTime.ts"
import { dayMillis, hourMillis } from "../../domain/Durations.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Health } from "../../ports/operations/Health.ts"
import { Mailer } from "../../ports/operations/Mailer.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { WebhookRepo } from "../../ports/operations/WebhookRepo.ts"
import { ServerOwners } from "../access/ServerOwners.ts"
import { BackupRuns } from "./BackupRuns.ts"
import { ServerCounts } from "./ServerCounts.ts"
import { System } from "./System.ts"
import { deliveryOf } from "./WebhookQueue.ts"

/** A telling that one receiver has not had yet: an owner's mailbox, or the webhooks that an owner has made. */
interface Waiting {
  readonly telling: ServerTelling
  readonly to: "mail" | "webhooks"
  readonly email: string
  readonly tries: number
  /** When it is tried next (epoch ms). */
  readonly nextAt: number
}

const mostWaiting = 200

/** The longest pause between two tries of one telling. */
const longestPause = hourMillis

/**
 * Watches the server itself and tells its owners, in mails and by the webhooks that they have made. What is open and what waits to be told is
 * kept in memory: a full disk takes no note of it.
 */
export class ServerAlerts extends Effect.Service<ServerAlerts>()("services/operations/ServerAlerts", {
  effect: Effect.gen(function* () {
    const { owners: emails, minFreeMb, publicUrl } = yield* Settings
    const owners = yield* ServerOwners
    const system = yield* System
    const health = yield* Health
    const events = yield* EventStore
    const counts = yield* ServerCounts
    const backups = yield* BackupRuns
    const mailer = yield* Mailer
    const users = yield* UserRepo
    const organizations = yield* OrganizationRepo
    const webhooks = yield* WebhookRepo
    const secrets = yield* Secrets
    const transaction = yield* Transaction
    const state = yield* Ref.make(nothingWatched)
    const waiting = yield* Ref.make<ReadonlyArray<Waiting>>([])

    const look = Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const [{ problems }, freeBytes] = yield* Effect.all([system.readiness, health.freeBytes])
      return {
        at,
        problems,
        freeBytes,
        leastBytes: minFreeMb * 1e6,
        isIngestOverloaded: events.isOverloaded(),
        failedRounds: counts.failures(at),
        damagedBackup: yield* backups.damaged,
        ...counts.totals()
      }
    })

    /** Queues a telling for the webhooks that the person has made and that ask for it. */
    const queue = Effect.fnUntraced(function* (email: string, { type, key, name, text, at }: ServerTelling) {
      const user = yield* users.findByEmail(email)
      if (Option.isNone(user) || user.value.deletedAt !== null) return
      const eventId = yield* secrets.uuid
      for (const { organization } of yield* organizations.listOfUser(user.value.id)) {
        const event = {
          id: eventId,
          type,
          at,
          organizationId: organization.id,
          applicationId: null,
          environmentId: null,
          object: { kind: "server", id: key, name },
          more: { text }
        }
        for (const webhook of yield* webhooks.list(organization.id)) {
          const isOwn = webhook.createdBy?.id === user.value.id
          if (isOwn && wants(webhook, type, event))
            yield* webhooks.insertDelivery(deliveryOf(webhook, event, at, publicUrl))
        }
      }
    })

    /** Whether the receiver has had it; a store or mail server that fails has it wait for the next round. */
    const bring = ({ telling, to, email, tries }: Waiting): Effect.Effect<boolean> => {
      const brought =
        to === "mail"
          ? mailer.send({ to: email, ...serverMail(telling, publicUrl) })
          : transaction.run(queue(email, telling))
      return Effect.matchCauseEffect(brought, {
        onSuccess: () => Effect.succeed(true),
        onFailure: (cause) =>
          Effect.as(
            Effect.when(Effect.logWarning("An owner of the server could not be told", cause), () => tries === 0),
            false
          )
      })
    }

    const send = Effect.fnUntraced(function* () {
      const now = yield* Clock.currentTimeMillis
      const isDue = ({ nextAt }: Waiting) => isTimeCome(nextAt, now, longestPause)
      const all = yield* Ref.getAndSet(waiting, [])
      const failed = yield* Effect.filter(all.filter(isDue), (each) =>
        Effect.map(bring(each), (isBrought) => !isBrought)
      )
      const again = failed.map((each) => ({
        ...each,
        tries: each.tries + 1,
        nextAt: now + Math.min(lookMillis * 2 ** each.tries, longestPause)
      }))
      const left = [...again, ...all.filter((each) => !isDue(each))]
      const young = left.filter(({ telling }) => telling.at > now - dayMillis)
      yield* Ref.update(waiting, (more) => [...young, ...more].slice(-mostWaiting))
    })

    /** Looks at the server once, and tells its owners what has changed. */
    const round = Effect.fnUntraced(function* () {
      const seen = yield* look
      const tellings = yield* Ref.modify(state, (before) => {
        const { watch, tellings: told } = watched(before, seen)
        return [told, watch]
      })
      for (const telling of tellings)
        yield* Effect.logWithLevel(LogLevel.fromLiteral(levelOf(telling)), `${telling.name}: ${telling.text}`)
      const receivers = mailer.isConfigured ? (["mail", "webhooks"] as const) : (["webhooks"] as const)
      const made = tellings.flatMap((telling) =>
        emails.flatMap((email) =>
          receivers.map((to): Waiting => ({ telling, to, email, tries: 0, nextAt: telling.at }))
        )
      )
      yield* Ref.update(waiting, (before) => [...before, ...made])
      yield* send()
    })

    /** How the server is, for its owners. */
    const status = Effect.fnUntraced(function* () {
      yield* owners.caller()
      const [readiness, freeBytes, files] = yield* Effect.all([system.readiness, health.freeBytes, health.fileSizes])
      const watch = yield* Ref.get(state)
      const { answered, failed } = requestsLately(watch)
      return {
        version: system.version.version,
        status: readiness.status,
        problems: readiness.problems,
        alerts: openTroubles(watch).map(({ key, name, text, since }) => ({
          key,
          name,
          text,
          since: DateTime.unsafeMake(since)
        })),
        freeBytes,
        files,
        requests: { answered, failed },
        mailsTo: mailer.isConfigured ? emails : []
      } satisfies ServerStatus
    })

    return { round, status } as const
  })
}) {}
