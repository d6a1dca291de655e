import { ZxcvbnFactory } from "@zxcvbn-ts/core"
import { adjacencyGraphs, dictionary as common } from "@zxcvbn-ts/language-common"
import { dictionary as english, translations } from "@zxcvbn-ts/language-en"
import { parentPort } from "node:worker_threads"
import type { PasswordEstimate } from "../../../domain/access/PasswordStrength.ts"
import type { PasswordQuestion } from "../PasswordThread.ts"

const estimator = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
  translations
})

const estimate = ({ password, about }: PasswordQuestion): PasswordEstimate => {
  const { score, feedback } = estimator.check(password, [...about])
  const advice = [feedback.warning, ...feedback.suggestions].filter((sentence) => typeof sentence === "string")
  return { score, advice: advice.join(" ") }
}

parentPort?.on("message", (question: PasswordQuestion) => parentPort?.postMessage(estimate(question)))
parentPort?.postMessage("ready")
