import { assert, describe, it } from "@effect/vitest"
import { hourMillis, minuteMillis } from "../../../../src/domain/Durations.ts"
import {
  levelOf,
  lookMillis,
  nothingWatched,
  openTroubles,
  requestsLately,
  serverMail,
  type ServerLook,
  type ServerTelling,
  watched
} from "../../../../src/domain/operations/alerts/ServerWatch.ts"
import { dataLost, lowDisk } from "../../../../src/domain/operations/StoreProblem.ts"

const start = Date.UTC(2026, 10, 24, 6)

const quiet = (at: number): ServerLook => ({
  at,
  problems: [],
  freeBytes: 50e9,
  leastBytes: 1e8,
  isIngestOverloaded: false,
  answered: ((at - start) / 1000) * 20,
  failed: 0,
  unavailable: 0,
  failedRounds: {},
  damagedBackup: null
})

/** What is told while the server is looked at for so long, and what is open at the end. */
const follow = (minutes: number, change: (minute: number, at: number) => Partial<ServerLook>) => {
  let watch = nothingWatched
  const told: Array<ServerTelling> = []
  for (let at = start; at <= start + minutes * minuteMillis; at += lookMillis) {
    const next = watched(watch, { ...quiet(at), ...change((at - start) / minuteMillis, at) })
    watch = next.watch
    told.push(...next.tellings)
  }
  return { watch, told: told.map(({ type, key, at }) => [type, key, (at - start) / minuteMillis]), tellings: told }
}

