import type { UserId } from "../Ids.ts"
import type { ApiKey } from "./ApiKey.ts"

/** Who makes a request. `system` is the process itself: the command line and background jobs. */
export type Principal =
  | {
      readonly kind: "session"
      readonly userId: UserId
      readonly email: string
      /** True where the person has shown nothing but the password. */
      readonly byPasswordAlone?: boolean
      /** In which browser, and when (epoch ms), a request was let in by its session; without one nobody asks over the network. */
      readonly letIn?: { readonly browserId: number; readonly at: number }
    }
  | { readonly kind: "personal"; readonly userId: UserId; readonly email: string; readonly key: ApiKey }
  | { readonly kind: "secret" | "public"; readonly key: ApiKey }
  | { readonly kind: "system" }

/** The process itself. */
export const system: Principal = { kind: "system" }

/** The key that the principal presented, if any. */
export const keyOf = (principal: Principal): ApiKey | undefined => ("key" in principal ? principal.key : undefined)

/** The person behind the principal; null for an organization's keys and for the process itself. */
export const userOf = (principal: Principal): { readonly id: UserId; readonly email: string } | null =>
  "userId" in principal ? { id: principal.userId, email: principal.email } : null
