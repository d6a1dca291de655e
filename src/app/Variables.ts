import { Options } from "@effect/cli"
import { Config, ConfigProvider, Effect, HashMap } from "effect"
import { nearestName } from "../domain/NearestName.ts"
import { flagsOf } from "./Flags.ts"
import { options } from "./Config.ts"
import { variable } from "./SettingKinds.ts"

/** Of buckets, of commands, of what is built, and of the files in deploy/. */
const others = [
  ...["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_SESSION_TOKEN"],
  ...["URL", "TOKEN", "ADMIN_PASSWORD", "EVENTS_PASSWORD", "BUILD", "DOMAIN", "UPSTREAMS"]
]

/** Variables of the tests, and those by which Kubernetes tells where the services of a namespace are. */
const foreign = /^GAMEKEEPER_TEST_|_SERVICE_(HOST|PORT)|_PORT_\d+_(TCP|UDP|SCTP)/

const settings: ReadonlyArray<Options.Options<unknown>> = Object.values(options)

const known: ReadonlyArray<string> = [
  ...settings.flatMap((option) => flagsOf(Options.getUsage(option))).map(({ name }) => variable(name.slice(2))),
  ...others.map((name) => `GAMEKEEPER_${name}`)
]

/** What is said of each variable of ours that nothing reads. Those of secrets in files are gone where deploy/with-secrets.sh has read them. */
export const unreadVariables = (variables: Iterable<readonly [name: string, value: string]>): ReadonlyArray<string> =>
  [...variables].flatMap(([name, value]) => {
    if (!name.startsWith("GAMEKEEPER_") || foreign.test(name) || value.startsWith("tcp://")) return []
    if (known.includes(name)) return []
    if (known.includes(name.replace(/_FILE$/, ""))) {
      return value === ""
        ? []
        : [`Nothing reads ${name}: only deploy/with-secrets.sh does, for the secrets that it names`]
    }
    const nearest = nearestName(name, known)
    return [`Nothing reads ${name}${nearest === undefined ? "" : `: did you mean ${nearest}?`}`]
  })

/** No name has this in it, so that each is one word. */
const undivided = ConfigProvider.fromEnv({ pathDelim: "\u0000" })

const environment = Effect.orElseSucceed(undivided.load(Config.hashMap(Config.string())), () =>
  HashMap.empty<string, string>()
)

/** Warns of variables that were meant for the server and are none. */
export const warnOfUnreadVariables = Effect.flatMap(environment, (variables) =>
  Effect.forEach(unreadVariables(variables), (line) => Effect.logWarning(line), { discard: true })
)
