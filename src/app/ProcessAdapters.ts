import { Layer } from "effect"
import { ImagesNode } from "../adapters/node/Images.ts"
import { NoMailer } from "../adapters/node/Mailer.ts"
import { AuthenticatorsNode } from "../adapters/node/Authenticators.ts"
import { OneTimeCodesLive } from "../adapters/node/OneTimeCodes.ts"
import { PasswordStrengthNode } from "../adapters/node/PasswordStrength.ts"
import { NoProvider } from "../adapters/node/OpenIdProvider.ts"
import { ParquetFilesNode } from "../adapters/node/Parquet.ts"
import { JsonSchemasNode } from "../adapters/node/JsonSchemas.ts"
import { Scrypt } from "../adapters/node/Scrypt.ts"
import { WebhookSenderNode } from "../adapters/node/WebhookSender.ts"
import { SecretsNode } from "../adapters/node/Secrets.ts"
import type { Configuration } from "./Config.ts"
import { Mailing } from "./Mailing.ts"
import { SigningOn } from "./SingleSignOn.ts"
import { passwordWorker, schemaWorker } from "./Workers.ts"

/** Milliseconds that the check of a configuration by its schema may take, among all and among those that take longer. */
const schemaLimits = { millis: 50, patientMillis: 1000 }

/** What the process brings along. It sends no mails and knows no provider by itself: `ProcessOf` puts those before. */
export const Node = Layer.mergeAll(
  NoMailer,
  OneTimeCodesLive,
  AuthenticatorsNode,
  PasswordStrengthNode(passwordWorker),
  NoProvider,
  ImagesNode,
  JsonSchemasNode({ script: schemaWorker, ...schemaLimits }),
  ParquetFilesNode,
  SecretsNode,
  WebhookSenderNode,
  Scrypt()
)

/** What the process brings along, and the other servers that it speaks to. */
export const ProcessOf = (configuration: Configuration) =>
  Layer.mergeAll(Node, Mailing(configuration), SigningOn(configuration))
