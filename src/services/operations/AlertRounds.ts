import { Clock, DateTime, Duration, Effect, Option } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { system } from "../../domain/access/Principal.ts"
import { dayMillis, minuteMillis } from "../../domain/Durations.ts"
import { type Alert, type Incident, incidentDays } from "../../domain/operations/alerts/Alert.ts"
import { type Course, judged, type Telling, unjudged } from "../../domain/operations/alerts/AlertCourse.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { AlertRepo } from "../../ports/operations/AlertRepo.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Turns } from "../../ports/operations/Turns.ts"
import { AlertLooks, type Looked } from "./AlertLooks.ts"
import { answersUnreachable, lacksAnswers } from "../Outages.ts"
import { clockSetBack } from "./ClockSetBack.ts"
import { organizationRounds } from "./OrganizationRounds.ts"
import { WebhookQueue } from "./WebhookQueue.ts"

/** Alerts that one round judges, and how many of them at a time. */
const perRound = 20
const atOnce = 4

/** An alert may be judged for so long, which is more than its question waits and runs. */
const longestJudging = Duration.minutes(2)

/** For how long an alert is this process's own from when its judging begins: longer than that takes. */
const claimMillis = 5 * minuteMillis

/** When an alert that could not be judged is tried again. */
const againMillis = { soon: minuteMillis, later: 15 * minuteMillis }

/** Failures of a store that is busy: asked again, it may answer. */
const passing: ReadonlySet<string> = new Set(["Overloaded", "TooManyQueries", "QueryTimeout", "TimeoutException"])

interface Failed {
  readonly problem: string
  readonly isLasting: boolean
}

type Outcome = { readonly looked: Looked } | { readonly failed: Failed }

const failureOf = (failure: { readonly _tag: string; readonly message: string }): Outcome => ({
  failed: { problem: failure.message, isLasting: !passing.has(failure._tag) }
})

const unexpected: Outcome = {
  failed: { problem: "Judging failed unexpectedly: the log of the server says more", isLasting: false }
}

const unreachable: Outcome = {
  failed: { problem: answersUnreachable, isLasting: false }
}

/** The background side of alerts: judges those that are due. The server's own work: it asks for no permission. */
export class AlertRounds extends Effect.Service<AlertRounds>()("services/operations/AlertRounds", {
  effect: Effect.gen(function* () {
    const repo = yield* AlertRepo
    const looks = yield* AlertLooks
    const queue = yield* WebhookQueue
    const { publicUrl } = yield* Settings
    const projects = yield* ProjectRepo
    const rounds = yield* organizationRounds
    const transaction = yield* Transaction
    const turns = yield* Turns
    const wasSetBack = yield* clockSetBack

    const attempt = (alert: Alert): Effect.Effect<Outcome> =>
      looks.judge(alert).pipe(
        Effect.timeout(longestJudging),
        Effect.provideService(Principal, system),
        Effect.match({ onSuccess: (looked): Outcome => ({ looked }), onFailure: failureOf }),
        Effect.catchAllCause((cause) =>
          Effect.as(
            Effect.logError(`Alert ${alert.id} could not be judged`, cause),
            lacksAnswers(cause) ? unreachable : unexpected
          )
        )
      )

    const courseOf = (alert: Alert, open: Incident | null, outcome: Outcome, now: DateTime.Utc): Course => {
      if ("looked" in outcome) {
        const course = judged(alert, open, outcome.looked.finding, now)
        return { ...course, alert: { ...course.alert, nextAt: outcome.looked.nextAt } }
      }
      const { problem, isLasting } = outcome.failed
      const course = unjudged(alert, problem, isLasting, now)
      const wait = course.alert.state === "broken" ? againMillis.later : againMillis.soon
      return { ...course, alert: { ...course.alert, nextAt: now.epochMillis + wait } }
    }

    /** Where the dashboard shows the alert. */
    const pageOf = Effect.fnUntraced(function* ({ applicationId, environmentId, id }: Alert) {
      const all = yield* projects.environments(applicationId)
      const alias = all.find((each) => each.id === environmentId)?.alias
      return alias === undefined ? null : `${publicUrl}/p/${applicationId}/${encodeURIComponent(alias)}/alerts/${id}`
    })

    const tell = Effect.fnUntraced(function* (alert: Alert, type: Telling, text: string, now: number) {
      const { id, applicationId, environmentId, name, found, problem } = alert
      yield* queue.tellOf(applicationId, {
        type,
        at: now,
        environmentId,
        object: { kind: "alerts", id, name },
        more: {
          text: type === "alert.broken" ? (problem ?? "") : text,
          look: found?.look === undefined ? null : { ...found.look },
          link: yield* pageOf(alert)
        }
      })
    })

    /** Writes down what came of an alert, unless somebody changed it while it was judged: then it is due anew. */
    const settle = Effect.fnUntraced(function* (begun: Alert, outcome: Outcome) {
      const present = yield* repo.find(begun.environmentId, begun.id)
      if (Option.isNone(present) || !DateTime.Equivalence(present.value.updatedAt, begun.updatedAt)) return
      const now = yield* DateTime.now
      const open = Option.getOrNull(yield* repo.findOpen(begun.id))
      const { alert, begun: incident, changed, telling } = courseOf(present.value, open, outcome, now)
      yield* repo.update(alert)
      if (incident !== null) yield* repo.insertIncident(incident)
      if (changed !== null) yield* repo.updateIncident(changed)
      if (telling !== null) yield* tell(alert, telling, alert.found?.text ?? "", now.epochMillis)
    })

    /** Takes the alert that has been due for longest, of an organization that has not had its turn if there is any. */
    const claim = Effect.fnUntraced(function* () {
      const now = yield* Clock.currentTimeMillis
      const [due] = yield* repo.findDue(now, 1, yield* rounds.served)
      if (due === undefined) return null
      yield* rounds.serve(due.applicationId)
      return yield* repo.update({ ...due, nextAt: now + claimMillis })
    })

    /** Judges an alert that is due. Those that wait for their turn are nobody's: another process may judge them meanwhile. */
    const judgeNext = Effect.fnUntraced(function* () {
      const alert = yield* turns.alone("alerts", transaction.run(claim()))
      if (alert === null) return
      const outcome = yield* attempt(alert)
      yield* transaction.run(settle(alert, outcome))
    })

    /** Judges what is due, some at a time. Organizations take turns, so that none waits for all alerts of another. */
    const round = Effect.fnUntraced(function* () {
      if (yield* wasSetBack) yield* repo.hasten(yield* Clock.currentTimeMillis)
      const due = yield* repo.findDue(yield* Clock.currentTimeMillis, perRound, [])
      yield* Effect.forEach(due, judgeNext, { concurrency: atOnce, discard: true })
    })

    /** Forgets incidents that ended long ago, by a time that is trusted (epoch ms). */
    const tidy = (trusted: number) => repo.expire(trusted - incidentDays * dayMillis)

    return { round, tidy } as const
  })
}) {}
