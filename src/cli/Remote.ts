import { Command, Options, Prompt } from "@effect/cli"
import { FetchHttpClient } from "@effect/platform"
import type { Redacted } from "effect"
import { Config, Console, Effect, Layer, Option } from "effect"
import { isatty } from "node:tty"
import type { ManagedKind } from "../remote/ManagedKind.ts"
import { ifStopped } from "../services/operations/Stopping.ts"
import { managedKinds } from "../remote/ManagedKind.ts"
import type { PlanReport } from "../remote/Plan.ts"
import { refusal } from "../remote/Refused.ts"
import { SchemaChecks } from "../remote/SchemaChecks.ts"
import type { ComparisonRequest } from "../remote/ServerState.ts"
import { counted } from "../domain/Counted.ts"
import { EndsWith } from "./EndsWith.ts"
import { loaded } from "./Loaded.ts"

/** The exit code of `plan` where there are changes, as of Terraform's `plan -detailed-exitcode`. */
const changesFound = 2

const target = {
  url: Options.text("url").pipe(
    Options.withFallbackConfig(Config.string("GAMEKEEPER_URL")),
    Options.withDescription("Address of the server; or GAMEKEEPER_URL")
  ),
  token: Options.redacted("token").pipe(
    Options.withFallbackConfig(Config.redacted("GAMEKEEPER_TOKEN")),
    Options.withDescription("Personal access token; better in GAMEKEEPER_TOKEN, which no list of processes shows")
  ),
  project: Options.text("project").pipe(
    Options.optional,
    Options.withDescription("Name or id of the project; default: the only one that the token covers")
  ),
  environment: Options.text("environment").pipe(
    Options.withDefault("production"),
    Options.withDescription("Alias, name or id of the environment (production)")
  )
}

const parameters = {
  ...target,
  dir: Options.directory("dir").pipe(Options.withDefault("."), Options.withDescription("Folder of the files (.)")),
  only: Options.choice("only", managedKinds).pipe(
    Options.repeated,
    Options.withDescription("Look at this kind of object alone; may be given several times")
  ),
  prune: Options.boolean("prune").pipe(Options.withDescription("Also remove what is only at the other side"))
}

const pruneAll = Options.boolean("prune-all").pipe(
  Options.withDescription("With --prune: remove also all of a kind that has no file in the folder")
)

interface Parameters {
  readonly url: string
  readonly token: Redacted.Redacted
  readonly project: Option.Option<string>
  readonly environment: string
  readonly dir: string
  readonly only: ReadonlyArray<ManagedKind>
  readonly prune: boolean
  readonly pruneAll?: boolean
}

const asked = (
  { url, token, project, environment, dir, only, prune, pruneAll = false }: Parameters,
  reason = ""
): ComparisonRequest => ({
  target: { url, token, project: Option.getOrUndefined(project), environment },
  folder: dir,
  kinds: only.length === 0 ? managedKinds : only,
  prune,
  pruneAll,
  reason
})

const schemaChecking = Effect.flatMap(
  loaded(() => import("../app/SchemaChecking.ts")),
  ({ schemaChecking: checking }) => checking
)

/** What comparing files with a server needs. */
const Comparing = Layer.merge(FetchHttpClient.layer, Layer.scoped(SchemaChecks, schemaChecking))

const json = Options.boolean("json").pipe(Options.withDescription("Print JSON"))

const printed = Effect.fnUntraced(function* (report: PlanReport, isJson: boolean) {
  if (isJson) return yield* Console.log(JSON.stringify(report, null, 2))
  const { planText } = yield* loaded(() => import("../remote/PlanText.ts"))
  yield* Console.log(planText(report))
})

export const PullCommand = Command.make(
  "pull",
  parameters,
  Effect.fnUntraced(function* (given) {
    const { pull } = yield* loaded(() => import("../remote/Pull.ts"))
    const { written, unchanged, strangers, problems } = yield* Effect.provide(pull(asked(given)), FetchHttpClient.layer)
    for (const file of written) yield* Console.log(`wrote ${file}`)
    for (const { file, message } of problems) yield* Console.log(`kept ${file}, which was not taken: ${message}`)
    for (const file of strangers) {
      yield* Console.log(`${given.prune ? "removed" : "kept"} ${file}: the server has no such object`)
    }
    yield* Console.log(`${counted(written.length, "file")} written, ${unchanged} as they were`)
  })
).pipe(Command.withDescription("Write configurations, cohorts, saved queries, boards and roles of a server into files"))

