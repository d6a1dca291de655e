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

/** What happened, to what: the first words of a sentence. */
const headOf = ({ type, object }: WebhookEvent): string => {
  const name = object.name ?? (object.id === null ? "" : `number ${object.id}`)
  const words = type.replaceAll(".", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words}: ${name}`
}

/** An event as a sentence for people. */
const plainSentence = (event: WebhookEvent): string => {
  const { type, object, more } = event
  if (type === testType) return `This is a test of the webhook ${object.name ?? ""}.`
  const actor = actorOf(more["actor"])
  const [text, reason] = [textOf(more["text"]), textOf(more["reason"])]
  const parts = [
    headOf(event),
    ...(text === null ? [] : [text]),
    ...(actor === null ? [] : [`by ${actor}`]),
    ...(reason === null ? [] : [reason])
  ]
  return parts.join(" – ")
}

/** Where the dashboard shows what it is about; null where it shows it nowhere. */
const linkOf = ({ more }: WebhookEvent): string | null => textOf(more["link"])

/** An event as a sentence for chats, escaped as Slack asks for it (https://docs.slack.dev/messaging/formatting-message-text). */
export const sentenceOf = (event: WebhookEvent): string =>
  escaped([plainSentence(event), linkOf(event)].filter((part) => part !== null).join(" "))

/** An event as a mail, which says where it comes from and what ends it. */
export const mailOf = (event: WebhookEvent, webhook: string, publicUrl: string) => ({
  subject: event.type === testType ? `Test of ${webhook}` : headOf(event),
  text: `${[plainSentence(event), linkOf(event)].filter((part) => part !== null).join("\n\n")}

Gamekeeper at ${publicUrl} sends this because the webhook ${webhook} asks for it. Settings, Webhooks ends that.
`
})
