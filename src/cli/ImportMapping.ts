import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Data, Effect, Either, Option, ParseResult, Schema } from "effect"
import { CsvMapping } from "../domain/ingest/CsvMapping.ts"
import { exportDialects } from "../domain/ingest/exports/Dialects.ts"
import { jsonFaultOf } from "../domain/JsonFault.ts"
import { changedMapping, type ExportOrigin, MappingChanges } from "../domain/ingest/exports/ExportMapping.ts"
import { mappingProblems } from "./MappingProblems.ts"
import { unreadable } from "./Unreadable.ts"

/** The command cannot do what its arguments say; `message` is for the operator. */
export class ImportRefused extends Data.TaggedError("ImportRefused")<{ readonly message: string }> {}

/** What is said of a file that must not be there before, and is. */
export const isThere = (file: string) =>
  new ImportRefused({ message: `${file} is there already: name a file that is not` })

/** Says of a file that must not be there before that it is. Of what else keeps it from being written, the system says why. */
export const orThere = <A, R>(file: string, work: Effect.Effect<A, PlatformError, R>) =>
  Effect.catchIf(
    work,
    (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
    () => isThere(file)
  )

const problemsOf = (error: ParseResult.ParseError): string =>
  mappingProblems(ParseResult.ArrayFormatter.formatErrorSync(error)).join("; ")

const read = Effect.fnUntraced(function* <A, I>(
  file: string,
  schema: Schema.Schema<A, I>,
  onExcessProperty: "error" | "ignore"
) {
  const files = yield* FileSystem.FileSystem
  const refused = (reason: string) => new ImportRefused({ message: `The mapping ${file} ${reason}` })
  const said = yield* unreadable(file)
  const text = yield* Effect.mapError(
    files.readFileString(file),
    (error) => new ImportRefused({ message: `Cannot read the mapping ${said(error)}` })
  )
  const fault = jsonFaultOf(text)
  if (fault !== null) {
    const { line, column, expected } = fault
    return yield* refused(`is no JSON: line ${line}, column ${column}: expected ${expected}`)
  }
  const decoded = Schema.decodeUnknownEither(Schema.parseJson(schema), { onExcessProperty, errors: "all" })(text)
  return yield* Either.mapLeft(decoded, (error) => refused(`is not valid: ${problemsOf(error)}`))
})

export const csvMapping = (file: string) => read(file, CsvMapping, "ignore")

/** The mapping of exports of the origin, with the changes of a file. */
export const exportMapping = (origin: ExportOrigin, file: Option.Option<string>) =>
  Option.match(file, {
    onNone: () => Effect.succeed(exportDialects[origin].mapping),
    onSome: (name) =>
      Effect.map(read(name, MappingChanges, "error"), (changes) =>
        changedMapping(exportDialects[origin].mapping, changes)
      )
  })