export const PlanCommand = Command.make(
  "plan",
  { ...parameters, pruneAll, json },
  Effect.fnUntraced(function* (given) {
    const { plan } = yield* loaded(() => import("../remote/Plan.ts"))
    const { report } = yield* Effect.provide(plan(asked(given)), Comparing)
    yield* printed(report, given.json)
    if (report.changes.some(({ isApplied }) => isApplied)) return yield* new EndsWith({ exitCode: changesFound })
  })
).pipe(Command.withDescription("Show what apply would change; exits with 2 where there is something, with 0 where not"))

const confirmed = Effect.gen(function* () {
  const standardInput = 0
  if (yield* Effect.sync(() => isatty(standardInput))) return yield* Prompt.confirm({ message: "Apply these changes?" })
  return yield* refusal("apply asks before it changes anything: give --yes where nobody can answer")
})

export const ApplyCommand = Command.make(
  "apply",
  {
    ...parameters,
    pruneAll,
    json,
    yes: Options.boolean("yes").pipe(Options.withDescription("Apply without asking")),
    reason: Options.text("reason").pipe(
      Options.withDefault("Applied from files"),
      Options.withDescription("Stands beside the new versions of configurations, such as a commit (Applied from files)")
    )
  },
  Effect.fnUntraced(function* (given) {
    const { plan } = yield* loaded(() => import("../remote/Plan.ts"))
    const { applySteps } = yield* loaded(() => import("../remote/Apply.ts"))
    const work = Effect.gen(function* () {
      const planned = yield* plan(asked(given, given.reason))
      yield* printed(planned.report, given.json)
      if (!planned.steps.some(({ isApplied }) => isApplied)) return
      if (!given.yes && !(yield* confirmed)) return
      yield* ifStopped("what is said to be done above is done, and the rest is not")
      const count = yield* applySteps(planned, ({ kind, name, action }) =>
        given.json ? Effect.void : Console.log(`${action} ${kind}/${name}: done`)
      )
      if (!given.json) yield* Console.log(`${counted(count, "change")} applied`)
    })
    yield* Effect.provide(work, Comparing)
  })
).pipe(Command.withDescription("Make a server what the files say; shows the plan and asks first"))

export const TypesCommand = Command.make(
  "types",
  {
    ...target,
    language: Options.choice("language", ["typescript", "csharp", "luau"]).pipe(
      Options.withDescription("Language of the types")
    )
  },
  Effect.fnUntraced(function* ({ url, token, project, environment, language }) {
    const { gameTypes } = yield* loaded(() => import("../remote/GameTypes.ts"))
    const place = { url, token, project: Option.getOrUndefined(project), environment }
    const text = yield* Effect.provide(gameTypes(place, language), FetchHttpClient.layer)
    yield* Console.log(text.trimEnd())
  })
).pipe(Command.withDescription("Print types of configurations and of the arguments of markers"))

export const ExportCommand = Command.make(
  "export",
  {
    ...target,
    dir: Options.directory("dir").pipe(
      Options.withDefault("export"),
      Options.withDescription("Folder of the files (export)")
    ),
    format: Options.choice("format", ["parquet", "csv", "ndjson"]).pipe(
      Options.withDefault("parquet"),
      Options.withDescription("Format of the files (parquet)")
    ),
    from: Options.text("from").pipe(Options.optional, Options.withDescription("First day, in UTC, such as 2026-03-01")),
    to: Options.text("to").pipe(Options.optional, Options.withDescription("Last day, which is exported too")),
    type: Options.text("type").pipe(
      Options.repeated,
      Options.withDescription("Export this marker type alone; may be given several times")
    ),
    fresh: Options.boolean("fresh").pipe(
      Options.withDescription("Fetch every day again, also those whose number of markers is that of their file")
    )
  },
  Effect.fnUntraced(function* ({ url, token, project, environment, dir, format, from, to, type, fresh }) {
    yield* ifStopped("days that are written stay, and a repeat goes on after them")
    const { exportMarkers } = yield* loaded(() => import("../remote/MarkerExport.ts"))
    const asked = {
      target: { url, token, project: Option.getOrUndefined(project), environment },
      folder: dir,
      format,
      from: Option.getOrNull(from),
      to: Option.getOrNull(to),
      types: type,
      isFresh: fresh
    }
    const { written, kept } = yield* Effect.provide(exportMarkers(asked, Console.log), FetchHttpClient.layer)
    yield* Console.log(`${counted(written, "day")} written, ${kept} as they were`)
  })
).pipe(
  Command.withDescription(
    "Write the markers of an environment into files, one for each day, to be resumed and repeated"
  )
)
