import { Effect, Layer, type Redacted } from "effect"
import { TurnsLocal } from "../../adapters/local/Turns.ts"
import { Scrypt } from "../../adapters/node/Scrypt.ts"
import { SecretsNode } from "../../adapters/node/Secrets.ts"
import { PasswordStrengthNode } from "../../adapters/node/PasswordStrength.ts"
import { MetadataBesideServer } from "../../adapters/sqlite/BesideServer.ts"
import { dataFilesIn, demandDataFolder, isFolderInUse } from "../../adapters/sqlite/DataFolder.ts"
import { NewPasswords } from "../../services/access/passwords/NewPasswords.ts"
import type { OrganizationId } from "../../domain/Ids.ts"
import { OrganizationSetup } from "../../services/access/OrganizationSetup.ts"
import { PasswordResetLinks } from "../../services/access/passwords/PasswordResetLinks.ts"
import { Sessions } from "../../services/access/Sessions.ts"
import { AuditTrail } from "../../services/operations/AuditTrail.ts"
import { Operators } from "../../services/operations/Operators.ts"
import { WebhookQueue } from "../../services/operations/WebhookQueue.ts"
import { isOnCluster } from "../Addresses.ts"
import type { Configuration } from "../Config.ts"
import { SettingsLive } from "../SettingsLive.ts"
import { Offline } from "./Offline.ts"
import { passwordWorker } from "../Workers.ts"

/** What the operator does to people, over their tables alone. */
const OperatorsLive = Layer.merge(Operators.Default, NewPasswords.Default).pipe(
  Layer.provide(Sessions.Default),
  Layer.provide(PasswordResetLinks.Default),
  Layer.provide(OrganizationSetup.Default),
  Layer.provide(AuditTrail.Default.pipe(Layer.provide(WebhookQueue.Default)))
)

/** Beside the server that has the folder. Several processes share PostgreSQL anyway. */
const isBesideServer = Effect.fnUntraced(function* (configuration: Configuration) {
  return !(yield* isOnCluster(configuration)) && (yield* isFolderInUse(configuration.data))
})

const BesideServer = (configuration: Configuration) =>
  Layer.unwrapEffect(
    Effect.map(dataFilesIn(configuration.data), ({ metadata }) =>
      OperatorsLive.pipe(
        Layer.provide(MetadataBesideServer(metadata)),
        Layer.provide(SettingsLive(configuration)),
        // Nobody else acts under these names: what a command notes, it notes in one transaction.
        Layer.provide(TurnsLocal),
        Layer.provide(Layer.mergeAll(SecretsNode, Scrypt(), PasswordStrengthNode(passwordWorker)))
      )
    )
  )

/** Fails where no server has ever had the data folder: whoever looks for a person in it has mistyped it. */
const demandOwnFolder = (configuration: Configuration) =>
  Effect.flatMap(isOnCluster(configuration), (isCluster) =>
    isCluster ? Effect.void : demandDataFolder(configuration.data)
  )

/** What the operator does to people, whether or not a server runs; `isBeside` tells which. */
const operatorAccess = Effect.fnUntraced(function* (configuration: Configuration) {
  const isBeside = yield* isBesideServer(configuration)
  return { isBeside, people: isBeside ? BesideServer(configuration) : Offline(configuration) }
})

interface Admin {
  readonly email: string
  readonly name: string
  readonly password: Redacted.Redacted
}

/** Makes a person who owns an organization, or gives them a new password; fails where the password is too easy to guess. */
export const ensureAdmin = Effect.fnUntraced(function* (
  configuration: Configuration,
  { email, name, password }: Admin
) {
  const { isBeside, people } = yield* operatorAccess(configuration)
  // A running server keeps projects in memory, so it makes the organization itself, at the first sign-in.
  const ensured = Effect.gen(function* () {
    yield* Effect.flatMap(NewPasswords, ({ demandStrong }) => demandStrong("password", password, { email, name }))
    const { ensureOwner, ensurePerson } = yield* Operators
    return yield* (isBeside ? ensurePerson : ensureOwner)(email, name, password)
  })
  return yield* Effect.provide(ensured, people)
})

/** What is done by the operators' services to people who must be there already. */
const amongPeople = <A, E>(configuration: Configuration, work: (operators: Operators) => Effect.Effect<A, E>) =>
  Effect.zipRight(demandOwnFolder(configuration), operatorAccess(configuration)).pipe(
    Effect.flatMap(({ people }) => Effect.provide(Effect.flatMap(Operators, work), people))
  )

/** A link by which the person of that address chooses another password; none where nobody has the address. */
export const resetLink = (configuration: Configuration, email: string) =>
  amongPeople(configuration, ({ resetPassword }) => resetPassword(email))

/** Takes away a person's second factor. Answers whether there was one, and none where nobody has the address. */
export const removeFactor = (configuration: Configuration, email: string) =>
  amongPeople(configuration, ({ removeSecondFactor }) => removeSecondFactor(email))

/** Makes the person of that address an owner of the organization. */
export const makeOwner = (configuration: Configuration, email: string, organizationId: OrganizationId) =>
  amongPeople(configuration, (operators) => operators.makeOwner(email, organizationId))
