import type { Json } from "../../configuration/Document.ts"
import { testType, type WebhookEvent } from "./WebhookEvents.ts"

const textOf = (value: Json | undefined): string | null => (typeof value === "string" && value !== "" ? value : null)

/** Who did it, by the e-mail address or the name of the key; null where it happened by itself. */
const actorOf = (actor: Json | undefined): string | null => {
  if (typeof actor !== "object" || actor === null) return null
  const found = new Map(Object.entries(actor))
  return textOf(found.get("email")) ?? textOf(found.get("keyName"))
}

/** Angle brackets and ampersands begin links and names in chats. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** An event as a sentence for people, escaped as Slack asks for it (https://docs.slack.dev/messaging/formatting-message-text). */
export const sentenceOf = ({ type, object, more }: WebhookEvent): string => {
  if (type === testType) return escaped(`This is a test of the webhook ${object.name ?? ""}.`)
  const name = object.name ?? (object.id === null ? "" : `number ${object.id}`)
  const head = `${type.replaceAll(/[._]/g, " ")}: ${name}`
  const actor = actorOf(more["actor"])
  const [text, reason] = [textOf(more["text"]), textOf(more["reason"])]
  const parts = [
    head,
    ...(text === null ? [] : [text]),
    ...(actor === null ? [] : [`by ${actor}`]),
    ...(reason === null ? [] : [reason])
  ]
  return escaped(parts.join(" – "))
}
