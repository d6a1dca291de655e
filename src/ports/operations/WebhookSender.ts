import { Context, type Effect } from "effect"

/** A message on its way: the address, and what is sent there. */
export interface WebhookMessage {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Whether it may go to an address that is not public, and without https. */
  readonly allowsPrivate: boolean
}

/** What came of a message. */
export type WebhookAnswer =
  | { readonly kind: "answered"; readonly status: number; readonly text: string }
  /** Nobody answered, or nobody may be asked there; the problem in words. */
  | { readonly kind: "unanswered"; readonly problem: string }

/** Brings messages to addresses that studios name. */
export class WebhookSender extends Context.Tag("ports/operations/WebhookSender")<
  WebhookSender,
  {
    /** Why nothing is ever sent to an address, for what it says itself: no name is looked up. Undefined where it may be. */
    readonly refusalOf: (url: string, allowsPrivate: boolean) => string | undefined
    /**
     * Posts a message and reads the beginning of the answer, at most 1,000 characters. Redirects are not followed. Addresses
     * that are not public are refused when a connection is made, so that no name can lead there.
     */
    readonly send: (message: WebhookMessage) => Effect.Effect<WebhookAnswer>
  }
>() {}
