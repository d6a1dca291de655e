import { hourMillis, minuteMillis } from "../../Durations.ts"
import type { StoreProblem } from "../StoreProblem.ts"
import { shareInterval } from "./AlertJudgement.ts"
import { millisUntilFull } from "./DiskForecast.ts"

/** How the server is at an instant (epoch ms). Numbers of requests are counted since the start. */
export interface ServerLook {
  readonly at: number
  /** What `/ready` names. */
  readonly problems: ReadonlyArray<StoreProblem>
  /** Bytes of disk that are free, null where that is not known, and how many of them are the least. */
  readonly freeBytes: number | null
  readonly leastBytes: number
  readonly isIngestOverloaded: boolean
  readonly answered: number
  /** Of these, answers with a status of 500 or more. */
  readonly failed: number
  /** Of those that failed, answers with the status 503: the server had more to do than it could, or lacked something. The log says nothing of most. */
  readonly unavailable: number
  /** Instants (epoch ms) at which rounds of jobs failed in the last hours, by the name of the job. */
  readonly failedRounds: Readonly<Record<string, ReadonlyArray<number>>>
  /** The newest backup, where damage of the data folder is in it. */
  readonly damagedBackup: string | null
}

/** One thing about the server that is not as it should be. */
export interface Trouble {
  /** The same as long as it is the same trouble. */
  readonly key: string
  readonly name: string
  readonly text: string
}

export interface OpenTrouble extends Trouble {
  /** Epoch ms of the look that saw it first. */
  readonly since: number
  /** Whether it has lasted long enough to be told. */
  readonly isTold: boolean
}

interface Followed extends OpenTrouble {
  /** Looks in a row that saw it, and that did not. */
  readonly seen: number
  readonly calm: number
}

type Sample = Pick<ServerLook, "at" | "freeBytes" | "answered" | "failed" | "unavailable">

/** What is remembered from look to look, while the process lives. */
export interface ServerWatch {
  readonly followed: ReadonlyArray<Followed>
  readonly samples: ReadonlyArray<Sample>
}

export const nothingWatched: ServerWatch = { followed: [], samples: [] }

export interface ServerTelling extends Trouble {
  readonly type: "server.problem" | "server.resolved"
  readonly at: number
}

/** Milliseconds from one look to the next. */
export const lookMillis = 30_000

/** Looks in a row after which a trouble is told, and over which it must be gone before its end is. A disk is filled and emptied over hours. */
const looksToTell = 2
const looksToEnd = (key: string): number => (key === filling ? hourMillis / lookMillis : 4)

const errorMillis = 5 * minuteMillis
const mostErrors = 0.01
/** The chance, of one look, that a rate of errors which is just allowed is told. */
const errorLevel = 1e-5

const rememberedMillis = 6 * hourMillis

/** Jobs that begin once an hour where they have failed: one failure is to be told. Of others it takes some within an hour. */
export const hourly: ReadonlySet<string> = new Set([
  "Backups",
  "Exports",
  "Incidents of alerts",
  "Maintenance",
  "The removal of old executions"
])
const failuresToTell = 3
export const failuresKeptMillis = 75 * minuteMillis

