import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { KnownBrowser, SessionOnly } from "./Auth.ts"
import { RateLimited } from "../RequestErrors.ts"
import {
  AccountExpired,
  AccountNotFound,
  CrossSiteRequest,
  EmailTaken,
  HandleTaken,
  InvalidCredentials,
  PasswordTooWeak,
  SecondFactorIncorrect,
  SecondFactorRequired,
  SignUpClosed,
  TooManyAccounts
} from "./AccessErrors.ts"
import { PasswordSignInOff } from "./OpenIdErrors.ts"
import { oneOf, optional } from "../Optional.ts"
import { OrganizationRecord } from "./Organizations.ts"
import { Email, Handle, KnownEmail, NewEmail, text, Title } from "../Text.ts"
import { UserRecord } from "./Users.ts"
import { requiresNone } from "./RequiredPermission.ts"
import { example } from "../Example.ts"
import { Traffic } from "../Traffic.ts"

export const SignUp = Schema.Struct({
  name: Title,
  email: NewEmail,
  password: text(8, 256),
  motive: text(0, 500)
})
  .annotations({ identifier: "SignUp" })
  .pipe(
    example({
      name: "Robin Hale",
      email: "robin@emberkeep.example",
      password: "correct horse battery staple",
      motive: "Live-ops for our first game"
    })
  )
export type SignUp = typeof SignUp.Type

export const SignUpPolicy = Schema.Struct({
  signUp: oneOf("open", "invited", "off"),
  isNew: Schema.Boolean.annotations({
    description: "Whether nobody has an account yet: the first one is still to be made"
  })
})
  .annotations({ identifier: "SignUpPolicy" })
  .pipe(example({ signUp: "invited", isNew: false }))
export type SignUpPolicy = typeof SignUpPolicy.Type

export const SignIn = Schema.Struct({
  email: Email,
  password: text(0, 1024),
  accountHandle: optional(Handle),
  code: optional(text(1, 64))
})
  .annotations({ identifier: "SignIn" })
  .pipe(example({ email: "robin@emberkeep.example", password: "correct horse battery staple", accountHandle: "robin" }))
export type SignIn = typeof SignIn.Type

export const SignedIn = Schema.Struct({
  user: UserRecord,
  organizations: Schema.Array(OrganizationRecord)
}).annotations({ identifier: "SignedIn" })
export type SignedIn = typeof SignedIn.Type

export const AccountEntry = Schema.Struct({
  handle: Schema.String,
  user: Schema.Struct({
    id: Schema.String,
    email: KnownEmail,
    userMetadata: Schema.Struct({ name: Schema.String, picture: optional(Schema.String) })
  }),
  status: oneOf("active", "available", "expired"),
  expiresAt: Schema.NullOr(Schema.DateTimeUtc),
  lastUsedAt: Schema.DateTimeUtc
}).annotations({ identifier: "AccountEntry" })
export type AccountEntry = typeof AccountEntry.Type

export const AccountList = Schema.Struct({
  accounts: Schema.Array(AccountEntry),
  maxAccounts: Schema.Int.pipe(Schema.positive())
}).annotations({ identifier: "AccountList" })
export type AccountList = typeof AccountList.Type

export const SwitchAccount = Schema.Struct({ handle: Handle })
  .annotations({ identifier: "SwitchAccount" })
  .pipe(example({ handle: "robin" }))
export type SwitchAccount = typeof SwitchAccount.Type

const browserCookie = { security: [{ session: [] }] }
const handle = HttpApiSchema.param("handle", Handle)

export class AccountsGroup extends HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.post("signUp", "/users/auth/signup")
      .setPayload(SignUp)
      .addSuccess(UserRecord, { status: 201 })
      .addError(SignUpClosed)
      .addError(EmailTaken)
      .addError(PasswordTooWeak)
      .addError(RateLimited)
      .annotate(Traffic, "entry")
      .annotateContext(requiresNone("The setting --sign-up decides."))
      .annotate(OpenApi.Summary, "Create a user; signs nobody in")
      .annotate(
        OpenApi.Description,
        "By default anybody may sign up until the server has its first owner; from then on an address needs a pending invitation. Nobody proves an address here, so signing up gives no rights in any organization: the token of the invitation does."
      )
  )
  .add(
    HttpApiEndpoint.get("signUpPolicy", "/users/auth/signup")
      .addSuccess(SignUpPolicy)
      .annotateContext(requiresNone("Anybody may ask, to know whether to try."))
      .annotate(OpenApi.Summary, "Who may sign up: everybody, addresses with a pending invitation, or nobody")
      .annotate(OpenApi.Override, { security: [] })
  )
  .add(
    HttpApiEndpoint.post("signIn", "/users/auth/signin")
      .setPayload(SignIn)
      .addSuccess(SignedIn)
      .addError(InvalidCredentials)
      .addError(SecondFactorRequired)
      .addError(SecondFactorIncorrect)
      .addError(PasswordSignInOff)
      .addError(CrossSiteRequest)
      .addError(TooManyAccounts)
      .addError(HandleTaken)
      .addError(RateLimited)
      .annotate(Traffic, "entry")
      .annotateContext(requiresNone("The password decides."))
      .annotate(OpenApi.Summary, "Add or refresh an account of this browser and make it the active one")
      .annotate(
        OpenApi.Description,
        "Where the account has a second factor, a right password alone is answered SECOND_FACTOR_REQUIRED: send it again with `code`, a code of the authenticator app or one of the recovery codes. Each is good once."
      )
  )
  .add(
    HttpApiEndpoint.post("signOut", "/users/auth/signout")
      .addSuccess(Schema.Literal(""))
      .middleware(SessionOnly)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(OpenApi.Summary, "End the session of the active account")
  )
  .add(
    HttpApiEndpoint.get("list", "/users/auth/accounts")
      .addSuccess(AccountList)
      .annotateContext(requiresNone("It concerns the accounts of this browser alone."))
      .annotate(OpenApi.Summary, "Accounts of this browser; empty without a session cookie")
      .annotate(OpenApi.Override, { security: [{}, { session: [] }] })
  )
  .add(
    HttpApiEndpoint.post("switch", "/users/auth/accounts/switch")
      .setPayload(SwitchAccount)
      .addSuccess(AccountList)
      .addError(AccountExpired)
      .addError(AccountNotFound)
      .middleware(KnownBrowser)
      .annotateContext(requiresNone("It concerns the accounts of this browser alone."))
      .annotate(OpenApi.Summary, "Make another account of this browser the active one")
      .annotate(OpenApi.Override, browserCookie)
  )
  .add(
    HttpApiEndpoint.del("remove")`/users/auth/accounts/${handle}`
      .addSuccess(AccountList)
      .addError(AccountNotFound)
      .middleware(KnownBrowser)
      .annotateContext(requiresNone("It concerns the accounts of this browser alone."))
      .annotate(OpenApi.Summary, "Remove an account from this browser")
      .annotate(OpenApi.Override, browserCookie)
  )
  .annotate(OpenApi.Title, "User authentication")
  .annotate(OpenApi.Description, "Sign-up, sign-in, sign-out and the accounts of one browser.") {}
