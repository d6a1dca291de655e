import { Context, Data, type Effect } from "effect"

/** A mail of plain text to one address. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** The mail was not taken; `reason` says in words why, without a password. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{ readonly reason: string }> {}

/** Sends mails through the server that the operator has named. */
export class Mailer extends Context.Tag("ports/operations/Mailer")<
  Mailer,
  {
    /** Whether the operator has named a server: where not, every mail fails. */
    readonly isConfigured: boolean
    /** Ends once the server has taken the mail; fails after 20 seconds without an answer. Nothing is tried again. */
    readonly send: (mail: Mail) => Effect.Effect<void, MailNotSent>
  }
>() {}