describe("what is told of the server", () => {
  const cases: ReadonlyArray<
    readonly [
      name: string,
      minutes: number,
      change: (minute: number, at: number) => Partial<ServerLook>,
      told: ReadonlyArray<readonly [string, string, number]>
    ]
  > = [
    ["nothing of a quiet server", 24 * 60, () => ({}), []],
    ["nothing of what one look sees", 30, (minute) => (minute === 3 ? { problems: [dataLost] } : {}), []],
    [
      "a damage, and its end",
      30,
      (minute) => (minute >= 1 && minute < 10 ? { problems: [dataLost] } : {}),
      [
        ["server.problem", "DATA_LOST", 1.5],
        ["server.resolved", "DATA_LOST", 11.5]
      ]
    ],
    [
      "a full disk once, though what it says changes",
      10,
      (minute) => ({ problems: lowDisk(9e7 - minute * 1e6, 1e8) }),
      [["server.problem", "DISK_LOW", 0.5]]
    ],
    [
      "a disk that fills within hours, after an hour",
      120,
      (minute) => ({ freeBytes: 20e9 - (minute / 60) * 5e9 }),
      [["server.problem", "DISK_FILLING", 60.5]]
    ],
    [
      "a disk that fills within a day, after three hours",
      300,
      (minute) => ({ freeBytes: 20e9 - (minute / 60) * 1e9 }),
      [["server.problem", "DISK_FILLING", 180.5]]
    ],
    [
      "a disk that fills within three days, after five and a half hours",
      400,
      (minute) => ({ freeBytes: 20e9 - (minute / 60) * 0.5e9 }),
      [["server.problem", "DISK_FILLING", 330.5]]
    ],
    [
      "a disk that begins to fill after a quiet day, an hour later",
      25 * 60 + 30,
      (minute) => ({ freeBytes: minute < 1440 ? 20e9 : 20e9 - ((minute - 1440) / 60) * 5e9 }),
      [["server.problem", "DISK_FILLING", 1496]]
    ],
    [
      "nothing of a copy that fills a third of it once",
      1200,
      (minute) => ({ freeBytes: minute < 90 ? 60e9 : 40e9 }),
      []
    ],
    [
      "nothing of what builds leave and remove again, with tens of GB free",
      24 * 60,
      (minute) => ({ freeBytes: 60e9 - ((minute % 47) / 47) * 15e9 - ((minute % 200) / 200) * 5e9 }),
      []
    ],
    [
      "a disk once that fills with pauses, and its end once somebody has made room",
      24 * 60,
      (minute) => ({ freeBytes: minute > 900 ? 50e9 : 20e9 - Math.floor(minute / 40) * 0.5e9 }),
      [
        ["server.problem", "DISK_FILLING", 330.5],
        ["server.resolved", "DISK_FILLING", 960]
      ]
    ],
    ["nothing of one that fills within a month", 300, (minute) => ({ freeBytes: 400e9 - (minute / 60) * 0.5e9 }), []],
    [
      "errors of two in a hundred",
      20,
      (minute, at) => ({ failed: minute < 5 ? 0 : (((at - start) / 1000) * 20 - 6000) * 0.02 }),
      [["server.problem", "ERRORS", 9.5]]
    ],
    ["nothing of errors of one in two hundred", 240, (_, at) => ({ failed: ((at - start) / 1000) * 20 * 0.005 }), []],
    ["nothing of two errors of three requests", 60, () => ({ answered: 3, failed: 2 }), []],
    [
      "a backup that failed once, and that it is over",
      120,
      (minute, at) => (minute >= 10 ? { failedRounds: { Backups: [start + 10 * minuteMillis] }, at } : {}),
      [
        ["server.problem", "JOB Backups", 10.5],
        ["server.resolved", "JOB Backups", 86.5]
      ]
    ],
    [
      "maintenance that fails at every hour, once, and its end",
      240,
      (minute) => ({
        failedRounds: { Maintenance: [1, 62, 123].filter((at) => at <= minute).map((at) => start + at * minuteMillis) }
      }),
      [
        ["server.problem", "JOB Maintenance", 1.5],
        ["server.resolved", "JOB Maintenance", 199.5]
      ]
    ],
    ["nothing of another job that failed twice", 60, () => ({ failedRounds: { Webhooks: [start, start + 1] } }), []],
    [
      "another job that failed three times",
      20,
      () => ({ failedRounds: { Webhooks: [start, start + 1, start + 2] } }),
      [["server.problem", "JOB Webhooks", 0.5]]
    ],
    [
      "damage in the newest backup, until one has none",
      120,
      (minute) => ({ damagedBackup: minute >= 10 && minute < 60 ? "newest" : null }),
      [
        ["server.problem", "BACKUP_DAMAGED", 10.5],
        ["server.resolved", "BACKUP_DAMAGED", 61.5]
      ]
    ],
    [
      "markers that are refused",
      5,
      (minute) => ({ isIngestOverloaded: minute >= 1 }),
      [["server.problem", "INGEST", 1.5]]
    ]
  ]
  it.each(cases)("%s", (_, minutes, change, told) => {
    assert.deepStrictEqual(
      follow(minutes, change).told,
      told.map((each) => [...each])
    )
  })

  it("is an error, what is foreseen a warning, and its end neither", () => {
    const key = "DISK_FILLING"
    const telling: ServerTelling = { type: "server.problem", key, name: "", text: "", at: start }
    assert.strictEqual(levelOf(telling), "Warning")
    assert.strictEqual(levelOf({ ...telling, key: "DISK_LOW" }), "Error")
    assert.strictEqual(levelOf({ ...telling, type: "server.resolved" }), "Info")
  })

  it("is open meanwhile, and says in words what it is and since when", () => {
    const { watch, tellings } = follow(5, () => ({ problems: [dataLost] }))
    assert.deepStrictEqual(
      openTroubles(watch).map(({ key, since }) => [key, since]),
      [["DATA_LOST", start]]
    )
    const [first] = tellings
    assert.isDefined(first)
    if (first === undefined) return
    const mail = serverMail(first, "https://live.studio.example")
    assert.strictEqual(mail.subject, "A store is not as it should be (live.studio.example)")
    assert.include(mail.text, "doctor --accept")
    assert.include(mail.text, "https://live.studio.example/server")
  })

  it("says of requests that failed where it is told why", () => {
    const share = (at: number, part: number) => ((at - start) / 1000) * 20 * part
    const textOf = (unavailable: number) =>
      follow(10, (_, at) => ({ failed: share(at, 0.05), unavailable: share(at, unavailable) })).tellings[0]?.text
    assert.match(textOf(0) ?? "", /requests in the last five minutes 5 % failed: the log says why\.$/)
    assert.match(textOf(0.05) ?? "", /5 % failed with status 503: the server had more to do than it could/)
    assert.match(textOf(0.04) ?? "", /5 % failed\. \d+ of these had status 503: .*\. Of the others the log says why\.$/)
  })

  it("remembers a day in few samples, and the requests of five minutes", () => {
    const { watch } = follow(24 * 60, () => ({}))
    assert.isBelow(watch.samples.length, 120)
    assert.deepStrictEqual(requestsLately(watch), { answered: 6000, failed: 0 })
    assert.isAtMost((watch.samples.at(-1)?.at ?? 0) - (watch.samples[0]?.at ?? 0), 6 * hourMillis)
  })
})
