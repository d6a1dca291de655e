import { ZxcvbnFactory } from "@zxcvbn-ts/core"
import { adjacencyGraphs, dictionary as common } from "@zxcvbn-ts/language-common"
import { dictionary as english, translations } from "@zxcvbn-ts/language-en"
import { parentPort } from "node:worker_threads"
import type { PasswordEstimate } from "../../../domain/access/PasswordStrength.ts"
import type { PasswordQuestion } from "../PasswordThread.ts"
import { wordsFor } from "../PasswordWords.ts"

const dictionaries = { ...common, ...english }

/** A thread estimates one password, so what zxcvbn makes of 236,000 words is made for it alone. */
const estimate = ({ password, about }: PasswordQuestion): PasswordEstimate => {
  const dictionary = wordsFor(password, dictionaries)
  const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, translations })
  const { score, feedback } = estimator.check(password, [...about])
  const advice = [feedback.warning, ...feedback.suggestions].filter((sentence) => typeof sentence === "string")
  return { score, advice: advice.join(" ") }
}

parentPort?.on("message", (question: PasswordQuestion) => parentPort?.postMessage(estimate(question)))
parentPort?.postMessage("ready")
