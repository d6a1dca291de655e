import { ConfigError, ConfigProvider, Effect } from "effect"
import { variable } from "../app/SettingKinds.ts"

/** Settings that only a listening server reads, without those that all processes over the same databases must have in common. */
const ofServing = [
  "connection-limit",
  "trust-proxy",
  "owner",
  "query-timeout-seconds",
  "warm-up",
  "min-free-mb",
  "private-webhooks",
  "slow-query-ms",
  "log-format",
  "backup-to",
  "backup-hours",
  "backup-keep",
  "export-to",
  "export-hours",
  "export-environments",
  "s3-endpoint",
  "s3-region",
  "metrics-token",
  "otlp-endpoint",
  "otlp-headers",
  "otlp-metric-seconds",
  "otlp-sample",
  "otlp-service",
  "otlp-signals"
]

/** Where the server listens: a link says so where there is no public address. */
const listening = ["host", "port"]

/** The flags of settings that a command takes and does not use: whoever gives a command the options of the server may give all of them. */
const unread: Readonly<Record<string, ReadonlyArray<string>>> = {
  "create-admin": [...ofServing, ...listening],
  "remove-second-factor": [...ofServing, ...listening],
  "make-owner": [...ofServing, ...listening],
  import: [...ofServing, ...listening],
  migrate: [...ofServing, ...listening],
  "reset-password": ofServing,
  "test-mail": ofServing
}

/** Runs the named command, which finds none of the variables that it does not use: what is wrong with them is the server's matter. */
export const withoutUnread =
  (command: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const hidden = new Set((unread[command] ?? []).map(variable))
    if (hidden.size === 0) return effect
    return Effect.configProviderWith(({ flattened }) =>
      Effect.withConfigProvider(
        effect,
        ConfigProvider.fromFlat(
          ConfigProvider.makeFlat({
            load: (path, primitive, split) =>
              hidden.has(path.join("_"))
                ? Effect.fail(ConfigError.MissingData([...path], "The command does not use it"))
                : flattened.load(path, primitive, split),
            enumerateChildren: flattened.enumerateChildren,
            patch: flattened.patch
          })
        )
      )
    )
  }