const percent = (share: number): string => `${(share * 100).toLocaleString("en-US", { maximumFractionDigits: 1 })} %`

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toLocaleString("en-US", { maximumFractionDigits: 1 })} GB`

const ofStores = ({ problems }: ServerLook): ReadonlyArray<Trouble> =>
  problems.map(({ code, store, message }) => ({
    key: store === null ? code : `${code} ${store}`,
    name: code === "DISK_LOW" || code === "STORAGE_FULL" ? "The disk is full" : "A store is not as it should be",
    text: message
  }))

const filling = "DISK_FILLING"

const ofDisk = (look: ServerLook, samples: ReadonlyArray<Sample>, isOpen: boolean): ReadonlyArray<Trouble> => {
  const { freeBytes, leastBytes } = look
  if (freeBytes === null || freeBytes < leastBytes) return []
  const left = millisUntilFull([...samples, look], leastBytes, isOpen)
  if (left === null) return []
  const hours = Math.max(1, Math.round(left / hourMillis))
  const text = `${gigabytes(freeBytes)} are free, and at the rate of the last hours too little will be in ${hours} ${hours === 1 ? "hour" : "hours"}.`
  return [{ key: filling, name: "The disk is filling", text }]
}

/** How so many requests failed, of which so many had the status 503, and where it is told why. */
const howFailed = (failed: number, unavailable: number): string => {
  const reason = "status 503: the server had more to do than it could, or lacked a store or room on the disk"
  if (unavailable === 0) return "failed: the log says why."
  if (unavailable === failed) return `failed with ${reason}.`
  return `failed. ${unavailable.toLocaleString("en-US")} of these had ${reason}. Of the others the log says why.`
}

const ofErrors = (
  { at, answered, failed, unavailable }: ServerLook,
  samples: ReadonlyArray<Sample>
): ReadonlyArray<Trouble> => {
  const before = samples.findLast((sample) => sample.at <= at - errorMillis) ?? samples[0]
  if (before === undefined) return []
  const [all, bad] = [answered - before.answered, failed - before.failed]
  if (all <= 0 || shareInterval(bad / all, all, errorLevel)[0] <= mostErrors) return []
  const how = howFailed(bad, unavailable - before.unavailable)
  const text = `Of ${all.toLocaleString("en-US")} requests in the last five minutes ${percent(bad / all)} ${how}`
  return [{ key: "ERRORS", name: "Requests fail", text }]
}

const ofJobs = ({ at, failedRounds }: ServerLook): ReadonlyArray<Trouble> =>
  Object.entries(failedRounds).flatMap(([job, instants]) => {
    const isHourly = hourly.has(job)
    const from = at - (isHourly ? failuresKeptMillis : hourMillis)
    const count = instants.filter((instant) => instant > from).length
    if (count < (isHourly ? 1 : failuresToTell)) return []
    const times = count === 1 ? "once" : `${count} times`
    return [{ key: `JOB ${job}`, name: `${job} failed`, text: `${job} failed ${times} lately: the log says why.` }]
  })

const ofBackup = ({ damagedBackup }: ServerLook): ReadonlyArray<Trouble> =>
  damagedBackup === null
    ? []
    : [
        {
          key: "BACKUP_DAMAGED",
          name: "The data folder is damaged",
          text: `It has damage that is in the backup ${damagedBackup} too: gamekeeper doctor --deep names it. Older backups stay until it is put right.`
        }
      ]

const ofIngest = ({ isIngestOverloaded }: ServerLook): ReadonlyArray<Trouble> =>
  isIngestOverloaded
    ? [
        {
          key: "INGEST",
          name: "Markers are refused",
          text: "Markers come faster than they can be stored, and are refused."
        }
      ]
    : []

/** Five minutes apart, but for those of the last five minutes. */
const kept = (samples: ReadonlyArray<Sample>, look: ServerLook): ReadonlyArray<Sample> => {
  const young = samples.filter(({ at }) => at > look.at - rememberedMillis)
  const old = young.filter(({ at }) => at <= look.at - errorMillis)
  const thinned = old.filter(
    ({ at }, index) =>
      index === 0 ||
      index === old.length - 1 ||
      Math.floor(at / errorMillis) !== Math.floor((old[index - 1]?.at ?? 0) / errorMillis)
  )
  const { at, freeBytes, answered, failed, unavailable } = look
  return [...thinned, ...young.slice(old.length), { at, freeBytes, answered, failed, unavailable }]
}

const followed = (before: Followed | undefined, seen: Trouble | undefined, at: number): Followed | undefined => {
  if (seen !== undefined) {
    if (before === undefined) return { ...seen, since: at, isTold: false, seen: 1, calm: 0 }
    return { ...before, ...seen, seen: before.seen + 1, calm: 0 }
  }
  return before === undefined ? undefined : { ...before, seen: 0, calm: before.calm + 1 }
}

/** What is remembered after a look, and what is to be told then. */
export const watched = (
  watch: ServerWatch,
  look: ServerLook
): { readonly watch: ServerWatch; readonly tellings: ReadonlyArray<ServerTelling> } => {
  const troubles = [
    ...ofStores(look),
    ...ofDisk(
      look,
      watch.samples,
      watch.followed.some(({ key, isTold }) => key === filling && isTold)
    ),
    ...ofErrors(look, watch.samples),
    ...ofJobs(look),
    ...ofBackup(look),
    ...ofIngest(look)
  ]
  const before = new Map(watch.followed.map((each) => [each.key, each]))
  const now = new Map(troubles.map((each) => [each.key, each]))
  const tellings: Array<ServerTelling> = []
  const kinds = [...new Set([...before.keys(), ...now.keys()])].flatMap((key): ReadonlyArray<Followed> => {
    const found = followed(before.get(key), now.get(key), look.at)
    if (found === undefined) return []
    const { name, text } = found
    if (!found.isTold && found.seen >= looksToTell) {
      tellings.push({ type: "server.problem", key, name, text, at: look.at })
      return [{ ...found, isTold: true }]
    }
    if (found.isTold && found.calm >= looksToEnd(key)) {
      const minutes = Math.round((look.at - found.since) / minuteMillis)
      const ended = `It is over, after ${minutes} minutes. It was: ${text}`
      tellings.push({ type: "server.resolved", key, name, text: ended, at: look.at })
      return []
    }
    return found.isTold || found.calm === 0 ? [found] : []
  })
  return { watch: { followed: kinds, samples: kept(watch.samples, look) }, tellings }
}

/** What is not as it should be, and has been so long enough to be told. */
export const openTroubles = ({ followed: all }: ServerWatch): ReadonlyArray<OpenTrouble> =>
  all.flatMap(({ key, name, text, since, isTold }) => (isTold ? [{ key, name, text, since, isTold }] : []))

/** How loud the log is of a telling: what is foreseen is no failure yet. */
export const levelOf = ({ type, key }: ServerTelling): "Info" | "Warning" | "Error" =>
  type === "server.resolved" ? "Info" : key === filling ? "Warning" : "Error"

/** Of the requests of the last five minutes: how many there were, and how many failed. */
export const requestsLately = ({ samples }: ServerWatch): { readonly answered: number; readonly failed: number } => {
  const last = samples.at(-1)
  if (last === undefined) return { answered: 0, failed: 0 }
  const first = samples.findLast(({ at }) => at <= last.at - errorMillis) ?? samples[0] ?? last
  return { answered: last.answered - first.answered, failed: last.failed - first.failed }
}

/** A telling as a mail. */
export const serverMail = ({ type, name, text }: ServerTelling, publicUrl: string) => {
  const host = publicUrl.replace(/^https?:\/\//, "")
  return {
    subject: `${type === "server.problem" ? "" : "Over: "}${name} (${host})`,
    text: `${text}

Gamekeeper at ${publicUrl} sends this because --owner names this address. Its state: ${publicUrl}/server
`
  }
}
