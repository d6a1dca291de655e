import type { DateTime } from "effect"
import { minuteMillis } from "../../Durations.ts"
import { type Alert, type AlertState, type Found, type Incident, isMuted, type NewIncident, windowOf } from "./Alert.ts"
import type { Look } from "./AlertJudgement.ts"

/** What came of judging an alert. */
export interface AlertFinding extends Found {
  readonly verdict: Look["verdict"]
  /** What is not as it should be; empty where the alert is about one thing. */
  readonly objects: ReadonlyArray<string>
}

/** What people are told of. */
export type Telling = "alert.fired" | "alert.resolved" | "alert.broken"

/** What judging changes: the alert, and its incident, which begins, goes on or ends. */
export interface Course {
  readonly alert: Alert
  readonly begun: NewIncident | null
  readonly changed: Incident | null
  readonly telling: Telling | null
}

/** An alert is broken after so many attempts to judge it: a busy store is asked again. */
const attemptsUntilBroken = 3

/** So many looks at windows in a row have to find nothing before an incident ends: at the edge of an interval they come and go. */
export const calmLooks = 2

const withState = (alert: Alert, state: AlertState, now: DateTime.Utc): Alert =>
  alert.state === state ? alert : { ...alert, state, since: now }

const began = (alert: Alert, { text, look, objects }: AlertFinding, now: DateTime.Utc, told: boolean): NewIncident => ({
  alertId: alert.id,
  startedAt: now,
  endedAt: null,
  text,
  look,
  objects,
  told,
  acknowledgedBy: null,
  acknowledgedAt: null,
  note: null
})

const fired = (alert: Alert, open: Incident | null, finding: AlertFinding, now: DateTime.Utc): Course => {
  const told = !isMuted(alert, now.epochMillis)
  const after = { ...withState(alert, "fired", now), calm: 0 }
  if (open === null)
    return {
      alert: after,
      begun: began(alert, finding, now, told),
      changed: null,
      telling: told ? "alert.fired" : null
    }
  const known = new Set(open.objects)
  const more = finding.objects.filter((object) => !known.has(object))
  if (more.length === 0 && (open.told || !told)) return { alert: after, begun: null, changed: null, telling: null }
  const objects = [...open.objects, ...more]
  const changed = { ...open, objects, text: finding.text, told: open.told || told }
  return { alert: after, begun: null, changed, telling: told ? "alert.fired" : null }
}

const calm = (alert: Alert, open: Incident | null, now: DateTime.Utc): Course => {
  if (open === null)
    return { alert: { ...withState(alert, "fine", now), calm: 0 }, begun: null, changed: null, telling: null }
  const looks = alert.calm + 1
  if (windowOf(alert.watch) !== null && looks < calmLooks)
    return { alert: { ...withState(alert, "fired", now), calm: looks }, begun: null, changed: null, telling: null }
  const telling = open.told && !isMuted(alert, now.epochMillis) ? "alert.resolved" : null
  const ended = { ...open, endedAt: now }
  return { alert: { ...withState(alert, "fine", now), calm: 0 }, begun: null, changed: ended, telling }
}

/**
 * What a finding makes of an alert with its open incident, if it has one. Somebody is told when an incident begins, when it spreads to
 * something else, and when it ends; muted, nobody is, and what is then still open is told afterwards. Where too little is known, an open incident stays open.
 */
export const judged = (before: Alert, open: Incident | null, finding: AlertFinding, now: DateTime.Utc): Course => {
  const { from, to, look, text } = finding
  const alert: Alert = { ...before, found: { from, to, look, text }, problem: null, failures: 0 }
  if (finding.verdict === "fired") return fired(alert, open, finding, now)
  if (finding.verdict === "fine") return calm(alert, open, now)
  return {
    alert: withState(alert, open === null ? "unclear" : "fired", now),
    begun: null,
    changed: null,
    telling: null
  }
}

/**
 * What it makes of an alert that it could not be judged. `isLasting`: trying again will not help. Muted, nobody is told, but once the mute has
 * ended.
 */
export const unjudged = (alert: Alert, problem: string, isLasting: boolean, now: DateTime.Utc): Course => {
  const wasBroken = alert.state === "broken"
  const failures = alert.failures + 1
  const isBroken = wasBroken || isLasting || failures >= attemptsUntilBroken
  const after = { ...alert, failures, problem }
  if (!isBroken || (wasBroken && alert.failures > 0)) return { alert: after, begun: null, changed: null, telling: null }
  const untold = isMuted(alert, now.epochMillis)
  const broken = withState(untold ? { ...after, failures: 0 } : after, "broken", now)
  return { alert: broken, begun: null, changed: null, telling: untold ? null : "alert.broken" }
}

/** The alert after somebody changed what it watches: it begins anew, and what was open is over. */
export const renewed = (alert: Alert, now: DateTime.Utc): Alert => ({
  ...withState(alert, "new", now),
  found: null,
  problem: null,
  failures: 0,
  calm: 0,
  nextAt: now.epochMillis
})

/** The alert after somebody changed for how long it waits: the window that it looks at next stays. One that cannot be judged is tried again as before. */
export const delayed = (alert: Alert, delayMinutes: number): Alert => {
  const later = windowOf(alert.watch) === null || alert.problem !== null ? 0 : delayMinutes - alert.delayMinutes
  return { ...alert, delayMinutes, nextAt: alert.nextAt + later * minuteMillis }
}

/** The incident as somebody has seen it. */
export const acknowledged = (
  incident: Incident,
  by: Incident["acknowledgedBy"],
  note: string | null,
  now: DateTime.Utc
): Incident => ({
  ...incident,
  acknowledgedBy: by,
  acknowledgedAt: now,
  note
})
