import { Either } from "effect"
import { parentPort } from "node:worker_threads"
import type { Document, Json } from "../../../domain/configuration/Document.ts"
import { check, compile, warmUp } from "../SchemaCheck.ts"
import type { SchemaQuestion, SchemaReply } from "../SchemaThread.ts"

const answer = ({ schema, value }: SchemaQuestion): SchemaReply => {
  const document: Document = JSON.parse(schema)
  const content: Json = JSON.parse(value)
  const checked = Either.flatMap(compile(document), (validate) => check(validate, content))
  return Either.isLeft(checked)
    ? { type: "unusable", message: checked.left.message }
    : { type: "checked", violations: checked.right }
}

const reply = (message: SchemaReply) => parentPort?.postMessage(message)

parentPort?.on("message", (question: SchemaQuestion) => reply(answer(question)))
warmUp()
reply({ type: "ready" })
