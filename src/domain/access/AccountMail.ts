import type { Limit } from "./RateLimit.ts"

/** What a mail about an account says. */
export interface MailText {
  readonly subject: string
  readonly text: string
}

/** Hours that a link works which somebody asked for by mail: the mail and the page that asks say "an hour". */
export const mailedResetHours = 1

/** Links for another password that one address is mailed, whoever asks for them; and invitations that one organization mails it. */
export const mailsToAddress: Limit = { limit: 3, windowMillis: 3_600_000 }

/** Invitations that one address is mailed, whoever sends them: so many that no single organization keeps those of others from it. */
export const invitationsToAddress: Limit = { limit: 20, windowMillis: 3_600_000 }

/**
 * Mails of webhooks to one address, whatever organizations send them. Nobody proves an address at the sign-up, so that the address of a member may be
 * anybody's, and what the mails say is for whoever makes the webhook and the changes that it tells of.
 */
export const webhookMailsToAddress: Limit = { limit: 60, windowMillis: 3_600_000 }

/** Invitations that are mailed for one organization. */
export const invitationsOfOrganization: Limit = { limit: 200, windowMillis: 3_600_000 }

const host = (publicUrl: string): string => publicUrl.replace(/^https?:\/\//, "")

/** What a name says in a line of a mail: line breaks and the like would begin another one. */
const inLine = (name: string): string => name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()

/** A link by which somebody who asked for it chooses another password. */
export const resetMail = (publicUrl: string, url: string): MailText => ({
  subject: `Choose another password for ${host(publicUrl)}`,
  text: `Somebody asked for another password for the account of this address on ${publicUrl}.

If it was you, choose it here within an hour:

${url}

The link works once. If it was not you, do nothing: your password stays as it is.
`
})

interface Invited {
  readonly organization: string
  /** Name of whoever invites; null where nobody is known. */
  readonly by: string | null
  readonly acceptUrl: string
  /** The last day on which the invitation can be accepted, as `2026-11-30`. */
  readonly until: string
}

/** An invitation to an organization. */
export const invitationMail = (publicUrl: string, { organization, by, acceptUrl, until }: Invited): MailText => ({
  subject: `Invitation to ${inLine(organization)} on ${host(publicUrl)}`,
  text: `${by === null ? "You are invited" : `${inLine(by)} invites you`} to ${inLine(organization)} on ${publicUrl}.

Accept the invitation until ${until}:

${acceptUrl}

Sign up there, or sign in with this e-mail address. If you do not know what this is about, do nothing.
`
})

/** A mail that shows the operator that mails arrive. */
export const testMail = (publicUrl: string): MailText => ({
  subject: `Test of ${host(publicUrl)}`,
  text: `This mail shows that ${publicUrl} can send mails.
`
})
