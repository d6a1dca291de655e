import type { Kind } from "../saved/Kind.ts"
import { benchmarksOf, benchmarksText } from "./Benchmark.ts"
import { asksTheSame } from "../saved/Same.ts"
import type { RetentionQuestion } from "./RetentionQuestion.ts"
import { retentionBody, retentionCodec, retentionWords } from "./RetentionQuestion.ts"

/** The word before the benchmarks in `options.display`, which keeps them. */
const shape = "grid"

/** Questions of retention, as they are saved and read again. */
export const retentionKind: Kind<RetentionQuestion> = {
  queryType: "retention",
  codec: retentionCodec,
  words: retentionWords,
  definition: (question) => {
    const spec = retentionBody(question)
    if (spec === null || question.benchmarks.length === 0)
      return spec === null ? null : { queryType: "retention", spec }
    const display = `${shape};${benchmarksText(question.benchmarks)}`
    return { queryType: "retention", spec: { ...spec, options: { display } } }
  },
  read: (saved, timeZone) => {
    if (saved.queryType !== "retention") return null
    const { start, return: back, interval, intervals: count, time } = saved.spec
    if (time.timezone !== undefined && time.timezone !== timeZone) return null
    const value = "relative" in time ? time.relative.value : count
    const [, benchmarks = ""] = (saved.spec.options.display ?? "").split(";")
    const question: RetentionQuestion = {
      start: String(start.name),
      back: String((back ?? start).name),
      interval,
      count,
      rows: value === count ? null : value,
      picked: [],
      benchmarks: benchmarksOf(benchmarks)
    }
    return asksTheSame({ ...saved.spec, return: back ?? start }, retentionBody(question)) ? question : null
  },
  essence: (question) => ({ ...question, picked: [] })
}
