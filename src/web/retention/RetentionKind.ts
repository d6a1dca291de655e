import type { Kind } from "../saved/Kind.ts"
import { asksTheSame } from "../saved/Same.ts"
import type { RetentionQuestion } from "./RetentionQuestion.ts"
import { retentionBody, retentionCodec, retentionWords } from "./RetentionQuestion.ts"

/** Questions of retention, as they are saved and read again. */
export const retentionKind: Kind<RetentionQuestion> = {
  queryType: "retention",
  codec: retentionCodec,
  words: retentionWords,
  definition: (question) => {
    const spec = retentionBody(question)
    return spec === null ? null : { queryType: "retention", spec }
  },
  read: (saved, timeZone) => {
    if (saved.queryType !== "retention") return null
    const { start, return: back, interval, intervals: count, time } = saved.spec
    if (time.timezone !== undefined && time.timezone !== timeZone) return null
    const question = { start: String(start.name), back: String((back ?? start).name), interval, count, picked: [] }
    return asksTheSame({ ...saved.spec, return: back ?? start }, retentionBody(question)) ? question : null
  },
  essence: (question) => ({ ...question, picked: [] })
}
