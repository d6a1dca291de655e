import { assert, describe, it } from "@effect/vitest"
import { ZxcvbnFactory } from "@zxcvbn-ts/core"
import { adjacencyGraphs, dictionary as common } from "@zxcvbn-ts/language-common"
import { dictionary as english, translations } from "@zxcvbn-ts/language-en"
import { FastCheck } from "effect"
import { wordsFor } from "../../../src/adapters/node/PasswordWords.ts"
import { runCount } from "../../support/Runs.ts"

const whole = { ...common, ...english }
/** The first words of each dictionary, which are used most, and some of the rest. */
const some = Object.fromEntries(
  Object.entries(whole).map(([name, words]) => [name, words.filter((_, at) => at < 1000 || at % 997 === 0)])
)

const estimatorOf = (dictionary: Record<string, Array<string | number>>) =>
  new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, translations })

/** All that zxcvbn finds in a password but the time that it took. */
const found = (estimator: ZxcvbnFactory, password: string) => {
  const { calcTime: _, ...rest } = estimator.check(password, ["Ada", "ada@studio.example"])
  return rest
}

const disguises: ReadonlyArray<(word: string) => string> = [
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => word.split("").toReversed().join(""),
  (word) => word.replaceAll("a", "4").replaceAll("o", "()").replaceAll("s", "$").replaceAll("w", "vv"),
  (word) => word.replaceAll("i", "|").replaceAll("m", "NN").replaceAll("h", "|-|").replaceAll("e", "3"),
  (word) => word.repeat(2)
]

const disguised = FastCheck.tuple(
  FastCheck.constantFrom(...Object.values(some).flat().map(String)),
  FastCheck.constantFrom(...disguises)
).map(([word, disguise]) => disguise(word))

const passwords = FastCheck.array(
  FastCheck.oneof(
    { arbitrary: disguised, weight: 3 },
    FastCheck.string({ maxLength: 6, unit: "grapheme" }),
    FastCheck.constantFrom("Σ", "İ", "constructor", "__proto__", "", "-", "one two three", "Ada1995")
  ),
  { minLength: 1, maxLength: 3 }
).map((parts) => parts.join("").slice(0, 60))

describe("the words that a password may hold", () => {
  it("let zxcvbn find in it what it finds with all words", () => {
    const all = estimatorOf(some)
    FastCheck.assert(
      FastCheck.property(passwords, (password) => {
        assert.deepStrictEqual(found(estimatorOf(wordsFor(password, some)), password), found(all, password))
      }),
      { numRuns: runCount(100) }
    )
  })

  it("are a part of the dictionaries as they are served, and let zxcvbn find the same there", () => {
    const all = estimatorOf(whole)
    for (const password of ["correct horse battery staple", "p4ssw()rd|-|emberkeep", "NNagdalena drowssap"]) {
      const words = wordsFor(password, whole)
      const left = Object.values(words)
        .flat()
        .filter((word) => word !== "")
      assert.isBelow(left.length, 100_000, password)
      assert.deepStrictEqual(found(estimatorOf(words), password), found(all, password))
    }
  })
})
