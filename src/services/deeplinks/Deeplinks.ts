import { DateTime, Effect, Option } from "effect"
import type { CreateDeeplink, DeeplinkRecord, UpdateDeeplink } from "../../../schema/deeplinks/Deeplinks.ts"
import {
  DeeplinkChanged,
  DeeplinkLimitReached,
  DeeplinkNotFound,
  RedirectRefused,
  SlugTaken
} from "../../../schema/deeplinks/DeeplinkErrors.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import type { Deeplink } from "../../domain/deeplinks/Deeplink.ts"
import { mayBeAdded, mayBecome, mostDeeplinks } from "../../domain/deeplinks/DeeplinkRoom.ts"
import { redirectFault } from "../../domain/deeplinks/Redirect.ts"
import { slugOf } from "../../domain/deeplinks/Slug.ts"
import type { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { DeeplinkId } from "../../domain/Ids.ts"
import { ClickRepo } from "../../ports/deeplinks/ClickRepo.ts"
import { DeeplinkRepo } from "../../ports/deeplinks/DeeplinkRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Clicks } from "./Clicks.ts"
import { demandUnchanged, updateAfter } from "../BasedOn.ts"
import { Policy } from "../access/Policy.ts"
import { Removals } from "../operations/Removals.ts"
import type { ApplicationWhere } from "../Where.ts"

/** Made-up slugs tried until one is free. */
const attempts = 5

const missing = (id: DeeplinkId) =>
  Effect.fail(new DeeplinkNotFound({ message: `Deeplink ${id} does not exist in this application` }))

const taken = (slug: string) => Effect.fail(new SlugTaken({ message: `The slug ${slug} is taken: choose another one` }))

const full = Effect.fail(
  new DeeplinkLimitReached({
    message: `A project has at most ${mostDeeplinks.count} deeplinks, whose metadata has at most 16 MiB together: delete one first`
  })
)

/** Links into the game: what they are, and where they lead. */
export class Deeplinks extends Effect.Service<Deeplinks>()("services/deeplinks/Deeplinks", {
  effect: Effect.gen(function* () {
    const { publicUrl, linkSchemes } = yield* Settings
    const clicks = yield* Clicks
    const counts = yield* ClickRepo
    const deeplinks = yield* DeeplinkRepo
    const policy = yield* Policy
    const removals = yield* Removals
    const secrets = yield* Secrets
    const transaction = yield* Transaction

    const record = (deeplink: Deeplink, total: { readonly clicks: number; readonly conversions: number }) =>
      ({
        ...deeplink,
        url: `${publicUrl}/d/${deeplink.slug}`,
        clicks: total.clicks,
        conversions: total.conversions
      }) satisfies DeeplinkRecord

    const records = Effect.fnUntraced(function* (
      applicationId: ApplicationId,
      environmentIds: ReadonlyArray<EnvironmentId>,
      all: ReadonlyArray<Deeplink>
    ) {
      yield* clicks.flushIfPossible
      const totals = yield* counts.totals(applicationId, environmentIds)
      const byId = new Map(totals.map((total) => [total.deeplinkId, total]))
      return all.map((deeplink) => record(deeplink, byId.get(deeplink.id) ?? { clicks: 0, conversions: 0 }))
    })

    const one = Effect.fnUntraced(function* (environmentIds: ReadonlyArray<EnvironmentId>, deeplink: Deeplink) {
      const [shown] = yield* records(deeplink.applicationId, environmentIds, [deeplink])
      return shown ?? record(deeplink, { clicks: 0, conversions: 0 })
    })

    const existing = Effect.fnUntraced(function* (applicationId: ApplicationId, id: DeeplinkId) {
      const found = yield* deeplinks.find(applicationId, id)
      return Option.isSome(found) ? found.value : yield* missing(id)
    })

    /** The project, and the environments whose conversions the caller may see. */
    const open = Effect.fnUntraced(function* (permission: Permission, place: ApplicationWhere) {
      const { applicationId, environmentId } = place
      if (environmentId === undefined) {
        const application = yield* policy.application(permission, applicationId)
        return { application, environmentIds: yield* policy.coveredEnvironments(applicationId) }
      }
      const { application, environment } = yield* policy.environment(permission, applicationId, environmentId)
      return { application, environmentIds: [environment.id] }
    })

    /** With its deeplink. */
    const openOne = Effect.fnUntraced(function* (permission: Permission, place: ApplicationWhere, id: DeeplinkId) {
      const opened = yield* open(permission, place)
      return { ...opened, deeplink: yield* existing(place.applicationId, id) }
    })

    const checkTarget = (request: Pick<CreateDeeplink, "type" | "redirectUrl">) => {
      const fault = redirectFault(request, linkSchemes)
      return fault === null ? Effect.void : Effect.fail(new RedirectRefused({ message: `redirectUrl: ${fault}` }))
    }

    const list = Effect.fnUntraced(function* (place: ApplicationWhere) {
      const { environmentIds } = yield* open("deeplinks:read", place)
      return yield* records(place.applicationId, environmentIds, yield* deeplinks.list(place.applicationId))
    })

    const get = Effect.fnUntraced(function* (place: ApplicationWhere, id: DeeplinkId) {
      const { environmentIds, deeplink } = yield* openOne("deeplinks:read", place, id)
      return yield* one(environmentIds, deeplink)
    })

    const insert = Effect.fnUntraced(function* (deeplink: Omit<Deeplink, "slug">, slug: string | undefined) {
      for (let attempt = 0; attempt < (slug === undefined ? attempts : 1); attempt++) {
        const chosen = slug ?? slugOf(yield* secrets.bytes(8))
        const inserted = yield* deeplinks.insert({ ...deeplink, slug: chosen })
        if (Option.isSome(inserted)) return inserted.value
      }
      return yield* taken(slug ?? "that was made up")
    })

    const add = Effect.fnUntraced(
      function* (deeplink: Omit<Deeplink, "slug">, slug: string | undefined) {
        if (!mayBeAdded(yield* deeplinks.size(deeplink.applicationId), deeplink)) return yield* full
        return yield* insert(deeplink, slug)
      },
      (effect) => transaction.run(effect)
    )

    const create = Effect.fnUntraced(function* (place: ApplicationWhere, request: CreateDeeplink) {
      const { application, environmentIds } = yield* open("deeplinks:write", place)
      yield* checkTarget(request)
      const { slug, ...fields } = request
      const now = yield* DateTime.now
      const id = DeeplinkId.make(yield* secrets.uuid)
      const times = { createdAt: now, updatedAt: now, archivedAt: null }
      return yield* one(environmentIds, yield* add({ id, applicationId: application.id, ...fields, ...times }, slug))
    })

    const replace = Effect.fnUntraced(function* (
      applicationId: ApplicationId,
      id: DeeplinkId,
      request: UpdateDeeplink
    ) {
      const present = yield* existing(applicationId, id)
      const { archived, basedOn, slug = present.slug, ...fields } = request
      yield* demandUnchanged("deeplink", present, basedOn, (message) => new DeeplinkChanged({ message }))
      const now = updateAfter(present, yield* DateTime.now)
      const archivedAt =
        archived === true ? (present.archivedAt ?? now) : archived === false ? null : present.archivedAt
      const next = { ...present, ...fields, slug, archivedAt, updatedAt: now }
      if (request.metadata !== undefined && !mayBecome(yield* deeplinks.size(applicationId), present, next))
        return yield* full
      const written = yield* deeplinks.update(next)
      return Option.isSome(written) ? written.value : yield* taken(slug)
    })

    /** A deeplink to change: it counts clicks and conversions of every environment of the project. */
    const openToChange = Effect.fnUntraced(function* (place: ApplicationWhere, id: DeeplinkId) {
      yield* policy.everyEnvironment("deeplinks:write", place.applicationId)
      return yield* openOne("deeplinks:write", place, id)
    })

    const update = Effect.fnUntraced(function* (place: ApplicationWhere, id: DeeplinkId, request: UpdateDeeplink) {
      const { environmentIds } = yield* openToChange(place, id)
      yield* checkTarget(request)
      return yield* one(environmentIds, yield* transaction.run(replace(place.applicationId, id, request)))
    })

    const remove = Effect.fnUntraced(function* (place: ApplicationWhere, id: DeeplinkId) {
      yield* openToChange(place, id)
      yield* Effect.zipRight(deeplinks.remove(id), removals.notice)
    })

    return { list, get, create, update, remove, openOne } as const
  })
}) {}
