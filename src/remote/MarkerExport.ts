import { FileSystem, HttpClient, HttpClientRequest, type HttpClientResponse, Path } from "@effect/platform"
import { Console, DateTime, Effect, Either, Option, Redacted, Schedule, Schema, Stream } from "effect"
import { MarkerExportDays, TableFormat } from "../../schema/analytics/MarkerExports.ts"
import { isFileKept } from "../domain/analytics/table/ExportedDay.ts"
import { nearestName } from "../domain/NearestName.ts"
import { foreignAnswer, givenToCommands, isOurs } from "../domain/operations/Unreachable.ts"
import { type Connection, connect, type Target } from "./Connection.ts"
import { nameWhole } from "./LastingFile.ts"
import { explained, refusal, RemoteRefused } from "./Refused.ts"

/** What is exported, and where to. Days are those of UTC, as YYYY-MM-DD; null: as far as there are markers. */
export interface ExportAsked {
  readonly target: Target
  readonly folder: string
  readonly format: TableFormat
  /** The first day, and the last, which is exported too. */
  readonly from: string | null
  readonly to: string | null
  /** Empty: all types. */
  readonly types: ReadonlyArray<string>
  /** Whether days are written again that have as many markers as their file. */
  readonly isFresh: boolean
}

type Day = MarkerExportDays["days"][number]

const DoneDay = Schema.Struct({ markers: Schema.Int, asOf: Schema.Int, bytes: Schema.Int })

const Manifest = Schema.Struct({
  environment: Schema.String,
  /** Names are given again; older versions say no id. */
  environmentId: Schema.optional(Schema.Int),
  /** When the project and the environment were made, which tells those of this server from those of another one, whatever their names are by now. */
  madeAt: Schema.optional(Schema.String),
  format: TableFormat,
  types: Schema.Array(Schema.String),
  /** The days that the last run was asked for; older versions do not say it. */
  from: Schema.optional(Schema.NullOr(Schema.String)),
  to: Schema.optional(Schema.NullOr(Schema.String)),
  /** What the run that was cut off had to do; null where all are done. */
  open: Schema.NullOr(MarkerExportDays),
  days: Schema.Record({ key: Schema.String, value: DoneDay })
})
type Manifest = typeof Manifest.Type

const manifestJson = Schema.parseJson(Manifest, { space: 2 })
const manifestName = "export.json"

/** How often and how patiently a day is asked for again whose connection broke or whose server had too much to do. */
const attempts = Schedule.intersect(Schedule.exponential("500 millis"), Schedule.recurs(6))

const dayMillis = 86_400_000

const startOf = (option: string, day: string | null) => {
  if (day === null) return Effect.succeed(null)
  const millis = Date.parse(`${day}T00:00:00Z`)
  // The calendar rolls the 30th of February over to March.
  const isDay = !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(`${day}T`)
  return /^\d{4}-\d\d-\d\d$/.test(day) && isDay
    ? Effect.succeed(millis)
    : refusal(`${option} must be a day such as 2026-03-31, and not ${day}`)
}

const readManifest = (place: string) =>
  Effect.gen(function* () {
    const system = yield* FileSystem.FileSystem
    if (!(yield* system.exists(place))) return null
    const text = yield* system.readFileString(place)
    return yield* Either.match(Schema.decodeEither(manifestJson)(text), {
      onLeft: () => refusal(`${place}: expected what an export wrote; choose another folder`),
      onRight: (manifest) => Effect.succeed(manifest)
    })
  })

type Asked = Omit<Manifest, "open" | "days">

const isSameExport = (left: Manifest, right: Asked): boolean =>
  (left.madeAt === undefined ? left.environment === right.environment : left.madeAt === right.madeAt) &&
  (left.environmentId === undefined || left.environmentId === right.environmentId) &&
  left.format === right.format &&
  JSON.stringify(left.types) === JSON.stringify(right.types)

/** Whether the one of an older version, which noted of project and environment only the names and an id, may be this one under a former name. */
const mayBeRenamed = (left: Manifest, right: Asked): boolean =>
  left.madeAt === undefined &&
  left.environmentId !== undefined &&
  isSameExport({ ...left, environment: right.environment }, right)

const isOfSameDays = (left: Manifest, right: Asked): boolean =>
  left.from === undefined || (left.from === right.from && left.to === right.to)

/** Warns of types that the environment does not have: nearly always one is misspelt. Says nothing where the token may not list them. */
const warnOfUnknown = Effect.fnUntraced(function* (
  { client, application, environment }: Connection,
  types: ReadonlyArray<string>
) {
  if (types.length === 0) return
  const where = { path: { applicationId: application.id }, headers: { environment_id: environment.id } }
  const listed = yield* Effect.option(client.markers.types(where))
  if (Option.isNone(listed)) return
  const known = listed.value.map(({ name }) => name)
  for (const type of types.filter((each) => !known.includes(each))) {
    const nearest = nearestName(type, known)
    yield* Console.error(
      `${environment.name} has no markers of the type ${type}${nearest === undefined ? "" : `: did you mean ${nearest}?`}`
    )
  }
})

/** A refusal that passes: the same request may succeed a moment later. */
const passing = "PASSING"

const isPassing = (status: number): boolean => status === 429 || (status >= 502 && status <= 504)

const json = Schema.decodeOption(Schema.parseJson())

/** What an answer without markers says to the person at the terminal; that of a proxy is a page. */
const refusalIn = Effect.fnUntraced(function* (day: string, response: HttpClientResponse.HttpClientResponse) {
  const { status, headers, request } = response
  const text = yield* response.text
  const { message, code } = isOurs(status, headers["content-type"])
    ? explained(day)(Option.getOrElse(json(text), () => text))
    : refusal(foreignAnswer(request.url, givenToCommands, status))
  return refusal(message, isPassing(status) ? passing : code)
})

