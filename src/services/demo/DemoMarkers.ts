import { Clock, Effect, Ref } from "effect"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import { dayOf } from "../../domain/demo/DemoCalendar.ts"
import type { DemoClick } from "../../domain/demo/DemoClick.ts"
import type { PlannedSession } from "../../domain/demo/DemoGame.ts"
import { DemoGame } from "../../domain/demo/DemoGame.ts"
import { demoEvents } from "../../domain/demo/DemoSession.ts"
import { dayMillis, hourMillis, minuteMillis } from "../../domain/Durations.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { whole } from "../Whole.ts"
import { DemoClicks } from "./DemoClicks.ts"
import { DemoEnrolment, type GroupNames } from "./DemoEnrolment.ts"
import { DemoLive } from "./DemoLive.ts"
import type { Studio } from "./DemoStudio.ts"
import { DemoWrites } from "./DemoWrites.ts"

/** Types of markers that only sessions of the demo write, and write all the time. */
const heartbeats = new Set(["Login", "LevelStarted", "LevelCompleted", "PlayerDied", "Logout"])

/** No session lasts longer. */
const longestSession = 4 * hourMillis

/** After a longer pause the demo makes up for what was not played; after a shorter one it goes on as if nothing had happened. */
const longestPause = 10 * minuteMillis

/** The most markers that one step of the running demo sends. */
const mostAtOnce = 300

/** What is planned and not yet written, each in order of time. Everything up to `until` (epoch milliseconds) is written. */
interface Stage {
  readonly game: DemoGame
  readonly sessions: ReadonlyArray<PlannedSession>
  readonly clicks: ReadonlyArray<DemoClick>
  readonly events: ReadonlyArray<Event>
  readonly until: number
}

const split = <A>(
  all: ReadonlyArray<A>,
  isFirst: (one: A) => boolean
): readonly [ReadonlyArray<A>, ReadonlyArray<A>] => {
  const found = all.findIndex((one) => !isFirst(one))
  return found === -1 ? [all, []] : [all.slice(0, found), all.slice(found)]
}

const byTime = (a: Event, b: Event): number => a.timestamp - b.timestamp

/** The stage with all days planned that begin before an instant. */
const planned = (stage: Stage, to: number): Stage => {
  const sessions = [...stage.sessions]
  const clicks = [...stage.clicks]
  while (stage.game.nextDay <= dayOf(to)) {
    const day = stage.game.next()
    for (const session of day.sessions) if (session.startsAt > stage.until - longestSession) sessions.push(session)
    for (const click of day.clicks) if (click.at > stage.until) clicks.push(click)
  }
  sessions.sort((a, b) => a.startsAt - b.startsAt)
  clicks.sort((a, b) => a.at - b.at)
  return { ...stage, sessions, clicks }
}

const nobody: ReadonlySet<string> = new Set()

/** Markers of sessions that have begun, beside those that wait already; without what is written. */
const begun = (stage: Stage, sessions: ReadonlyArray<PlannedSession>, groups: GroupNames): ReadonlyArray<Event> => [
  ...stage.events,
  ...sessions
    .flatMap((session) => demoEvents(session, groups.get(session.player.unitId) ?? nobody))
    .filter(({ timestamp }) => timestamp > stage.until)
]

