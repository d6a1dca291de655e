import { Chunk, Console, Effect, Option, Stream } from "effect"
import { exactJson } from "../domain/ingest/ExactJson.ts"
import { type ImportSource, mostRowBytes, nameOf, rowMebibytes, SourceUnusable, unpacked } from "./ImportSource.ts"

/** The JSON in a line; the line itself where it holds none. */
export const parsedLine = (line: string): unknown => Option.getOrElse(exactJson(line), () => line)

/** The text as it is, until a line is longer than any row may be: a file without ends of lines would be kept in memory as a whole. */
const untilLongLine = <E, R>(source: ImportSource, text: Stream.Stream<string, E, R>) =>
  Stream.suspend(() => {
    let ended = 0
    let since = 0
    const refused = Effect.suspend(() => {
      const fault = `line ${ended + 1} has more than ${rowMebibytes} MiB, and each line should be one record`
      return new SourceUnusable({ message: `${nameOf(source)}: ${fault}` })
    })
    return Stream.tap(text, (piece) => {
      let from = 0
      for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
        if (since + end - from > mostRowBytes) return refused
        ended++
        since = 0
        from = end + 1
      }
      since += piece.length - from
      return since > mostRowBytes ? refused : Effect.void
    })
  })

/** Whether a line begins as an object or a list and is no JSON. */
const isBroken = (line: string): boolean => /^\s*[{[]/.test(line) && Option.isNone(exactJson(line))

/** Says of a text that stops within its last line that it does: each other line was imported, and nobody would look for what is missing. */
const tellingItsEnd = <E, R>(source: ImportSource, text: Stream.Stream<string, E, R>) =>
  Stream.suspend(() => {
    let isWithin = false
    let last = ""
    const whole = Stream.tap(text, (piece) =>
      Effect.sync(() => {
        if (piece !== "") isWithin = !piece.endsWith("\n")
      })
    ).pipe(
      Stream.splitLines,
      Stream.mapChunks((lines) => {
        last = Option.getOrElse(Chunk.last(lines), () => last)
        return lines
      })
    )
    const told = Effect.suspend(() =>
      isWithin && isBroken(last)
        ? Console.error(
            `${nameOf(source)} ends within its last line, so it may have been cut off: import it again when it is whole, and what is stored already is a duplicate`
          )
        : Effect.void
    )
    return Stream.concat(whole, Stream.execute(told))
  })

/** The lines of a source that are not empty. */
export const linesOf = (source: ImportSource) =>
  Stream.filter(
    tellingItsEnd(source, untilLongLine(source, Stream.decodeText(unpacked(source)))),
    (line) => line.trim() !== ""
  )
