import { Options } from "@effect/cli"
import { Option, Redacted } from "effect"
import { NoProvider, OpenIdProvider } from "../adapters/node/OpenIdProvider.ts"
import { isThisMachine } from "../domain/access/Loopback.ts"
import { type GroupRole, groupRolesIn } from "../domain/access/OpenId.ts"
import type { SingleSignOn } from "../ports/operations/Settings.ts"
import { addressThat, checked, secret, text, toggle } from "./SettingKinds.ts"

interface OidcConfiguration {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly name: string
  readonly groupsClaim: string
  readonly roles: ReadonlyArray<GroupRole>
  readonly only: boolean
}

/** Where nothing is set, people sign in by password. */
export const oidcDefaults: OidcConfiguration = {
  issuer: "",
  clientId: "",
  clientSecret: Redacted.make(""),
  name: "single sign-on",
  groupsClaim: "groups",
  roles: [],
  only: false
}

/** Whether a text is empty or the address of a provider: over TLS, except on this machine. */
const isIssuer = (value: string): boolean => {
  if (value === "" || !URL.canParse(value)) return value === ""
  const { protocol, hostname, username, password, search, hash } = new URL(value)
  const isNear = protocol === "http:" && isThisMachine(hostname.replace(/^\[|\]$/g, ""))
  return (protocol === "https:" || isNear) && username + password + search + hash === ""
}

const isWord = (longest: number) => (value: string) => value.trim() !== "" && value.length <= longest

/** A provider needs both its address and our name there, and everything else needs a provider. */
const isWhole = ({ issuer, clientId, clientSecret, roles, only }: OidcConfiguration): boolean =>
  issuer === ""
    ? clientId === "" && Redacted.value(clientSecret) === "" && roles.length === 0 && !only
    : clientId !== ""

/** What operators set of a provider of OpenID Connect. */
export const oidcOptions: Options.Options<OidcConfiguration> = Options.all({
  issuer: addressThat(
    isIssuer,
    "an https address such as https://login.example.com; http on this machine alone",
    "oidc-issuer",
    "Provider of OpenID Connect through which people sign in; default: none"
  ),
  clientId: text("oidc-client-id", oidcDefaults.clientId, "What the provider calls this server"),
  clientSecret: secret(
    "oidc-client-secret",
    (written) => Option.some(Redacted.make(written)),
    "text",
    "What this server shows the provider; default: nothing, for a public client"
  ),
  name: checked(
    "oidc-name",
    oidcDefaults.name,
    Option.liftPredicate(isWord(40)),
    "1 to 40 characters",
    "What the sign-in page calls the provider"
  ),
  groupsClaim: checked(
    "oidc-groups-claim",
    oidcDefaults.groupsClaim,
    Option.liftPredicate(isWord(256)),
    "the name of a claim",
    "Claim in which the provider lists somebody's groups"
  ),
  roles: checked(
    "oidc-roles",
    oidcDefaults.roles,
    (written) => Option.fromNullable(groupRolesIn(written)),
    "a list such as live-ops=12:Developer, studio-leads=12:Owner, whose numbers are ids of organizations",
    "Roles that groups give, as group=organization:role, separated by commas; of those in one organization the first counts"
  ),
  only: toggle("oidc-only", oidcDefaults.only, "Refuse passwords to everybody but the owners of the server")
}).pipe(
  Options.filterMap(
    Option.liftPredicate(isWhole),
    "--oidc-issuer and --oidc-client-id belong together, and every other --oidc setting but the names needs both"
  )
)

/** What the services read of it. */
export const oidcSettings = ({ issuer, name, roles, only }: OidcConfiguration): SingleSignOn | null =>
  issuer === "" ? null : { name, roles, only }

/** The provider that is named, or none. */
export const SigningOn = ({ oidc }: { readonly oidc: OidcConfiguration }) =>
  oidc.issuer === "" ? NoProvider : OpenIdProvider(oidc)