const linkOf = ({ application, environment }: Connection, { target, format, types }: ExportAsked) => {
  const address = `${target.url.replace(/\/+$/, "")}/application/${application.id}/analytics/v1/markers/export`
  return (day: Day, asOf: number) =>
    HttpClientRequest.get(address).pipe(
      HttpClientRequest.bearerToken(Redacted.value(target.token)),
      HttpClientRequest.setHeader("environment-id", String(environment.id)),
      HttpClientRequest.setUrlParams([
        ["from", DateTime.formatIso(day.from)],
        ["to", DateTime.formatIso(day.to)],
        ["asOf", String(asOf)],
        ["format", format],
        ...types.map((type) => ["types", type] as const)
      ])
    )
}

/** Fetches a day into a file, which appears when it is whole; answers its bytes. A connection that breaks is tried again. */
const fetchInto = Effect.fnUntraced(function* (
  request: HttpClientRequest.HttpClientRequest,
  day: string,
  file: string
) {
  const system = yield* FileSystem.FileSystem
  const client = yield* HttpClient.HttpClient
  const part = `${file}.part`
  const once = Effect.gen(function* () {
    const response = yield* client.execute(request)
    if (response.status !== 200) return yield* yield* refusalIn(day, response)
    yield* Stream.run(response.stream, system.sink(part))
  })
  const mayPass = (error: { readonly _tag: string }) =>
    error._tag === "RequestError" ||
    error._tag === "ResponseError" ||
    (error instanceof RemoteRefused && error.code === passing)
  yield* Effect.mapError(Effect.retry(once, { schedule: attempts, while: mayPass }), (error) =>
    error._tag === "RequestError" || error._tag === "ResponseError" ? explained(day)(error) : error
  )
  yield* nameWhole(part, file)
  return Number((yield* system.stat(file)).size)
})

/**
 * Writes the markers of each day into `markers/day=YYYY-MM-DD/markers.<format>` below the folder, all of one instant. A run that was cut
 * off goes on with that instant, where the same days are asked for; one after a whole run fetches the days whose number of markers has
 * changed. `told` hears of each day.
 */
export const exportMarkers = Effect.fnUntraced(function* (
  asked: ExportAsked,
  told: (line: string) => Effect.Effect<void>
) {
  const system = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { folder, format, types, isFresh } = asked
  const [first, last] = [yield* startOf("--from", asked.from), yield* startOf("--to", asked.to)]
  const connection = yield* connect(asked.target)
  const { client, application, environment } = connection
  const place = path.join(folder, manifestName)
  const { from, to } = asked
  const what = {
    environment: `${application.name} (${application.id}), ${environment.name}`,
    environmentId: environment.id,
    madeAt: [application, environment].map(({ createdAt }) => DateTime.formatIso(createdAt)).join(" "),
    format,
    types,
    from,
    to
  }
  const before = yield* readManifest(place)
  if (before !== null && !isSameExport(before, what))
    return yield* refusal(
      mayBeRenamed(before, what)
        ? `${place} was written by an older version, as that of ${before.environment}: where ${what.environment} had that name, put its present one into the file as "environment"; otherwise choose another folder`
        : `${place} is of another export (${before.environment}${before.environmentId === undefined ? "" : `, environment ${before.environmentId}`}, ${before.format}): choose another folder`
    )

  yield* warnOfUnknown(connection, types)
  const counted = client.markers
    .exportDays({
      path: { applicationId: application.id },
      headers: { environment_id: environment.id },
      urlParams: {
        ...(first === null ? {} : { from: DateTime.unsafeMake(first) }),
        ...(last === null ? {} : { to: DateTime.unsafeMake(last + dayMillis) }),
        types
      }
    })
    .pipe(Effect.mapError(explained("Days")))
  const resumed = before !== null && isOfSameDays(before, what) ? before.open : null
  const { asOf, days } = resumed ?? (yield* counted)
  // A folder that an export has begun is kept for the same one: what exports nothing, such as a misspelt type, begins none.
  if (days.length === 0 && before === null) return { written: 0, kept: 0, asOf }
  const request = linkOf(connection, asked)
  const done = new Map(Object.entries(before?.days ?? {}))
  const save = (open: Manifest["open"]) =>
    Effect.flatMap(Schema.encode(manifestJson)({ ...what, open, days: Object.fromEntries(done) }), (text) =>
      Effect.zipRight(system.writeFileString(`${place}.part`, `${text}\n`), nameWhole(`${place}.part`, place))
    )

  const isDone = (day: Day): boolean => {
    const known = done.get(day.day)
    if (known === undefined || resumed !== null) return known?.asOf === asOf
    return !isFresh && isFileKept(known.markers, { markers: day.markers, isCut: day.cut === true })
  }

  yield* system.makeDirectory(folder, { recursive: true })
  yield* save({ asOf, days })
  let written = 0
  for (const day of days.filter((each) => !isDone(each))) {
    const home = path.join(folder, "markers", `day=${day.day}`)
    yield* system.makeDirectory(home, { recursive: true })
    const bytes = yield* fetchInto(request(day, asOf), day.day, path.join(home, `markers.${format}`))
    done.set(day.day, { markers: day.markers, asOf, bytes })
    yield* save({ asOf, days })
    yield* told(`${day.day}: ${day.markers} markers, ${bytes} bytes`)
    written++
  }
  yield* save(null)
  return { written, kept: days.length - written, asOf }
})
