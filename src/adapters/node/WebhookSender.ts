import { Effect, Layer } from "effect"
import { lookup } from "node:dns"
import { request as plainRequest } from "node:http"
import { request as secureRequest } from "node:https"
import { isIP, type LookupFunction } from "node:net"
import { type WebhookAnswer, type WebhookMessage, WebhookSender } from "../../ports/operations/WebhookSender.ts"
import { isPublic } from "./PublicAddresses.ts"

const patienceMillis = 15_000

/** Characters of an answer that are kept, and bytes after which nothing more is read. */
const longestAnswer = 1000
const mostBytes = 64 * 1024

const refused = (host: string) => `${host} is no public address: --private-webhooks on allows it`

/** Resolves names as usual, and fails where one leads to an address that is not public. */
const publicLookup: LookupFunction = (host, options, answer) =>
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return answer(error, "", 0)
    const [first] = addresses
    const hidden = addresses.find(({ address }) => !isPublic(address))
    if (first === undefined || hidden !== undefined) {
      return answer(new Error(refused(`${host} (${hidden?.address ?? "nothing"})`)), "", 0)
    }
    if (options.all === true) return answer(null, addresses)
    return answer(null, first.address, first.family)
  })

const unanswered = (problem: string): WebhookAnswer => ({ kind: "unanswered", problem })

/** Why an address is not asked at all; undefined where it may be. */
export const refusalOf = (url: string, allowsPrivate: boolean): string | undefined => {
  if (allowsPrivate) return undefined
  const { protocol, hostname } = new URL(url)
  if (protocol !== "https:") return "Only https is allowed: --private-webhooks on allows http"
  const literal = hostname.replace(/^\[|\]$/g, "")
  return isIP(literal) !== 0 && !isPublic(literal) ? refused(literal) : undefined
}

const send = ({ url, headers, body, allowsPrivate }: WebhookMessage) =>
  Effect.async<WebhookAnswer>((resume) => {
    const target = new URL(url)
    const refusal = refusalOf(url, allowsPrivate)
    if (refusal !== undefined) return resume(Effect.succeed(unanswered(refusal)))
    const bytes = new TextEncoder().encode(body)
    const request = (target.protocol === "https:" ? secureRequest : plainRequest)(target, {
      method: "POST",
      agent: false,
      headers: { ...headers, "content-length": String(bytes.length), connection: "close" },
      ...(allowsPrivate ? {} : { lookup: publicLookup })
    })
    const tooLate = setTimeout(
      () => request.destroy(new Error(`No answer within ${patienceMillis / 1000} s`)),
      patienceMillis
    )
    const end = (answer: WebhookAnswer) => {
      clearTimeout(tooLate)
      request.destroy()
      resume(Effect.succeed(answer))
    }
    request.on("error", ({ message }) => end(unanswered(message === "" ? "The connection failed" : message)))
    // Without this listener Node closes the connection of who answers 101, and tells nobody: neither an answer nor an error comes, not even after the patience.
    request.on("upgrade", ({ statusCode: status = 0 }) => end({ kind: "answered", status, text: "" }))
    request.on("response", (response) => {
      const { statusCode: status = 0 } = response
      const parts: Array<Buffer> = []
      let read = 0
      const answer = () => {
        const text = Buffer.concat(parts).toString("utf8").slice(0, longestAnswer)
        end({ kind: "answered", status, text: text.replaceAll("\u0000", "") })
      }
      response.on("data", (part: Buffer) => {
        parts.push(part)
        read += part.length
        if (read >= mostBytes) answer()
      })
      response.on("end", answer)
      response.on("error", answer)
    })
    request.end(bytes)
    return Effect.sync(() => {
      clearTimeout(tooLate)
      request.destroy()
    })
  })

export const WebhookSenderNode = Layer.succeed(WebhookSender, { refusalOf, send })