/** The players of the demo's game: what they did until now, and what they go on doing. */
export class DemoMarkers extends Effect.Service<DemoMarkers>()("services/demo/DemoMarkers", {
  effect: Effect.gen(function* () {
    const store = yield* EventStore
    const clicks = yield* DemoClicks
    const enrolment = yield* DemoEnrolment
    const live = yield* DemoLive
    const writes = yield* DemoWrites
    const state = yield* Ref.make<Stage | null>(null)

    /** Until when the demo was played before this process began; null where it never was. */
    const playedUntil = Effect.fnUntraced(function* ({ environment }: Studio) {
      const now = yield* Clock.currentTimeMillis
      const { answer } = yield* Effect.orDie(store.ask<"types">(environment.id, { kind: "types", plan: { now } }))
      const seen = answer.filter(({ name }) => heartbeats.has(name)).map(({ lastSeenAt }) => lastSeenAt)
      return seen.length === 0 ? null : Math.min(now, Math.max(...seen))
    })

    const haveBegun = Effect.fnUntraced(function* (studio: Studio) {
      return (yield* playedUntil(studio)) !== null
    })

    const stageOf = Effect.fnUntraced(function* (studio: Studio) {
      const known = yield* Ref.get(state)
      if (known !== null) return known
      const until = (yield* playedUntil(studio)) ?? studio.firstDay * dayMillis - 1
      const game = new DemoGame(studio.firstDay)
      while (game.nextDay < dayOf(until - longestSession)) {
        game.next()
        yield* nextTurn
      }
      return { game, sessions: [], clicks: [], events: [], until } satisfies Stage
    })

    /** Plays up to an instant that is past, in one piece. */
    const playTo = Effect.fnUntraced(function* (studio: Studio, before: Stage, to: number) {
      const stage = planned(before, to)
      const [sessions, laterSessions] = split(stage.sessions, ({ startsAt }) => startsAt <= to)
      const [ownClicks, laterClicks] = split(stage.clicks, ({ at }) => at <= to)
      const groups = yield* enrolment.enrol(studio.environment.id, sessions)
      const [events, later] = split(
        [...begun(stage, sessions, groups)].sort(byTime),
        ({ timestamp }) => timestamp <= to
      )
      yield* clicks.record(studio, ownClicks)
      yield* writes.append(studio, events)
      const after = { ...stage, sessions: laterSessions, clicks: laterClicks, events: later, until: to }
      yield* Ref.set(state, after)
      return after
    }, whole)

    /** Plays day by day up to now, and says how far it is. */
    const catchUp = Effect.fnUntraced(function* (studio: Studio) {
      const now = yield* Clock.currentTimeMillis
      let stage = yield* stageOf(studio)
      const first = Math.max(studio.firstDay, dayOf(stage.until))
      const days = dayOf(now) - first + 1
      while (stage.until < now) {
        const day = Math.max(studio.firstDay, dayOf(stage.until + 1))
        stage = yield* playTo(studio, stage, Math.min(now, (day + 1) * dayMillis - 1))
        const played = day - first + 1
        if (played % 10 === 0 && played < days)
          yield* Effect.logInfo(`Demo studio: ${played} of ${days} days are played`)
        yield* nextTurn
      }
      yield* enrolment.flush
    })

    /** What the players did since the last step, as their games would send it. */
    const step = Effect.fnUntraced(function* (studio: Studio, before: Stage, now: number) {
      const stage = planned(before, now)
      const [sessions, laterSessions] = split(stage.sessions, ({ startsAt }) => startsAt <= now)
      const [ownClicks, laterClicks] = split(stage.clicks, ({ at }) => at <= now)
      const groups = yield* live.enrol(studio, sessions)
      yield* clicks.record(studio, ownClicks)
      const waiting = [...begun(stage, sessions, groups)].sort(byTime)
      yield* Ref.set(state, { ...stage, sessions: laterSessions, clicks: laterClicks, events: waiting })
      const events = split(waiting, ({ timestamp }) => timestamp <= now)[0].slice(0, mostAtOnce)
      yield* live.send(studio, events)
      const until = events.length === mostAtOnce ? (events.at(-1)?.timestamp ?? now) : now
      const left = waiting.slice(events.length)
      yield* Ref.set(state, { ...stage, sessions: laterSessions, clicks: laterClicks, events: left, until })
    }, whole)

    /** Goes on with the game; after a pause it makes up for it first. */
    const goOn = Effect.fnUntraced(function* (studio: Studio) {
      const now = yield* Clock.currentTimeMillis
      const stage = yield* Ref.get(state)
      if (stage === null || now - stage.until > longestPause) return yield* catchUp(studio)
      if (now > stage.until) yield* step(studio, stage, now)
    })

    return { haveBegun, catchUp, goOn } as const
  })
}) {}
