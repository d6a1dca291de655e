import { HttpApi, OpenApi } from "@effect/platform"
import {
  InternalError,
  MalformedJson,
  MalformedRequest,
  MethodNotAllowed,
  PayloadTooLarge,
  RouteNotFound,
  UnsupportedMediaType,
  ValidationFailed
} from "./Errors.ts"
import { describe } from "./OpenApi.ts"
import { SystemGroup } from "./System.ts"

const Contract = HttpApi.make("gamekeeper")
  .add(SystemGroup)
  .addError(ValidationFailed)
  .addError(MalformedJson)
  .addError(MalformedRequest)
  .addError(RouteNotFound)
  .addError(MethodNotAllowed)
  .addError(PayloadTooLarge)
  .addError(UnsupportedMediaType)
  .addError(InternalError)
  .annotate(OpenApi.Title, "Gamekeeper")
  .annotate(OpenApi.Version, "1.0.0")
  .annotate(OpenApi.Description, "Self-hosted live-ops for game studios.")
  .annotate(OpenApi.License, { name: "MIT", url: "https://opensource.org/license/mit" })

export class Api extends Contract.annotate(OpenApi.Transform, (spec) => ({
  ...spec,
  ...describe(Contract, spec["paths"], spec["components"].schemas)
})) {}
