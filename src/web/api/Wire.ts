import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import type { Brand, DateTime } from "effect"
import type { Json } from "../../domain/configuration/Document.ts"
import type { Api } from "../../../schema/Api.ts"
import type { CohortDefinition } from "../../../schema/cohorts/CohortDefinition.ts"

/**
 * A value as JSON carries it: instants are ISO text, and ids are plain numbers and texts. What may be any JSON is that already, and
 * a definition of a cohort, alone among what is answered, has names in JSON that are not those of the server.
 */
export type Wire<T> = [Json] extends [T] ? T : Written<T>

type Written<T> = T extends DateTime.Utc
  ? string
  : T extends string
    ? T extends Brand.Brand<infer _>
      ? string
      : T
    : T extends number
      ? T extends Brand.Brand<infer _>
        ? number
        : T
      : T extends CohortDefinition
        ? typeof CohortDefinition.Encoded
        : T extends object
          ? { [K in keyof T]: Wire<T[K]> }
          : T

type Groups = typeof Api extends HttpApi.HttpApi<infer _Id, infer G, infer _E, infer _R> ? G : never

type EndpointsOf<G> =
  G extends HttpApiGroup.HttpApiGroup<infer Id, infer E, infer _Error, infer _R, infer _TopLevel>
    ? {
        [Name in HttpApiEndpoint.HttpApiEndpoint.Name<E> as `${Id}.${Name}`]: HttpApiEndpoint.HttpApiEndpoint.WithName<
          E,
          Name
        >
      }
    : never

type Merged<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void ? All : never

/** Every endpoint of the contract by its group and name, such as `markers.types`. */
type Contract = Merged<EndpointsOf<Groups>>

export type EndpointName = keyof Contract

/** What the endpoint answers, as JSON. */
export type Answer<N extends EndpointName> = Wire<HttpApiEndpoint.HttpApiEndpoint.Success<Contract[N]>>

/** The body that the endpoint decodes, as the server sees it. */
export type Payload<N extends EndpointName> = HttpApiEndpoint.HttpApiEndpoint.Payload<Contract[N]>
