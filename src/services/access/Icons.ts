import { Effect, Option } from "effect"
import { IconNotFound } from "../../../schema/access/AccessErrors.ts"
import type { IconResult } from "../../../schema/access/Icons.ts"
import type { Organization } from "../../domain/access/Organization.ts"
import type { OrganizationId } from "../../domain/Ids.ts"
import type { Icon } from "../../ports/access/OrganizationRepo.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { OrganizationView } from "./OrganizationView.ts"
import { Pictures } from "./Pictures.ts"
import type { PictureLimits } from "./Pictures.ts"
import { Policy } from "./Policy.ts"

/** Largest icon in bytes. */
export const maxBytes = 1024 * 1024

const limits: PictureLimits = {
  subject: "An icon",
  maxBytes,
  maxSide: 4096,
  types: ["image/png", "image/jpeg", "image/webp", "image/gif"]
}

/** The image an organization is shown with. */
export class Icons extends Effect.Service<Icons>()("services/access/Icons", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const pictures = yield* Pictures
    const transaction = yield* Transaction
    const policy = yield* Policy
    const view = yield* OrganizationView

    const store = Effect.fnUntraced(function* (organization: Organization, icon: Icon | null, iconTag: string | null) {
      const write = organizations.putIcon(organization.id, icon).pipe(
        Effect.zipRight(Effect.flatMap(organizations.find(organization.id), Effect.orDie)),
        Effect.flatMap((present) => organizations.update({ ...present, iconTag }))
      )
      const updated = yield* transaction.run(write)
      return { id: updated.id, iconUrl: view.iconUrl(updated) } satisfies IconResult
    })

    /** Reads the upload once it is known that the caller may set the icon. */
    const put = Effect.fnUntraced(function* <E, R>(id: OrganizationId, upload: Effect.Effect<Uint8Array, E, R>) {
      const { organization } = yield* policy.organization("organization:write", id)
      yield* policy.coversAllProjects()
      const { tag, ...icon } = yield* pictures.inspect(yield* upload, limits)
      return yield* store(organization, icon, tag)
    })

    const get = Effect.fnUntraced(function* (id: OrganizationId) {
      const { organization } = yield* policy.organization("organization:read", id)
      const icon = yield* organizations.icon(id)
      if (Option.isNone(icon) || organization.iconTag === null) {
        return yield* Effect.fail(new IconNotFound({ message: `Organization ${id} has no icon` }))
      }
      return { ...icon.value, tag: organization.iconTag }
    })

    const remove = Effect.fnUntraced(function* (id: OrganizationId) {
      const { organization } = yield* policy.organization("organization:write", id)
      yield* policy.coversAllProjects()
      return yield* store(organization, null, null)
    })

    return { put, get, remove } as const
  })
}) {}
